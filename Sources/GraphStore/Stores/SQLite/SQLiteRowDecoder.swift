import Foundation
import GraphStoreModel
import GraphStoreSQLite

/// Copies the columns of a statement into rows, entity by entity, without making a value of any.
///
/// The statement returns `Z_PK`, `Z_ENT`, `Z_OPT` and then the requested columns.
final class SQLiteRowDecoder: SQLRowDecoder {
  /// Operation on neighbouring columns of a row of one entity, whose values are stored in neighbouring slots.
  private struct Operation {
    enum Form: Equatable {
      case integer
      case double
      case date
      case text
      case blob
      /// Binary data of a store without prefixes, which the row has.
      case unprefixed
      case decimal
      /// The key of a destination whose entity is known.
      case reference(entity: Int)
      /// The key of a destination whose entity number is in another column: that of an entity of the family
      /// of the relationship's destination, as their places depth first.
      case typedReference(entityColumn: Int32, otherwise: Int32, family: Range<Int32>)
    }

    let form: Form
    /// The position of the property or element among ``EntityLayout/leaves``.
    let leaf: Int
    let column: Int
    let slot: Int
    var count = 1

    func isContinued(by next: Operation) -> Bool {
      switch form {
      case .integer, .double, .date:
        form == next.form && column + count == next.column && slot + count == next.slot
      default: false
      }
    }
  }

  /// Reading of the rows of one entity, with the block that takes them now.
  @safe private final class Shape {
    /// Beyond this a tail grows as it is filled.
    private static let longestExpectedTail = 1 << 16

    let layout: EntityLayout
    /// The location of data that rows reference by their files.
    private let externalData: ExternalDataTable?
    let operations: UnsafeMutableBufferPointer<Operation>
    /// Retained, without a reference count for each row.
    @exclusivity(unchecked) private var block: Unmanaged<RowBlock>
    @safe @exclusivity(unchecked) private var rowsOfBatch = 0
    @safe @exclusivity(unchecked) private var lastBatch = 0

    init(layout: EntityLayout, operations: [Operation], externalData: ExternalDataTable) {
      self.layout = layout
      self.externalData = layout.hasExternalData ? externalData : nil
      var joined: [Operation] = []
      for operation in operations {
        if let last = joined.last, last.isContinued(by: operation) {
          joined[joined.count - 1].count += 1
        } else {
          joined.append(operation)
        }
      }
      unsafe self.operations = .allocate(capacity: joined.count)
      _ = unsafe self.operations.initialize(from: joined)
      let first = RowBlock(layout: layout, capacity: 1)
      first.externalData = self.externalData
      unsafe block = unsafe .passRetained(first)
    }

    deinit {
      unsafe operations.deinitialize()
      unsafe operations.deallocate()
      unsafe block.release()
    }

    /// A block with room for another row; the first ones are small, since many fetches return few rows.
    @inline(__always)
    func roomyBlock() -> Unmanaged<RowBlock> {
      if unsafe block._withUnsafeGuaranteedRef({ !$0.hasRoom || $0.isShared }) { beginBlock() }
      rowsOfBatch += 1
      return unsafe block
    }

    @inline(never)
    private func beginBlock() {
      let former = unsafe block.takeRetainedValue()
      let capacity = former.isShared && rowsOfBatch == 0 ? lastBatch : former.capacity * 4
      let rows = min(capacity, RowBlock.capacity)
      // As much as the rows so far had, and a little more.
      let tail = former.count > 0 ? former.tailCount / former.count * rows * 5 / 4 : 0
      let next = RowBlock(
        layout: layout, capacity: rows, expectedTail: min(max(tail, 64), Self.longestExpectedTail))
      next.externalData = externalData
      unsafe block = unsafe .passRetained(next)
    }

    /// Records that the rows so far are handed over: another one might move the tail, which others may be
    /// reading.
    func endBatch() {
      guard rowsOfBatch > 0 else { return }
      lastBatch = rowsOfBatch
      rowsOfBatch = 0
      unsafe block._withUnsafeGuaranteedRef { if $0.tailCount > 0 { $0.isShared = true } }
    }
  }

  /// An entity that a number beside a reference names.
  private struct NumberedEntity {
    let index: Int
    /// Its place among the model's entities depth first, where a family lies side by side.
    let place: Int32

    init(_ entity: EntityDescription) {
      index = entity.index
      place = Int32(entity.familyRange.lowerBound)
    }
  }

  /// Numbers up to here are looked up in a list: stores number their entities from 1, damaged ones may have
  /// any number.
  private static let listedNumbers = 1 << 14

