#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

/// Values of a derived attribute: which are other ones than its column has, and how they are written.
struct PostgreSQLDerivedValues {
  /// A record whose column has another value than the one that it is to have.
  struct Change {
    let key: Int64
    let value: Value
  }

  private let session: any PostgreSQLSession & ReadSession
  private let derived: DerivedAttribute
  private let column: SQLColumn

  init(_ session: any PostgreSQLSession & ReadSession, _ derived: DerivedAttribute, _ column: SQLColumn) {
    self.session = session
    self.derived = derived
    self.column = column
  }

  /// The records among some whose values are to be written; among all for nil.
  ///
  /// - Throws: `value-out-of-range`.
  func changes(keys: [Int64]?) throws -> [Change] {
    if let computed = session.store.derivedColumn(of: derived) { return try changes(keys, by: computed) }
    return try changesInMemory(keys)
  }

  private func changes(_ keys: [Int64]?, by computed: SQLDerivedColumn) throws -> [Change] {
    let (sql, bindings) = computed.statement(keys: keys)
    let cursor = try session.run(sql, bindings.map { PostgreSQLParameter($0) })
    var changes: [Change] = []
    while try cursor.step() {
      let type = derived.attribute.type
      let value = try derived.value(cursor.value(at: 3, of: type))
      guard !value.isStored(as: cursor.value(at: 2, of: type)) else { continue }
      changes.append(Change(key: cursor.int64(at: 0), value: value))
    }
    return changes
  }

  /// The server does not compute the expression exactly.
  private func changesInMemory(_ keys: [Int64]?) throws -> [Change] {
    guard let expression = derived.expression else { return [] }
    let checked = try PredicateTypeChecker(entity: derived.entity).check(expression).expression
    let evaluator = try ExpressionEvaluator(checked)
    let source = SnapshotRecord.Source(session, session.layout, session.scope)
    let root = session.layout.entities[derived.entity.rootEntity.index]
    var records: [SnapshotRecord] = []
    func collect(_ batch: inout RowBatch) {
      batch.forEach { key, row in
        guard row.layout.entity.isKind(of: derived.entity) else { return }
        records.append(SnapshotRecord(of: source, layout: row.layout, key: key, row: row))
      }
    }
    if let keys {
      try session.rows(root, keys: keys, collect)
    } else {
      try session.plan(StoreRequest(entityName: root.entity.name, .rows)).rows(collect)
    }
    var changes: [Change] = []
    let paths = RequestDependencies(derived.entity, nil, shown: [checked]).paths
    try source.forEach(of: records, prefetching: paths) { record in
      guard let row = record.row, let property = row.layout.property(named: derived.attribute.name)
      else { return }
      let value = try derived.value(try self.value(evaluator, record))
      if try !value.isStored(as: row.value(of: property)) {
        changes.append(Change(key: record.key, value: value))
      }
    }
    return changes
  }

  private func value(_ evaluator: ExpressionEvaluator, _ record: SnapshotRecord) throws -> Value {
    do {
      if case .value(let computed) = try evaluator.operand(for: .source(record)) { return computed }
      return .null
    } catch let error as QueryPredicateError where error.code == .arithmeticOverflow {
      throw derived.outOfRange()
    }
  }

  /// Writes values by one statement, and raises no versions (MDL-177).
  func write(_ changes: [Change]) throws {
    let layout = session.layout.entities[derived.entity.index]
    guard !changes.isEmpty, let property = layout.property(named: derived.attribute.name),
      var writer = PostgreSQLColumnWriter(
        column, of: layout, schema: session.schema, keys: PermanentKeyMap(), capacity: changes.count)
    else { return }
    for change in changes {
      let block = RowBlock(layout: layout, capacity: 1)
      let row = Row(block: block, index: block.appendRow(version: 0))
      block.setValue(change.value, of: property, inRow: row.index)
      try writer.append(row)
    }
    try session.run(
      session.store.tables.setValues(column, type: writer.array.elementType),
      [PostgreSQLParameter(keys: changes.map(\.key)), writer.array.parameter])
  }
}

extension Value {
  /// Whether a stored value is this one: texts by their bytes, numbers by what they are worth.
  fileprivate func isStored(as stored: Value) -> Bool {
    switch (self, stored) {
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.decimal, _), (.double, _): isNull == stored.isNull && order(to: stored) == .orderedSame
    default: self == stored
    }
  }
}
#endif
