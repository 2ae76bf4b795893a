/// One row of a block.
struct Row {
  let block: RowBlock
  let index: Int

  var layout: EntityLayout { block.layout }
  var version: Int64 { block.version(index) }

  /// Whether the values of a property are the same in both rows; text compares by its bytes.
  func isEqual(_ other: Row, _ property: PropertyLayout) -> Bool {
    if property.kind == .composite { return property.elements.allSatisfy { isEqual(other, $0) } }
    guard property.slot >= 0 else { return true }
    let isNull = block.isNull(index, property.slot)
    guard isNull == other.block.isNull(other.index, property.slot) else { return false }
    if isNull { return true }
    switch property.kind {
    case .string, .uri, .uuid, .binary, .transformable, .external:
      return unsafe block.bytes(index, property.slot).elementsEqual(
        other.block.bytes(other.index, property.slot))
    case .decimal:
      return block.decimal(index, property.slot) == other.block.decimal(other.index, property.slot)
    default:
      return block.word(index, property.slot) == other.block.word(other.index, property.slot)
    }
  }

  /// Whether a stored property has a value.
  func hasValue(of property: PropertyLayout) -> Bool {
    property.kind == .composite
      ? property.elements.contains(where: hasValue)
      : property.slot >= 0 && !block.isNull(index, property.slot)
  }

  func reference(_ slot: Int) -> PackedReference? {
    block.isNull(index, slot) ? nil : PackedReference(bits: block.word(index, slot))
  }
}