  /// By entity number; nil for numbers that are not expected.
  private let shapes: [Shape?]
  /// Those of greater numbers.
  private let otherShapes: [Int: Shape]
  private let entitiesByNumber: [Int: NumberedEntity]
  private let rootName: String
  /// Where the entities of records are looked up to which a reference has no known one; nil where that is
  /// left.
  private let recordEntities: SQLiteRecordEntities?
  /// The error of the first damaged row of a batch.
  private var failure: GraphStoreError?

  convenience init(
    store: SQLiteStore, entities: [SQLEntity], columns: [SQLColumn], connection: SQLiteConnection
  ) {
    self.init(
      schema: store.schema, layout: store.layout, entities: entities, columns: columns,
      externalStorage: store.externalStorage, externalData: store.externalDataTable,
      recordEntities: SQLiteRecordEntities(connection: connection, statements: store.statements))
  }

  init(
    schema: SQLSchema, layout: ModelLayout, entities: [SQLEntity], columns: [SQLColumn],
    externalStorage: ExternalStorage, externalData: ExternalDataTable,
    recordEntities: SQLiteRecordEntities? = nil
  ) {
    self.recordEntities = recordEntities
    var positions = [Int](repeating: -1, count: entities.first?.table.columns.count ?? 0)
    for (position, column) in columns.enumerated() { positions[column.index] = position + 3 }
    var numbered: [Int: NumberedEntity] = [:]
    for entity in schema.numberedEntities { numbered[entity.number] = NumberedEntity(entity.entity) }
    entitiesByNumber = numbered
    rootName = entities.first?.entity.rootEntity.name ?? ""
    let listed = entities.map(\.number).filter { $0 <= Self.listedNumbers }.max() ?? 0
    var shapes = [Shape?](repeating: nil, count: listed + 1)
    var otherShapes: [Int: Shape] = [:]
    for entity in entities where entity.number > 0 {
      let entityLayout = layout.entities[entity.entity.index]
      let shape = Shape(
        layout: entityLayout,
        operations: entityLayout.leaves.indices.compactMap { leaf in
          Self.operation(
            for: leaf, of: entityLayout, in: entity, positions: positions, storage: externalStorage)
        }, externalData: externalData)
      if entity.number <= listed { shapes[entity.number] = shape } else { otherShapes[entity.number] = shape }
    }
    self.shapes = shapes
    self.otherShapes = otherShapes
  }

  private static func storage(of property: PropertyLayout, _ entity: SQLEntity) -> SQLPropertyStorage {
    guard !property.path.isEmpty else { return entity.storage[property.number] }
    return entity.column(ofElement: property.path).map { .attribute($0) } ?? .none
  }

  private static func operation(
    for leaf: Int, of layout: EntityLayout, in entity: SQLEntity, positions: [Int],
    storage externalStorage: ExternalStorage
  ) -> Operation? {
    let property = layout.leaves[leaf]
    switch storage(of: property, entity) {
    case .attribute(let column):
      // Column not selected by `partialRows`.
      guard positions[column.index] >= 0 else { return nil }
      return Operation(
        form: form(property.kind, externalStorage), leaf: leaf, column: positions[column.index],
        slot: property.slot)
    case .toOne(let key, let entity, _):
      guard positions[key.index] >= 0 else { return nil }
      let destination = layout.relationships[property.relationship].destinationEntity
      let form: Operation.Form =
        entity.map {
          let family = destination.familyRange
          return .typedReference(
            entityColumn: Int32(positions[$0.index]), otherwise: Int32(destination.index),
            family: Int32(family.lowerBound)..<Int32(family.upperBound))
        } ?? .reference(entity: destination.index)
      return Operation(form: form, leaf: leaf, column: positions[key.index], slot: property.slot)
    case .none, .toManyInverse, .joinTable: return nil
    }
  }

  private static func form(_ kind: SlotKind, _ externalStorage: ExternalStorage) -> Operation.Form {
    if kind == .external, case .unprefixed = externalStorage { return .unprefixed }
    return switch kind {
    case .double, .float: .double
    case .date: .date
    case .string, .uri: .text
    case .uuid, .binary, .transformable, .external: .blob
    case .decimal: .decimal
    default: .integer
    }
  }

  /// Reads rows until a batch is full; false at the end.
  ///
  /// - Throws: `store-corrupt` for a row with an entity number that is not expected, or with a key, version,
  ///   reference, decimal or number that none can have.
  func fill(_ batch: RowBatch, from statement: SQLiteStatement) throws -> Bool {
    try fill(batch, from: statement) { _ in true }
  }

