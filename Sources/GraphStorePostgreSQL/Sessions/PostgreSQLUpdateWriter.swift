#if PostgreSQL
import GraphStore

/// Writes the changed columns of a save's updated rows, each under its key and the version it was read with:
/// those with the same columns by one statement.
struct PostgreSQLUpdateWriter {
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
      return try writeAll()
    } catch let error as GraphStoreError {
      guard let broken = error.brokenIndex else { throw error }
      let exchanges = SQLExchange.all(in: save, session.statements)
      let rows = save.updates.map { (key: $0.key, row: $0.row) }
      guard exchanges.reduce(0, { $0 + $1.keys.count }) > 1 else {
        throw try session.constraintConflict(broken, among: rows)
      }
      // Once the columns are cleared no row says any more what another writer has made of it.
      let conflicts = try session.conflicts(ofUpdated: save.updates)
      if !conflicts.isEmpty { return conflicts }
      for exchange in exchanges {
        try session.run(
          session.statements.clear(exchange.columns, of: exchange.table, .list),
          [PostgreSQLParameter(keys: exchange.keys.sorted())])
      }
      do {
        return try writeAll()
      } catch let error as GraphStoreError {
        guard let broken = error.brokenIndex else { throw error }
        throw try session.constraintConflict(broken, among: rows)
      }
    }
  }

  /// Writes the rows, without the server naming each that it has found; where one was missed, all are taken
  /// back and written once more, and named.
  private func writeAll() throws -> [RowConflict] {
    let groups = updatesByShape.flatMap { $0.chunked(Self.rowLimit) }
    do {
      try session.withinSavepoint { try writeUnnamed(groups) }
      return []
    } catch is MissedRow {
      return try session.withinSavepoint { try writeNamed(groups) }
    }
  }

  /// A row was not found under the version that it was read with.
  private struct MissedRow: Error {}

  private func writeUnnamed(_ groups: [[SaveRequest.Update]]) throws {
    let results = try run(groups, naming: false)
    guard zip(groups, results).allSatisfy({ $0.count == $1.changes }) else { throw MissedRow() }
  }

  /// Rows that no statement has found are looked at: those whose values are what was read are written under
  /// their present version.
  private func writeNamed(_ groups: [[SaveRequest.Update]]) throws -> [RowConflict] {
    var conflicts: [RowConflict] = []
    var again: [[SaveRequest.Update]] = []
    for updates in try missed(groups) {
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
      for update in try missed(again).joined() {
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

  private var updatesByShape: [[SaveRequest.Update]] {
    var places: [SQLUpdateShape: Int] = [:]
    var groups: [[SaveRequest.Update]] = []
    var last: (shape: SQLUpdateShape, place: Int)?
    for update in save.updates {
      let shape = SQLUpdateShape(update)
      // Updates of one shape follow each other most often.
      if let last, last.shape == shape {
        groups[last.place].append(update)
        continue
      }
      let place = places[shape] ?? groups.count
      if place == groups.count { groups.append([]) }
      (places[shape], last) = (place, (shape, place))
      groups[place].append(update)
    }
    return groups
  }

  /// Writes updates.
  ///
  /// - Returns: For each group the updates whose rows were not found under their versions.
  private func missed(_ groups: [[SaveRequest.Update]]) throws -> [[SaveRequest.Update]] {
    try zip(groups, run(groups, naming: true)).map { updates, cursor in
      if cursor.changes == updates.count { return [] }
      var written: Set<Int64> = []
      while try cursor.step() { written.insert(cursor.int64(at: 0)) }
      return updates.filter { !written.contains($0.key) }
    }
  }

  /// Statements of all groups go to the server at once.
  ///
  /// - Parameter isNaming: Whether the keys of the rows are returned that were found.
  private func run(_ groups: [[SaveRequest.Update]], naming isNaming: Bool) throws -> [PostgreSQLCursor] {
    let commands = try groups.map { try command($0, naming: isNaming) }
    return try session.reporting { try session.connection.run(commands) }
  }

  private func command(
    _ updates: [SaveRequest.Update], naming isNaming: Bool
  ) throws -> PostgreSQLConnection.Command {
    let layout = updates[0].row.layout
    let entity = session.schema.entities[layout.index]
    let columns = session.statements.writtenColumns(entity).filter { updates[0].changes($0) }
    var keys = PostgreSQLParameterArray(of: PostgreSQLTypeNumber.int8, capacity: updates.count)
    var versions = keys
    var writers = columns.compactMap {
      PostgreSQLColumnWriter(
        $0, of: layout, schema: session.schema, keys: save.permanentKeys, capacity: updates.count)
    }
    if writers.contains(where: { $0.column.kind == .toOneKey || $0.column.kind == .ownerKey }) {
      session.hasWrittenReferences = true
    }
    // In the order of keys, so that two writers of the same rows wait for each other, and not each for one.
    for update in updates.sortedByKey {
      keys.append(update.key)
      versions.append(update.row.version)
      for index in writers.indices { try writers[index].append(update.row) }
    }
    let isOfOne = updates.count == 1
    return .init(
      session.store.tables.update(
        entity, writers.map(\.column), isOfOne: isOfOne, returningKeys: isNaming),
      ([keys, versions] + writers.map(\.array)).map { isOfOne ? $0.element : $0.parameter })
  }
}

extension [SaveRequest.Update] {
  /// Most often they are in this order already.
  fileprivate var sortedByKey: Self {
    let isSorted = zip(self, dropFirst()).allSatisfy { $0.key < $1.key }
    return isSorted ? self : sorted { $0.key < $1.key }
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
