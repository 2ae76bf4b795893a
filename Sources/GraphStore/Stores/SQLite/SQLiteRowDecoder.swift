import Foundation
import GraphStoreSQLite

/// Copies the columns of a statement into rows, entity by entity, without making a value of any.
///
/// The statement gives `Z_PK`, `Z_ENT`, `Z_OPT` and then the given columns.
final class SQLiteRowDecoder {
  /// What is done with neighbouring columns of a row of one entity, whose values go to neighbouring slots.
  private struct Operation {
    enum Form: Equatable {
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

    let form: Form
    let column: Int
    let slot: Int
    var count = 1

    func isContinued(by next: Operation) -> Bool {
      switch form {
      case .integer, .double: form == next.form && column + count == next.column && slot + count == next.slot
      default: false
      }
    }
  }

  /// How rows of one entity are read, and the block that takes them at the moment.
  private final class Shape {
    /// Beyond this a tail grows as it is filled.
    private static let longestExpectedTail = 1 << 16

    let plan: EntityPlan
    let operations: UnsafeMutableBufferPointer<Operation>
    /// Retained, without a reference count for each row.
    @exclusivity(unchecked) private var block: Unmanaged<RowBlock>
    @exclusivity(unchecked) private var rowsOfBatch = 0
    @exclusivity(unchecked) private var lastBatch = 0

    init(plan: EntityPlan, operations: [Operation]) {
      self.plan = plan
      var joined: [Operation] = []
      for operation in operations {
        if let last = joined.last, last.isContinued(by: operation) {
          joined[joined.count - 1].count += 1
        } else {
          joined.append(operation)
        }
      }
      self.operations = .allocate(capacity: joined.count)
      _ = self.operations.initialize(from: joined)
      block = .passRetained(RowBlock(plan: plan, capacity: 1))
    }

    deinit {
      operations.deinitialize()
      operations.deallocate()
      block.release()
    }

    /// A block with room for another row; the first ones are small, since many fetches give few rows.
    @inline(__always)
    func roomyBlock() -> Unmanaged<RowBlock> {
      if block._withUnsafeGuaranteedRef({ !$0.hasRoom || $0.isShared }) { beginBlock() }
      rowsOfBatch += 1
      return block
    }

    @inline(never)
    private func beginBlock() {
      let former = block.takeRetainedValue()
      let capacity = former.isShared && rowsOfBatch == 0 ? lastBatch : former.capacity * 4
      let rows = min(capacity, RowBlock.capacity)
      // As much as the rows so far had, and a little more.
      let tail = former.count > 0 ? former.tailCount / former.count * rows * 5 / 4 : 0
      block = .passRetained(
        RowBlock(plan: plan, capacity: rows, expectedTail: min(max(tail, 64), Self.longestExpectedTail)))
    }

    /// Takes note that the rows so far are handed over: another one might move the tail, which others may be reading.
    func endBatch() {
      guard rowsOfBatch > 0 else { return }
      lastBatch = rowsOfBatch
      rowsOfBatch = 0
      block._withUnsafeGuaranteedRef { if $0.tailCount > 0 { $0.isShared = true } }
    }
  }

  /// What is done about rows of entity numbers that are not expected.
  enum Strangers {
    /// They are left out: other entities' rows among those of a fetch.
    case leaveOut
    /// They are refused, since the row was named by its key.
    case refuse((_ number: Int, _ key: Int64) -> any Error)
  }

  private let strangers: Strangers
  /// By entity number; nil for numbers that are not expected.
  private let shapes: [Shape?]
  private let entityIndexByNumber: [Int: Int]