  /// Reads a batch of those rows alone that are wanted.
  @inline(__always)
  func fill(
    _ batch: RowBatch, from statement: SQLiteStatement, where isWanted: (SQLiteStatement) throws -> Bool
  ) throws -> Bool {
    defer {
      for shape in shapes { shape?.endBatch() }
      for shape in otherShapes.values { shape.endBatch() }
    }
    let hasMore = try unsafe shapes.withUnsafeBufferPointer { shapes in
      while !batch.isFull {
        guard try statement.step() else { return false }
        guard try isWanted(statement) else { continue }
        let number = Int(statement.int64(at: 1))
        guard number > 0, let shape = unsafe number < shapes.count ? shapes[number] : otherShapes[number]
        else {
          recordEntityNumber(statement)
          continue
        }
        unsafe Unmanaged.passUnretained(shape)._withUnsafeGuaranteedRef { read(statement, $0, into: batch) }
      }
      return true
    }
    if let failure {
      self.failure = nil
      throw failure
    }
    return hasMore
  }

  /// Copies the row that the statement is at.
  @inline(__always)
  private func read(_ statement: SQLiteStatement, _ shape: Shape, into batch: RowBatch) {
    unsafe shape.roomyBlock()._withUnsafeGuaranteedRef { block in
      let version = statement.int64(at: 2)
      let row = block.appendRow(version: version)
      let values = unsafe block.values(row)
      let operations = unsafe UnsafeBufferPointer(shape.operations)
      for index in operations.indices {
        let operation = unsafe operations[index]
        switch operation.form {
        case .integer: unsafe copyIntegers(operation, statement, shape.layout, values)
        case .double: unsafe copyDoubles(operation, statement, shape.layout, values, suspects: 0)
        case .date: unsafe copyDoubles(operation, statement, shape.layout, values, suspects: Self.years)
        default: copy(operation, statement, shape.layout, block, row)
        }
      }
      let key = statement.int64(at: 0)
      if !StoredKey.keys.contains(key) || version > StoredKey.versions.upperBound {
        recordFailure(key: key, version: version, shape.layout)
      }
      batch.append(key, block, row)
    }
  }

  @inline(never)
  private func recordEntityNumber(_ statement: SQLiteStatement) {
    failure =
      failure
      ?? StoredKey.error(
        entityNumber: statement.int64(at: 1), of: rootName, key: statement.int64(at: 0))
  }

  @inline(never)
  private func recordFailure(key: Int64, version: Int64, _ layout: EntityLayout) {
    let name = layout.entity.name
    failure =
      failure
      ?? (StoredKey.keys.contains(key)
        ? StoredKey.error(version: version, of: name, key: key) : StoredKey.error(key: key, of: name))
  }

  /// Numbers as which SQLite reads the texts of dates, which begin with their year.
  private static let years = 9999.0

  /// A number other than 0 cannot be a NULL or any text, so that only for 0 this is asked.
  @inline(__always)
  private func copyIntegers(
    _ operation: Operation, _ statement: SQLiteStatement, _ layout: EntityLayout,
    _ values: UnsafeMutablePointer<UInt64>
  ) {
    for offset in 0..<operation.count {
      let value = statement.int64(at: operation.column + offset)
      if value == 0, !isNumber(operation, offset, statement, layout) { continue }
      unsafe values.setWord(operation.slot + offset, UInt64(bitPattern: value))
    }
  }

  /// - Parameter suspects: The magnitude up to which a number is looked at, which may be no number.
  @inline(__always)
  private func copyDoubles(
    _ operation: Operation, _ statement: SQLiteStatement, _ layout: EntityLayout,
    _ values: UnsafeMutablePointer<UInt64>, suspects: Double
  ) {
    for offset in 0..<operation.count {
      let value = statement.double(at: operation.column + offset)
      if value.magnitude <= suspects, !isNumber(operation, offset, statement, layout) { continue }
      unsafe values.setWord(operation.slot + offset, value.bitPattern)
    }
  }

  /// Whether a value is a number; one that is neither that nor missing is recorded as a failure (STO-328).
  @inline(__always)
  private func isNumber(
    _ operation: Operation, _ offset: Int, _ statement: SQLiteStatement, _ layout: EntityLayout
  ) -> Bool {
    switch statement.type(at: operation.column + offset) {
    case .integer, .real: return true
    case .null: return false
    case .text, .blob:
      recordNoNumber(operation, offset, statement, layout)
      return false
    }
  }

  @inline(never)
  private func recordNoNumber(
    _ operation: Operation, _ offset: Int, _ statement: SQLiteStatement, _ layout: EntityLayout
  ) {
    // The properties of neighbouring columns are neighbours in slots too.
    let slot = operation.slot + offset
    failure =
      failure
      ?? StoredKey.error(
        number: statement.describe(at: operation.column + offset),
        in: layout.leaves.first { $0.slot == slot }?.name ?? "", of: layout.entity.name,
        key: statement.int64(at: 0))
  }

