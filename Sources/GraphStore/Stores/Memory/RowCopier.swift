/// Makes the rows of an in-memory store: copies of the rows of objects, in blocks that belong to the store.
///
/// From the end of a write on its blocks are shared, and no row is added to them any more.
struct RowCopier: ~Copyable {
  private let keys: PermanentKeyMap
  private var blocks = OpenRowBlocks()

  /// - Parameter keys: The permanent keys of objects that rows refer to by temporary ones.
  init(keys: PermanentKeyMap) { self.keys = keys }

  /// A row with the stored values of another one.
  ///
  /// - Throws: `external-data-missing` where a value is to be read from a file that is gone.
  mutating func copy(_ source: Row, version: Int64) throws -> Row {
    let block = blocks.roomyBlock(source.layout)
    let row = Row(block: block, index: block.appendStoredRow(copying: source))
    block.setVersion(row.index, version)
    for property in row.layout.leaves where property.isPersistent && property.kind == .toOne {
      renew(row, property)
    }
    if row.layout.hasExternalData { try block.loadExternalData(of: row.index) }
    return row
  }

  /// Copies changed values.
  func change(_ row: Row, _ changed: PropertySet, from source: Row) throws {
    changed.forEach { number in
      let property = row.layout.fields[number]
      guard property.kind != .composite else { return }
      if property.kind == .external { row.block.forgetExternalData(row.index, property.slot) }
      row.block.copyValue(of: property, from: source, to: row.index)
      if property.kind == .toOne { renew(row, property) }
    }
    if row.layout.hasExternalData { try row.block.loadExternalData(of: row.index) }
  }

  /// Replaces the temporary key of a reference.
  private func renew(_ row: Row, _ property: PropertyLayout) {
    guard let reference = row.reference(property.slot), reference.key < 0 else { return }
    let renewed = PackedReference(entity: reference.entity, key: keys[reference.key])
    row.block.setWord(row.index, property.slot, renewed.bits)
  }
}