  init(
    schema: SQLSchema, plan: ModelPlan, entities: [SQLEntity], columns: [SQLColumn],
    strangers: Strangers = .leaveOut
  ) {
    self.strangers = strangers
    var positions = [Int](repeating: -1, count: columns.first?.table.columns.count ?? 0)
    for (position, column) in columns.enumerated() { positions[column.index] = position + 3 }
    var indexes: [Int: Int] = [:]
    for entity in schema.numberedEntities { indexes[entity.number] = entity.entity.index }
    entityIndexByNumber = indexes
    var shapes: [Shape?] = []
    for entity in entities where entity.number > 0 {
      while shapes.count <= entity.number { shapes.append(nil) }
      let entityPlan = plan.entities[entity.entity.index]
      shapes[entity.number] = Shape(
        plan: entityPlan,
        operations: entityPlan.properties.compactMap { property in
          Self.operation(property, entity.storage[property.number], positions, entityPlan)
        })
    }
    self.shapes = shapes
  }

  private static func operation(
    _ property: PropertyPlan, _ storage: SQLPropertyStorage, _ positions: [Int], _ plan: EntityPlan
  ) -> Operation? {
    guard property.slot >= 0 else { return nil }
    switch storage {
    case .attribute(let column):
      return Operation(form: form(property.kind), column: positions[column.index], slot: property.slot)
    case .toOne(let key, let entity, _):
      let destination = plan.relationships[property.relationship].destination
      let form: Operation.Form =
        entity.map { .typedReference(entityColumn: positions[$0.index], otherwise: destination) }
        ?? .reference(entity: destination)
      return Operation(form: form, column: positions[key.index], slot: property.slot)
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

  /// Reads rows until a batch is full; false at the end.
  func fill(_ batch: RowBatch, from statement: SQLiteStatement) throws -> Bool {
    defer { for shape in shapes { shape?.endBatch() } }
    return try shapes.withUnsafeBufferPointer { shapes in
      while !batch.isFull {
        guard try statement.step() else { return false }
        let number = Int(statement.int64(at: 1))
        guard number > 0, number < shapes.count, let shape = shapes[number] else {
          if case .refuse(let error) = strangers { throw error(number, statement.int64(at: 0)) }
          continue
        }
        Unmanaged.passUnretained(shape)._withUnsafeGuaranteedRef { read(statement, $0, into: batch) }
      }
      return true
    }
  }

  /// Copies the row that the statement stands on.
  @inline(__always)
  private func read(_ statement: SQLiteStatement, _ shape: Shape, into batch: RowBatch) {
    shape.roomyBlock()._withUnsafeGuaranteedRef { block in
      let row = block.appendRow(version: statement.int64(at: 2))
      let values = block.values(row)
      for operation in UnsafeBufferPointer(shape.operations) {
        switch operation.form {
        case .integer: copyIntegers(operation, statement, values)
        case .double: copyDoubles(operation, statement, values)
        default: copy(operation, statement, block, row)
        }
      }
      batch.append(statement.int64(at: 0), block, row)
    }
  }

  /// A number other than 0 cannot be a NULL, so that only for 0 this is asked.
  @inline(__always)
  private func copyIntegers(
    _ operation: Operation, _ statement: SQLiteStatement, _ values: UnsafeMutablePointer<UInt64>
  ) {
    for offset in 0..<operation.count {
      let value = statement.int64(at: operation.column + offset)
      if value == 0, statement.isNull(at: operation.column + offset) { continue }
      values.setWord(operation.slot + offset, UInt64(bitPattern: value))
    }
  }

  @inline(__always)
  private func copyDoubles(
    _ operation: Operation, _ statement: SQLiteStatement, _ values: UnsafeMutablePointer<UInt64>
  ) {
    for offset in 0..<operation.count {
      let value = statement.double(at: operation.column + offset)
      if value == 0, statement.isNull(at: operation.column + offset) { continue }
      values.setWord(operation.slot + offset, value.bitPattern)
    }
  }

  @inline(__always)
  private func copy(_ operation: Operation, _ statement: SQLiteStatement, _ block: RowBlock, _ row: Int) {
    let (column, slot) = (operation.column, operation.slot)
    switch operation.form {
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
    case .integer, .double: return
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
