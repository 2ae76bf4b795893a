#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel

/// Copies the rows of a statement into blocks, entity by entity, without making a value of any.
///
/// The statement returns key, entity number and version, and then the requested columns.
@safe final class PostgreSQLRowDecoder: SQLRowDecoder {
  /// Operation on one column of a row of one entity.
  private struct Operation {
    enum Form {
      case integer
      case double
      case bytes
      /// Data with external storage, which the row has after a prefix.
      case external
      case decimal
      /// The key of a destination whose entity is known.
      case reference(entity: Int)
      /// The key of a destination whose entity number is in another column.
      case typedReference(entityColumn: Int, otherwise: Int, family: Range<Int>)
    }

    let form: Form
    /// The position of the property or element among ``EntityLayout/leaves``.
    let leaf: Int
    let column: Int
    let slot: Int
  }

  /// Reading of the rows of one entity, with the block that takes them now.
  @safe private final class Shape {
    /// Beyond this a tail grows as it is filled.
    private static let longestExpectedTail = 1 << 16

    let layout: EntityLayout
    let operations: [Operation]
    @safe @exclusivity(unchecked) private var block: RowBlock
    @safe @exclusivity(unchecked) private var rowsOfBatch = 0
    @safe @exclusivity(unchecked) private var lastBatch = 0

    init(layout: EntityLayout, operations: [Operation]) {
      self.layout = layout
      self.operations = operations
      block = RowBlock(layout: layout, capacity: 1)
    }

    /// A block with room for another row; the first ones are small, since many fetches return few rows.
    func roomyBlock() -> RowBlock {
      if !block.hasRoom || block.isShared { beginBlock() }
      rowsOfBatch += 1
      return block
    }

    private func beginBlock() {
      let capacity = block.isShared && rowsOfBatch == 0 ? lastBatch : block.capacity * 4
      let rows = min(capacity, RowBlock.capacity)
      let tail = block.count > 0 ? block.tailCount / block.count * rows * 5 / 4 : 0
      block = RowBlock(
        layout: layout, capacity: rows, expectedTail: min(max(tail, 64), Self.longestExpectedTail))
    }

    /// Records that the rows so far are handed over: another one might move the tail, which others may be
    /// reading.
    func endBatch() {
      guard rowsOfBatch > 0 else { return }
      lastBatch = rowsOfBatch
      rowsOfBatch = 0
      if block.tailCount > 0 { block.isShared = true }
    }
  }

  /// By entity number.
  private let shapes: [Int: Shape]
  private let schema: SQLSchema
  private let rootName: String
  @safe @exclusivity(unchecked) private var lastNumber = -1
  @safe @exclusivity(unchecked) private var lastShape: Shape?

  init(schema: SQLSchema, layout: ModelLayout, entities: [SQLEntity], columns: [SQLColumn]) {
    self.schema = schema
    var positions = [Int](repeating: -1, count: entities.first?.table.columns.count ?? 0)
    for (position, column) in columns.enumerated() { positions[column.index] = position + 3 }
    rootName = entities.first?.entity.rootEntity.name ?? ""
    var shapes: [Int: Shape] = [:]
    for entity in entities where entity.number > 0 {
      let entityLayout = layout.entities[entity.entity.index]
      shapes[entity.number] = Shape(
        layout: entityLayout,
        operations: entityLayout.leaves.indices.compactMap {
          Self.operation(for: $0, of: entityLayout, in: entity, positions: positions)
        })
    }
    self.shapes = shapes
  }

  private static func operation(
    for leaf: Int, of layout: EntityLayout, in entity: SQLEntity, positions: [Int]
  ) -> Operation? {
    let property = layout.leaves[leaf]
    let storage =
      property.path.isEmpty
      ? entity.storage[property.number]
      : entity.column(ofElement: property.path).map { .attribute($0) } ?? .none
    switch storage {
    case .attribute(let column):
      guard positions[column.index] >= 0 else { return nil }
      return Operation(
        form: form(property.kind), leaf: leaf, column: positions[column.index], slot: property.slot)
    case .toOne(let key, let entity, _):
      guard positions[key.index] >= 0 else { return nil }
      let destination = layout.relationships[property.relationship].destinationEntity
      let form: Operation.Form =
        entity.map {
          .typedReference(
            entityColumn: positions[$0.index], otherwise: destination.index, family: destination.familyRange)
        } ?? .reference(entity: destination.index)
      return Operation(form: form, leaf: leaf, column: positions[key.index], slot: property.slot)
    case .none, .toManyInverse, .joinTable: return nil
    }
  }

