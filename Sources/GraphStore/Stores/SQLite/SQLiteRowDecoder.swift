import Foundation
import GraphStoreSQLite

/// Copies the columns of a statement into rows, entity by entity, without making a value of any.
///
/// The statement gives `Z_PK`, `Z_ENT`, `Z_OPT` and then the given columns.
final class SQLiteRowDecoder {
  /// What is done with one column of a row of one entity.
  private struct Operation {
    enum Form {
      case integer
      case double
      case text
      case blob
      case decimal
      /// The key of a destination whose entity is known.
      case reference(entity: Int)
      /// The key of a destination whose entity number is in another column.
      case typedReference(entityColumn: Int, otherwise: Int)
    }

    let column: Int
    let slot: Int
    let form: Form
  }

  /// How rows of one entity are read, and the block that takes them at the moment.
  private final class Shape {
    let plan: EntityPlan
    let operations: [Operation]
    @exclusivity(unchecked) private var block: RowBlock

    init(plan: EntityPlan, operations: [Operation]) {
      self.plan = plan
      self.operations = operations
      block = RowBlock(plan: plan, capacity: 1)
    }

    /// A block with room for another row; the first ones are small, since many fetches give few rows.
    @inline(__always)
    func roomyBlock() -> RowBlock {
      if !block.hasRoom {
        block = RowBlock(plan: plan, capacity: min(block.capacity * 4, RowBlock.capacity))
      }
      return block
    }
  }

  /// By entity number; nil for numbers that are not expected.
  private var shapes: [Shape?] = []
  private let entityIndexByNumber: [Int: Int]

  init(schema: SQLSchema, plan: ModelPlan, entities: [SQLEntity], columns: [SQLColumn]) {
    var positions = [Int](repeating: -1, count: columns.first?.table.columns.count ?? 0)
    for (position, column) in columns.enumerated() { positions[column.index] = position + 3 }
    var indexes: [Int: Int] = [:]
    for entity in schema.entities { indexes[entity.number] = entity.entity.index }
    entityIndexByNumber = indexes
    for entity in entities {
      while shapes.count <= entity.number { shapes.append(nil) }
      let entityPlan = plan.entities[entity.entity.index]
      shapes[entity.number] = Shape(
        plan: entityPlan,
        operations: entityPlan.properties.compactMap { property in
          Self.operation(property, entity.storage[property.number], positions, entityPlan)
        })
    }
  }

  private static func operation(
    _ property: PropertyPlan, _ storage: SQLPropertyStorage, _ positions: [Int], _ plan: EntityPlan
  ) -> Operation? {
    guard property.slot >= 0 else { return nil }
    switch storage {
    case .attribute(let column):
      return Operation(column: positions[column.index], slot: property.slot, form: form(property.kind))
    case .toOne(let key, let entity, _):
      let destination = plan.relationships[property.relationship].destination
      let form: Operation.Form =
        entity.map { .typedReference(entityColumn: positions[$0.index], otherwise: destination) }
        ?? .reference(entity: destination)
      return Operation(column: positions[key.index], slot: property.slot, form: form)
    case .none, .toManyInverse, .joinTable: return nil
    }
  }

  private static func form(_ kind: SlotKind) -> Operation.Form {
    switch kind {
    case .double, .float, .date: .double
    case .string, .uri: .text
    case .uuid, .binary: .blob
    case .decimal: .decimal
    default: .integer
    }
  }

  /// Reads rows until a batch is full; false at the end. Rows of entity numbers that are not expected are left out.
  func fill(_ batch: RowBatch, from statement: SQLiteStatement) throws -> Bool {
    while !batch.isFull {
      guard try statement.step() else { return false }
      let number = Int(statement.int64(at: 1))
      guard number > 0, number < shapes.count, let shape = shapes[number] else { continue }
      let block = shape.roomyBlock()
      let row = block.appendRow(version: statement.int64(at: 2))
      for operation in shape.operations { copy(operation, statement, block, row) }
      batch.append(statement.int64(at: 0), block, row)
    }
    return true
  }

  /// Copies one column; a number other than 0 cannot be a NULL, so that only for 0 this is asked.
  @inline(__always)
  private func copy(_ operation: Operation, _ statement: SQLiteStatement, _ block: RowBlock, _ row: Int) {
    let (column, slot) = (operation.column, operation.slot)
    switch operation.form {
    case .integer:
      let value = statement.int64(at: column)
      if value == 0, statement.isNull(at: column) { return }
      block.setWord(row, slot, UInt64(bitPattern: value))
    case .double:
      let value = statement.double(at: column)
      if value == 0, statement.isNull(at: column) { return }
      block.setWord(row, slot, value.bitPattern)
    case .text:
      let text = statement.text(at: column)
      if text.baseAddress == nil { return }
      block.setBytes(row, slot, text)
    case .blob:
      if statement.isNull(at: column) { return }
      block.setBytes(row, slot, statement.blob(at: column).bindMemory(to: UInt8.self))
    case .decimal: copyDecimal(statement, column, block, row, slot)
    case .reference(let entity):
      setReference(entity, statement.int64(at: column), block, row, slot)
    case .typedReference(let entityColumn, let otherwise):
      if statement.isNull(at: column) { return }
      let number = Int(statement.int64(at: entityColumn))
      setReference(entityIndexByNumber[number] ?? otherwise, statement.int64(at: column), block, row, slot)
    }
  }

  private func setReference(_ entity: Int, _ key: Int64, _ block: RowBlock, _ row: Int, _ slot: Int) {
    guard key > 0, ObjectReferenceWord.keyRange.contains(key) else { return }
    block.setWord(row, slot, ObjectReferenceWord(entity: entity, key: key).bits)
  }

  private func copyDecimal(
    _ statement: SQLiteStatement, _ column: Int, _ block: RowBlock, _ row: Int, _ slot: Int
  ) {
    switch statement.type(at: column) {
    case .null: return
    case .integer: block.setDecimal(row, slot, whole: statement.int64(at: column))
    case .real: block.setDecimal(row, slot, double: statement.double(at: column))
    default:
      let text = String(decoding: statement.blob(at: column), as: UTF8.self)
      if let value = Decimal(string: text, locale: nil) { block.setDecimal(row, slot, value) }
    }
  }
}
