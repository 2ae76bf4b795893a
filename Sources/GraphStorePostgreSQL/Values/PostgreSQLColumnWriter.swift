#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel

/// Collects the values of one column of many rows as an array.
struct PostgreSQLColumnWriter {
  let column: SQLColumn
  private let property: PropertyLayout
  private let numbers: [Int64]
  private let keys: PermanentKeyMap
  private(set) var array: PostgreSQLParameterArray

  /// - Parameter array: The values of other rows, which these follow.
  /// - Returns: Nil for a column that rows of the layout have no values of.
  init?(
    _ column: SQLColumn, of layout: EntityLayout, schema: SQLSchema, keys: PermanentKeyMap, capacity: Int,
    continuing array: PostgreSQLParameterArray? = nil
  ) {
    guard let property = layout.leaf(of: column) else { return nil }
    self.column = column
    self.property = property
    self.keys = keys
    numbers = column.kind == .toOneEntity ? schema.entities.map { Int64($0.number) } : []
    self.array = array ?? PostgreSQLParameterArray(of: Self.elementType(column.kind), capacity: capacity)
  }

  /// The type in which values of a kind are sent; the column's own may be narrower.
  static func elementType(_ kind: SQLColumn.Kind) -> UInt32 {
    switch kind {
    case .integer, .toOneKey, .toOneEntity, .orderKey, .ownerKey: PostgreSQLTypeNumber.int8
    case .boolean: PostgreSQLTypeNumber.bool
    case .float, .double, .date: PostgreSQLTypeNumber.float8
    case .decimal: PostgreSQLTypeNumber.numeric
    case .string, .uri: PostgreSQLTypeNumber.text
    case .uuid: PostgreSQLTypeNumber.uuid
    case .transformable, .binary: PostgreSQLTypeNumber.bytea
    }
  }

  /// - Throws: `value-type` for a text with a NUL, `external-data-missing`.
  mutating func append(_ row: Row) throws {
    let (block, index, slot) = (row.block, row.index, property.slot)
    if block.isNull(index, slot) { return array.appendNull() }
    switch property.kind {
    case .int16, .int32, .int64: array.append(Int64(bitPattern: block.word(index, slot)))
    case .boolean:
      let word = block.word(index, slot)
      array.elementType == PostgreSQLTypeNumber.bool ? array.append(word != 0) : array.append(Int64(word))
    case .double, .float, .date: array.append(Double(bitPattern: block.word(index, slot)))
    case .string, .uri: unsafe try appendText(unsafe block.bytes(index, slot))
    case .uuid, .binary, .transformable: unsafe array.append(block.bytes(index, slot))
    case .external: array.append(try row.externalData(of: property))
    case .decimal: array.append(PostgreSQLNumeric(block.decimal(index, slot)).bytes)
    case .toOne:
      let reference = PackedReference(bits: block.word(index, slot))
      array.append(
        column.kind == .toOneEntity ? numbers[reference.entity] : keys[reference.key])
    case .toMany, .none, .composite, .undefined: array.appendNull()
    }
  }

  private mutating func appendText(_ text: UnsafeBufferPointer<UInt8>) throws {
    if unsafe text.contains(0) {
      throw GraphStoreError(
        .valueType, "\(property.name) has a text with a NUL character, which PostgreSQL cannot store.",
        remedy: "Take the character out, or make the attribute binary; nothing was written.",
        entity: column.entity.entity.name, property: property.name)
    }
    unsafe array.append(text)
  }
}
#endif
