import Foundation
import GraphStoreSQLite

/// Copies the columns of a statement into rows, entity by entity, without making a value of any.
///
/// The statement gives `Z_PK`, `Z_ENT`, `Z_OPT` and then the given columns.
struct SQLiteRowDecoder {
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

  private struct EntityOperations {
    let plan: EntityPlan
    let operations: [Operation]
  }

  private var byNumber: [EntityOperations?] = []
  private let entityIndexByNumber: [Int: Int]
  private var blocks: [RowBlock?] = []

  init(schema: SQLSchema, plan: ModelPlan, entities: [SQLEntity], columns: [SQLColumn]) {
    var positions = [Int](repeating: -1, count: columns.first?.table.columns.count ?? 0)
    for (position, column) in columns.enumerated() { positions[column.index] = position + 3 }
    var indexes: [Int: Int] = [:]
    for entity in schema.entities { indexes[entity.number] = entity.entity.index }
    entityIndexByNumber = indexes
    for entity in entities {
      while byNumber.count <= entity.number { byNumber.append(nil) }
      let entityPlan = plan.entities[entity.entity.index]
      byNumber[entity.number] = EntityOperations(
        plan: entityPlan,
        operations: entityPlan.properties.compactMap { property in
          Self.operation(property, entity.storage[property.number], positions, entityPlan)
        })
    }
    blocks = [RowBlock?](repeating: nil, count: byNumber.count)
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

  /// Reads the current row of a statement; nil where its entity number is not one of the expected.
  mutating func decode(_ statement: SQLiteStatement) throws -> (key: Int64, row: Row)? {
    let number = Int(statement.int64(at: 1))
    guard number > 0, number < byNumber.count, let entity = byNumber[number] else { return nil }
    let block = block(for: entity.plan, number)
    let row = block.appendRow(version: statement.int64(at: 2))
    for operation in entity.operations { try copy(operation, statement, block, row) }
    return (statement.int64(at: 0), Row(block: block, index: row))
  }

  private mutating func block(for plan: EntityPlan, _ number: Int) -> RowBlock {
    if let block = blocks[number], block.hasRoom { return block }
    let capacity = blocks[number].map { min($0.capacity * 4, RowBlock.capacity) } ?? 1
    let block = RowBlock(plan: plan, capacity: capacity)
    blocks[number] = block
    return block
  }

  @inline(__always)
  private func copy(_ operation: Operation, _ statement: SQLiteStatement, _ block: RowBlock, _ row: Int)
    throws
  {
    let (column, slot) = (operation.column, operation.slot)
    if statement.isNull(at: column) { return }
    switch operation.form {
    case .integer: block.setWord(row, slot, UInt64(bitPattern: statement.int64(at: column)))
    case .double: block.setWord(row, slot, statement.double(at: column).bitPattern)
    case .text: block.setBytes(row, slot, statement.text(at: column))
    case .blob: block.setBytes(row, slot, statement.blob(at: column).bindMemory(to: UInt8.self))
    case .decimal: copyDecimal(statement, column, block, row, slot)
    case .reference(let entity):
      setReference(entity, statement.int64(at: column), block, row, slot)
    case .typedReference(let entityColumn, let otherwise):
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
    case .integer: block.setDecimal(row, slot, whole: statement.int64(at: column))
    case .real: block.setDecimal(row, slot, double: statement.double(at: column))
    default:
      let text = String(decoding: statement.blob(at: column), as: UTF8.self)
      if let value = Decimal(string: text, locale: nil) { block.setDecimal(row, slot, value) }
    }
  }
}
