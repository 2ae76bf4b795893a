import Foundation
import GraphStorePredicates

/// One row of a block.
package struct Row {
  package let block: RowBlock
  package let index: Int

  package init(block: RowBlock, index: Int) {
    self.block = block
    self.index = index
  }

  package var layout: EntityLayout { block.layout }
  package var version: Int64 { block.version(index) }

  /// Whether the values of a property are the same in both rows; text compares by its bytes.
  package func isEqual(_ other: Row, _ property: PropertyLayout) -> Bool {
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
  package func hasValue(of property: PropertyLayout) -> Bool {
    property.kind == .composite
      ? property.elements.contains(where: hasValue)
      : property.slot >= 0 && !block.isNull(index, property.slot)
  }

  package func reference(_ slot: Int) -> PackedReference? {
    block.isNull(index, slot) ? nil : PackedReference(bits: block.word(index, slot))
  }
}

extension Row {
  /// The value of an attribute; a to-one has none here.
  ///
  /// - Throws: `external-data-missing`, for an attribute with external storage alone.
  package func value(of property: PropertyLayout) throws -> Value {
    if property.kind == .composite { return try composite(property) }
    let slot = property.slot
    guard slot >= 0, !block.isNull(index, slot) else { return .null }
    switch property.kind {
    case .int16, .int32, .int64: return .int(Int64(bitPattern: block.word(index, slot)))
    case .boolean: return .bool(block.word(index, slot) != 0)
    case .double, .float: return .double(Double(bitPattern: block.word(index, slot)))
    case .date:
      return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: block.word(index, slot))))
    case .string: return unsafe .string(String(decoding: block.bytes(index, slot), as: UTF8.self))
    case .uri:
      let text = unsafe String(decoding: block.bytes(index, slot), as: UTF8.self)
      return URL(string: text).map { .uri($0) } ?? .string(text)
    case .uuid: return unsafe .uuid(UUID(bytes: block.bytes(index, slot)))
    case .binary, .transformable: return unsafe .data(Data(block.bytes(index, slot)))
    case .external: return .data(try externalData(of: property))
    case .decimal: return .decimal(block.decimal(index, slot))
    case .toOne, .toMany, .none, .composite, .undefined: return .null
    }
  }

  /// The value of an attribute, but for data that may be in a file, and for a composite attribute, only
  /// whether there is one.
  package func outline(of property: PropertyLayout) throws -> Value {
    switch property.kind {
    case .external: hasValue(of: property) ? .data(Data()) : .null
    case .composite: hasValue(of: property) ? .dictionary([:]) : .null
    default: try value(of: property)
    }
  }

  /// The values of the elements by name; nil where all are (OBJ-295).
  private func composite(_ property: PropertyLayout) throws -> Value {
    var members: [String: Value] = [:]
    for element in property.elements {
      members[element.key] = try value(of: element)
    }
    return members.values.allSatisfy(\.isNull) ? .null : .dictionary(members)
  }

  /// The value as a person reads it in a message.
  package func text(of property: PropertyLayout) -> String {
    if property.kind == .toOne {
      guard let reference = reference(property.slot) else { return "nothing" }
      return "\(layout.entity.model.entities[reference.entity].name)/p\(reference.key)"
    }
    if property.kind == .external, !block.isNull(index, property.slot) {
      return externalSize(of: property).map { "\($0) bytes" } ?? "data that are missing"
    }
    return switch (try? value(of: property)) ?? .null {
    case .null: "nothing"
    case .string(let text): "\"\(text.prefix(80))\""
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .bool(let flag): flag ? "true" : "false"
    case .date(let date): date.ISO8601Format()
    case .uuid(let uuid): uuid.uuidString
    case .uri(let uri): uri.absoluteString
    case .data(let data): "\(data.count) bytes"
    case .object, .list, .dictionary: "…"
    }
  }
}

extension Row {
  /// The truth value of a comparison of a property with a constant, without a value of the property being
  /// made; nil where that cannot be decided.
  package func truth(of test: FieldTest, _ property: PropertyLayout) -> Ternary? {
    guard property.slot >= 0 else { return nil }
    switch property.kind {
    case .toOne, .toMany, .none, .uri, .uuid, .binary, .transformable, .composite, .undefined: return nil
    default: break
    }
    guard !block.isNull(index, property.slot) else { return test.missing }
    let word = block.word(index, property.slot)
    switch property.kind {
    case .int16, .int32, .int64: return test.truth(ofInteger: Int64(bitPattern: word))
    case .boolean: return test.truth(ofInteger: word == 0 ? 0 : 1)
    case .double, .float: return test.truth(ofDouble: Double(bitPattern: word))
    case .date: return test.truth(ofDate: Double(bitPattern: word))
    case .string: return unsafe test.truth(ofText: block.bytes(word))
    case .external: return block.externalSize(word).flatMap(test.truth(ofDataCount:))
    case .decimal:
      if let whole = block.decimalWhole(word) { return test.truth(ofWholeDecimal: whole) }
      return block.decimalDouble(word).flatMap { test.truth(ofDecimalNearest: $0) }
    default: return nil
    }
  }
}