  @inline(__always)
  private func copy(
    _ operation: Operation, _ statement: SQLiteStatement, _ layout: EntityLayout, _ block: RowBlock,
    _ row: Int
  ) {
    let (column, slot) = (operation.column, operation.slot)
    switch operation.form {
    case .text:
      let text = unsafe statement.text(at: column)
      if unsafe text.baseAddress == nil { return }
      unsafe block.setBytes(row, slot, text)
    case .blob:
      if statement.isNull(at: column) { return }
      unsafe block.setBytes(row, slot, statement.blob(at: column).bindMemory(to: UInt8.self))
    case .unprefixed:
      if statement.isNull(at: column) { return }
      let bytes = unsafe [ExternalColumn.inlinePrefix] + Array(statement.blob(at: column))
      block.setBytes(row, slot, bytes)
    case .decimal:
      if !copyDecimal(statement, column, block, row, slot) {
        recordFailure(of: operation, in: statement, layout: layout)
      }
    case .reference(let entity): setReference(entity, operation, statement, layout, block, row)
    case .typedReference(let entityColumn, let otherwise, let family):
      let number = Int(statement.int64(at: Int(entityColumn)))
      let entity =
        if let named = entitiesByNumber[number], family.contains(named.place) {
          named.index
        } else {
          recordedEntity(of: operation, in: statement, layout: layout, otherwise: Int(otherwise), family)
        }
      setReference(entity, operation, statement, layout, block, row)
    case .integer, .double, .date: return
    }
  }

  /// The entity of the record that a reference leads to beside which no entity of the destination's family is
  /// recorded (STO-237).
  @inline(never)
  private func recordedEntity(
    of operation: Operation, in statement: SQLiteStatement, layout: EntityLayout, otherwise: Int,
    _ family: Range<Int32>
  ) -> Int {
    let key = statement.int64(at: operation.column)
    guard StoredKey.keys.contains(key), let entity = recordEntities?.entity(of: key, near: otherwise) else {
      return otherwise
    }
    guard family.contains(NumberedEntity(entity).place) else {
      failure =
        failure
        ?? StoredKey.error(
          referenceTo: "\(entity.name)/p\(key)", in: layout.leaves[operation.leaf].name,
          of: layout.entity.name, key: statement.int64(at: 0))
      return otherwise
    }
    return entity.index
  }

  @inline(__always)
  private func setReference(
    _ entity: Int, _ operation: Operation, _ statement: SQLiteStatement, _ layout: EntityLayout,
    _ block: RowBlock,
    _ row: Int
  ) {
    let key = statement.int64(at: operation.column)
    guard StoredKey.keys.contains(key) else {
      if key != 0 || !statement.isNull(at: operation.column) {
        recordFailure(of: operation, in: statement, layout: layout)
      }
      return
    }
    block.setWord(row, operation.slot, PackedReference(entity: entity, key: key).bits)
  }

  /// Records a value that cannot be read.
  @inline(never)
  private func recordFailure(
    of operation: Operation, in statement: SQLiteStatement, layout: EntityLayout
  ) {
    let (name, property) = (layout.entity.name, layout.leaves[operation.leaf].name)
    let key = statement.int64(at: 0)
    failure =
      failure
      ?? (operation.form == .decimal
        ? StoredKey.error(
          decimal: statement.describe(at: operation.column), in: property, of: name, key: key)
        : StoredKey.error(
          reference: statement.int64(at: operation.column), in: property, of: name, key: key))
  }

  /// - Returns: Whether the value is a decimal or missing.
  private func copyDecimal(
    _ statement: SQLiteStatement, _ column: Int, _ block: RowBlock, _ row: Int, _ slot: Int
  ) -> Bool {
    switch statement.type(at: column) {
    case .null: break
    case .integer: block.setDecimal(row, slot, whole: statement.int64(at: column))
    case .real:
      let double = statement.double(at: column)
      guard StoredDecimal.isDecimal(double) else { return false }
      block.setDecimal(row, slot, double: double)
    default:
      guard let value = unsafe StoredDecimal.decimal(text: statement.blob(at: column)) else { return false }
      block.setDecimal(row, slot, value)
    }
    return true
  }
}

/// The entities of records as their own rows have them, for references beside which none is recorded that
/// they can lead to.
struct SQLiteRecordEntities {
  let connection: SQLiteConnection
  let statements: SQLStatements

  /// The entity of a record.
  ///
  /// - Parameter destination: The position of an entity of the record's tree.
  /// - Returns: nil where there is no such record, or it is of no entity.
  func entity(of key: Int64, near destination: Int) -> EntityDescription? {
    let sql = statements.entityNumber(statements.schema.entities[destination].table)
    let number = try? connection.withStatement(sql) { row in
      try row.bind(key, at: 1)
      return try row.step() ? row.int64(at: 0) : 0
    }
    return number.flatMap { statements.schema.entity(numbered: Int($0))?.entity }
  }
}
