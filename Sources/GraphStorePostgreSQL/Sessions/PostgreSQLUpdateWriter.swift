#if PostgreSQL
import GraphStore
import GraphStoreModel
import OrderedCollections

/// Writes the changed columns of a save's updated rows, each under its key and the version it was read with:
/// those with the same columns by one statement.
struct PostgreSQLUpdateWriter {
  private struct Shape: Hashable {
    let entity: Int
    let changed: PropertySet
  }

  /// The most rows of one statement, whose parameters are in memory twice.
  private static let rowLimit = 20_000

  private let session: PostgreSQLWriteSession
  private let save: SaveRequest

  init(_ session: PostgreSQLWriteSession, _ save: SaveRequest) {
    self.session = session
    self.save = save
  }

  /// Writes all updates. Where values that must be unique move from one object to another, the columns are
  /// cleared first if they collide on the way.
  ///
  /// - Returns: The records that another writer has changed or deleted.
  func run() throws -> [RowConflict] {
    if save.updates.isEmpty { return [] }
    do {
      return try session.withinSavepoint { try writeAll() }
    } catch let error as GraphStoreError {
      guard let broken = error.brokenIndex else { throw error }
      let exchanges = exchanges
      let rows = save.updates.map { (key: $0.key, row: $0.row) }
      guard exchanges.reduce(0, { $0 + $1.keys.count }) > 1 else {
        throw try session.constraintConflict(broken, among: rows)
      }
      // Once the columns are cleared no row says any more what another writer has made of it.
      let conflicts = try conflicts()
      if !conflicts.isEmpty { return conflicts }
      for exchange in exchanges {
        try session.run(
          session.statements.clear(exchange.columns, of: exchange.table, .list),
          [PostgreSQLParameter(keys: exchange.keys.sorted())])
      }
      do {
        return try session.withinSavepoint { try writeAll() }
      } catch let error as GraphStoreError {
        guard let broken = error.brokenIndex else { throw error }
        throw try session.constraintConflict(broken, among: rows)
      }
    }
  }

  /// The records that another writer has changed or deleted; of all others the updates have the stored
  /// versions afterwards.
  private func conflicts() throws -> [RowConflict] {
    let roots = Dictionary(grouping: save.updates, by: \.row.layout.rootIndex).sorted { $0.key < $1.key }
    return try roots.flatMap { root, updates -> [RowConflict] in
      var versions: [Int64: Int64] = [:]
      try session.rows(session.layout.entities[root], keys: updates.map(\.key)) { batch in
        batch.forEach { versions[$0] = $1.version }
      }
      return try updates.filter { versions[$0.key] != $0.row.version }.compactMap {
        try session.conflict(of: $0)
      }
    }
  }

  /// The rows of an entity whose unique columns change.
  private struct Exchange {
    let table: SQLTable
    let columns: [SQLColumn]
    var keys: [Int64] = []
  }

  private var exchanges: [Exchange] {
    var found: OrderedDictionary<Shape, Exchange> = [:]
    for update in save.updates where !update.row.layout.entity.uniquenessConstraints.isEmpty {
      let shape = Shape(entity: update.row.layout.index, changed: update.changed)
      if found[shape] == nil { found[shape] = exchange(update) }
      found[shape]?.keys.append(update.key)
    }
    return found.values.filter { !$0.columns.isEmpty }
  }

  private func exchange(_ update: SaveRequest.Update) -> Exchange {
    let entity = session.schema.entities[update.row.layout.index]
    var names: Set<String> = []
    var ancestor: EntityDescription? = entity.entity
    while let current = ancestor {
      for constraint in current.uniquenessConstraints { names.formUnion(constraint.map(\.name)) }
      ancestor = current.superentity
    }
    let columns = session.statements.writtenColumns(entity).filter {
      update.changed.contains($0.property.number) && names.contains($0.property.name)
    }
    return Exchange(table: entity.table, columns: columns)
  }

  /// Statements of all shapes go to the server at once. Rows that none has found are looked at: those whose
  /// values are what was read are written under their present version.
  private func writeAll() throws -> [RowConflict] {
    var shapes: OrderedDictionary<Shape, [SaveRequest.Update]> = [:]
    for update in save.updates {
      shapes[Shape(entity: update.row.layout.index, changed: update.changed), default: []].append(update)
    }
    let missed = try write(shapes.values.flatMap { $0.chunked(Self.rowLimit) })
    var conflicts: [RowConflict] = []
    var again: [[SaveRequest.Update]] = []
    for updates in missed {
      var rest: [SaveRequest.Update] = []
      for update in updates {
        if let conflict = try session.conflict(of: update) {
          conflicts.append(conflict)
        } else {
          rest.append(update)
        }
      }
      if !rest.isEmpty { again.append(rest) }
    }
    if conflicts.isEmpty, !again.isEmpty {
      for update in try write(again).joined() {
        // Changed once more meanwhile.
        if let conflict = try session.conflict(of: update) {
          conflicts.append(conflict)
        } else {
          throw GraphStoreError(
            PostgreSQLError(state: "40001", "A record changes again and again."), path: session.path)
        }
      }
    }
    return conflicts
  }

  /// - Returns: For each group the updates whose rows were not found under their versions.
  private func write(_ groups: [[SaveRequest.Update]]) throws -> [[SaveRequest.Update]] {
    if groups.isEmpty { return [] }
    let commands = try groups.map(command)
    let results = try session.reporting { try session.connection.run(commands) }
    return try zip(groups, results).map { updates, cursor in
      if cursor.changes == updates.count { return [] }
      var written: Set<Int64> = []
      while try cursor.step() { written.insert(cursor.int64(at: 0)) }
      return updates.filter { !written.contains($0.key) }
    }
  }

  private func command(_ updates: [SaveRequest.Update]) throws -> PostgreSQLConnection.Command {
    let layout = updates[0].row.layout
    let entity = session.schema.entities[layout.index]
    let columns = session.statements.writtenColumns(entity).filter { updates[0].changes($0) }
    var keys = PostgreSQLParameterArray(of: PostgreSQLTypeNumber.int8, capacity: updates.count)
    var versions = keys
    var writers = columns.compactMap {
      PostgreSQLColumnWriter(
        $0, of: layout, schema: session.schema, keys: save.permanentKeys, capacity: updates.count)
    }
    // In the order of keys, so that two writers of the same rows wait for each other, and not each for one.
    for update in updates.sorted(by: { $0.key < $1.key }) {
      keys.append(update.key)
      versions.append(update.row.version)
      for index in writers.indices { try writers[index].append(update.row) }
    }
    return .init(
      session.store.tables.update(entity, writers.map(\.column)),
      [keys.parameter, versions.parameter] + writers.map(\.array.parameter))
  }
}

extension Array {
  /// Its parts of so many elements at most.
  fileprivate func chunked(_ size: Int) -> [[Element]] {
    guard count > size else { return [self] }
    return stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
#endif