  private static func form(_ kind: SlotKind) -> Operation.Form {
    switch kind {
    case .double, .float, .date: .double
    case .string, .uri, .uuid, .binary, .transformable: .bytes
    case .external: .external
    case .decimal: .decimal
    default: .integer
    }
  }

  /// Reads rows until a batch is full; false at the end.
  ///
  /// - Throws: `store-corrupt` for a row with an entity number that is not expected, or with a key, version,
  ///   reference or decimal that none can have.
  func fill(
    _ batch: RowBatch, from cursor: PostgreSQLCursor, where isWanted: (PostgreSQLCursor) throws -> Bool
  ) throws -> Bool {
    defer { for shape in shapes.values { shape.endBatch() } }
    while !batch.isFull {
      guard try cursor.step() else { return false }
      guard try isWanted(cursor) else { continue }
      try read(cursor, into: batch)
    }
    return true
  }

  private func read(_ cursor: PostgreSQLCursor, into batch: RowBatch) throws {
    let number = Int(cursor.int64(at: 1))
    let key = cursor.int64(at: 0)
    if number != lastNumber {
      guard let shape = shapes[number] else {
        throw StoredKey.error(entityNumber: Int64(number), of: rootName, key: key)
      }
      (lastNumber, lastShape) = (number, shape)
    }
    guard let shape = lastShape else { return }
    let block = shape.roomyBlock()
    let version = cursor.int64(at: 2)
    guard StoredKey.keys.contains(key) else { throw StoredKey.error(key: key, of: shape.layout.entity.name) }
    guard version <= StoredKey.versions.upperBound else {
      throw StoredKey.error(version: version, of: shape.layout.entity.name, key: key)
    }
    let row = block.appendRow(version: version)
    for operation in shape.operations where !cursor.isNull(at: operation.column) {
      try copy(operation, cursor, shape.layout, block, row)
    }
    batch.append(key, block, row)
  }

  private func copy(
    _ operation: Operation, _ cursor: PostgreSQLCursor, _ layout: EntityLayout, _ block: RowBlock, _ row: Int
  ) throws {
    let (column, slot) = (operation.column, operation.slot)
    switch operation.form {
    case .integer: block.setWord(row, slot, UInt64(bitPattern: cursor.presentInt64(at: column)))
    case .double: block.setWord(row, slot, cursor.presentDouble(at: column).bitPattern)
    case .bytes: unsafe block.setBytes(row, slot, cursor.bytes(at: column))
    case .external:
      unsafe block.setBytes(row, slot, [ExternalColumn.inlinePrefix] + Array(cursor.bytes(at: column)))
    case .decimal: try copyDecimal(operation, cursor, layout, block, row)
    case .reference(let entity): try setReference(entity, operation, cursor, layout, block, row)
    case .typedReference(let entityColumn, let otherwise, let family):
      let named = schema.entity(numbered: Int(cursor.int64(at: entityColumn)))?.entity
      let isFitting = named.map { family.contains($0.familyRange.lowerBound) } ?? false
      try setReference(
        isFitting ? named?.index ?? otherwise : otherwise, operation, cursor, layout, block, row)
    }
  }

  private func copyDecimal(
    _ operation: Operation, _ cursor: PostgreSQLCursor, _ layout: EntityLayout, _ block: RowBlock, _ row: Int
  ) throws {
    let column = operation.column
    guard cursor.types[column] == PostgreSQLTypeNumber.numeric else {
      return block.setDecimal(row, operation.slot, whole: cursor.int64(at: column))
    }
    let numeral = unsafe PostgreSQLNumeric(binary: cursor.bytes(at: column))?.numeral
    if let whole = numeral?.wholeNumber { return block.setDecimal(row, operation.slot, whole: whole) }
    guard let value = numeral?.decimal else {
      throw StoredKey.error(
        decimal: cursor.describe(at: column), in: layout.leaves[operation.leaf].name,
        of: layout.entity.name, key: cursor.int64(at: 0))
    }
    block.setDecimal(row, operation.slot, value)
  }

  private func setReference(
    _ entity: Int, _ operation: Operation, _ cursor: PostgreSQLCursor, _ layout: EntityLayout,
    _ block: RowBlock, _ row: Int
  ) throws {
    let key = cursor.int64(at: operation.column)
    guard StoredKey.keys.contains(key) else {
      throw StoredKey.error(
        reference: key, in: layout.leaves[operation.leaf].name, of: layout.entity.name,
        key: cursor.int64(at: 0))
    }
    block.setWord(row, operation.slot, PackedReference(entity: entity, key: key).bits)
  }
}
#endif
