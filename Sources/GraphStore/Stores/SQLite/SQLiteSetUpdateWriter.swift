import GraphStoreModel
import GraphStoreSQLite

/// Gives all records that a request selects new values by one UPDATE: by its conditions where they are of one
/// table, else by the keys of the records, which another statement reads first.
struct SQLiteSetUpdateWriter {
  private let session: SQLiteWriteSession
  private let update: SetUpdate
  /// The columns of the values that are the same for all.
  private let columns: [SQLColumn]
  private let computed: [SQLColumn]

  /// - Returns: nil where each record has to be looked at: where values are unique, are kept in files, or
  ///   others are derived from them.
  init?(_ session: SQLiteWriteSession, _ update: SetUpdate) {
    let entity = update.values.layout
    guard !entity.hasUniqueValues(among: update.changed, session.layout),
      !session.layout.derivedAttributes.contains(where: { $0.isComputed(from: update.changed, of: entity) })
    else { return nil }
    let written = session.statements.writtenColumns(session.schema.entities[entity.index])
      .filter { update.changes($0) }
    if written.contains(where: \.isExternal) { return nil }
    let computed = update.computed.compactMap { value in
      written.first { $0.property.number == value.property.number }
    }
    guard computed.count == update.computed.count else { return nil }
    columns = written.filter { column in !computed.contains { $0 === column } }
    self.computed = computed
    self.session = session
    self.update = update
  }

  /// - Returns: Nil where memory has to judge records or to compute values, and nothing was written.
  func run() throws -> SetOutcome? {
    if !computed.isEmpty { return try runComputing() }
    let fetch = try session.store.statement(of: update.request)
    guard fetch.statement.residual == nil else { return nil }
    try session.install(update.request.functions)
    let bindings = fetch.statement.bindings
    if let sql = session.statements.update(
      columns, whereFoundBy: fetch.statement.select, bindings, returningKeys: update.needsKeys)
    {
      return update.needsKeys ? .records(try run(sql, bindings)) : .count(try count(sql, bindings))
    }
    let keys = try SQLiteFetch(fetch: fetch, session: session).identifiers().map(\.key)
    let table = session.schema.entities[update.values.layout.index].table
    return .records(
      try run(session.statements.update(columns, ofListedRowsOf: table), [.text(SQLiteSession.list(keys))]))
  }

  /// Writes computed values, once no record has one that is to be refused: memory says which and why.
  private func runComputing() throws -> SetOutcome? {
    let values = update.computed.compactMap { value in
      value.property.attribute.map { ($0, value.expression) }
    }
    let planner = session.store.planner(for: update.request)
    guard let computation = planner.computation(of: values, over: update.request),
      let sql = session.statements.update(
        columns, computed: computed, whereFoundBy: computation.select, computation.bindings,
        returningKeys: update.needsKeys)
    else { return nil }
    try session.install(update.request.functions)
    if let flawed = computation.flawed {
      var isFlawed = false
      try session.run(flawed.sql, flawed.bindings) { isFlawed = try $0.step() }
      if isFlawed { return nil }
    }
    let bindings = computation.bindings
    return update.needsKeys ? .records(try run(sql, bindings)) : .count(try count(sql, bindings))
  }

  /// The binder of the values, whose parameters are behind those of the conditions.
  private func binder(_ bindings: [SQLBinding]) -> SQLiteColumnBinder {
    SQLiteColumnBinder(
      layout: update.values.layout, columns: columns, firstParameter: bindings.count + 1,
      schema: session.schema, keys: PermanentKeyMap())
  }

  /// Runs a statement that returns nothing: to return keys SQLite keeps all of them until the last row is
  /// written, which takes as long again as a small change of a row.
  private func count(_ sql: String, _ bindings: [SQLBinding]) throws -> Int {
    try session.run(sql, bindings) { statement in
      try binder(bindings).bind(update.values, to: statement)
      try statement.run()
    }
    return session.connection.changes
  }

  private func run(_ sql: String, _ bindings: [SQLBinding]) throws -> CommitRecord {
    let binder = binder(bindings)
    var keys = [[Int64]](repeating: [], count: session.schema.entities.count)
    try session.run(sql, bindings) { statement in
      try binder.bind(update.values, to: statement)
      while try statement.step() {
        guard let entity = session.schema.entity(numbered: Int(statement.int64(at: 1))) else {
          throw StoredKey.error(
            entityNumber: statement.int64(at: 1), of: update.request.entityName, key: statement.int64(at: 0))
        }
        keys[entity.entity.index].append(statement.int64(at: 0))
      }
    }
    var record = CommitRecord(request: update.save)
    for (entity, keys) in keys.enumerated() where !keys.isEmpty {
      record.sets.update(session.layout.entities[entity], keys.sorted(), update.properties)
    }
    return record
  }
}

extension SQLiteWriteSession {
  func write(_ update: SetUpdate) throws -> SetOutcome? {
    try reporting { try SQLiteSetUpdateWriter(self, update)?.run() }
  }
}

extension EntityLayout {
  /// Whether a uniqueness constraint of the entity, or of one below it, is about one of some properties.
  fileprivate func hasUniqueValues(among changed: PropertySet, _ layout: ModelLayout) -> Bool {
    layout.entities.contains { other in
      other.entity.isKind(of: entity)
        && other.uniquenessConstraints.contains { constraint in
          other.properties(of: constraint).contains { changed.contains($0.number) }
        }
    }
  }
}

extension DerivedAttribute {
  /// Whether values of the attribute follow from properties of an entity, or of those below it.
  fileprivate func isComputed(from changed: PropertySet, of changedEntity: EntityLayout) -> Bool {
    func isChanged(_ property: PropertyDescription) -> Bool {
      property.entity.rootEntity.index == changedEntity.rootIndex && changed.contains(property.number)
    }
    switch source {
    case .save: return entity.rootEntity.index == changedEntity.rootIndex
    case .attribute(_, let end): return isChanged(end)
    case .members(_, let summed): return summed.map(isChanged) ?? false
    }
  }
}
