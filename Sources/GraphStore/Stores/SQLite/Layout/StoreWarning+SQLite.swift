import Foundation
import GraphStoreModel

extension StoreWarning {
  /// The parts of a file that the library cannot keep right when it writes to the tables of a schema: such a
  /// store is opened for reading only.
  static func obstacles(_ contents: StoreHeader, _ schema: SQLSchema, path: String) -> [StoreWarning] {
    [history(contents, path), triggers(contents.triggers(on: schema).map(\.name), path)].compactMap { $0 }
  }

  /// The parts of a file that the library cannot keep right when it writes to any table of a store.
  static func obstacle(_ contents: StoreHeader, path: String) -> StoreWarning? {
    let names = contents.triggers.filter { $0.table.uppercased().hasPrefix("Z") }.map(\.name)
    return history(contents, path) ?? triggers(names, path)
  }

  /// Metadata that cannot be read, beside records that can (STO-287).
  static func damage(_ contents: StoreHeader, path: String) -> StoreWarning? {
    contents.damage.map { part in
      StoreWarning(
        code: GraphStoreError.Code.storeCorrupt.rawValue, message: "\(path) is damaged. \(part)",
        remedy: "Its records can be read and exported; restore it from a backup.", preventsWriting: false)
    }
  }

  /// A new file without the log that stores have of themselves (STO-192).
  static func refusedLog(_ path: String) -> StoreWarning {
    StoreWarning(
      code: "log-refused",
      message:
        "The file system of \(path) refuses a write-ahead log: the file has a rollback journal instead.",
      remedy: "Readers and writers wait for each other there; on another file system they do not.",
      preventsWriting: false)
  }

  /// Changes of ours would be missing from what another application keeps with a history (CTX-388).
  private static func history(_ contents: StoreHeader, _ path: String) -> StoreWarning? {
    guard let obstacle = contents.historyObstacle else { return nil }
    return StoreWarning(
      code: "store-tracks-history",
      message: "\(path) keeps a history \(obstacle): it would have a gap.",
      remedy: "Change it with the application that it belongs to, or export its records into a new store.",
      preventsWriting: true)
  }

  /// Data that triggers maintain would go stale, since none is run (STO-214, STO-285).
  private static func triggers(_ names: [String], _ path: String) -> StoreWarning? {
    guard let first = names.first else { return nil }
    let list = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    return StoreWarning(
      code: "store-has-triggers",
      message: names.count == 1
        ? "\(path) has the trigger \(first), which only SQLite or its own application runs."
        : "\(path) has \(names.count) triggers, which only SQLite or its own application runs: \(list).",
      remedy: "Drop them if nothing needs what they keep, or change the store with its own application.",
      preventsWriting: true)
  }
}

extension StoreHeader {
  /// The triggers that changes of a schema's tables would set off.
  func triggers(on schema: SQLSchema) -> [StoreTrigger] {
    guard !triggers.isEmpty else { return [] }
    let names =
      schema.tables.map(\.name) + schema.joinTables.map(\.name)
      + [SQLiteLayout.primaryKeyTable, SQLiteLayout.metadataTable]
    let tables = Set(names.map { $0.uppercased() })
    return triggers.filter { tables.contains($0.table.uppercased()) }
  }
}

/// Differences between the model that a store is opened with and the one it was made with, for people.
struct ModelDifferenceText {
  /// `added: A, B; removed: C; changed: D`
  let summary: String
  /// The differences of each changed entity, where the store carries its model.
  let details: [String]

  init(stored: [String: Data], carried: ManagedObjectModel?, given: StoredEntities) {
    let own = given.versionHashes
    let changed = own.keys.filter { stored[$0] != nil && stored[$0] != own[$0] }.sorted()
    let lists: [(String, [String])] = [
      ("added", own.keys.filter { stored[$0] == nil }.sorted()),
      ("removed", stored.keys.filter { own[$0] == nil }.sorted()), ("changed", changed),
    ]
    summary = lists.filter { !$0.1.isEmpty }.map { "\($0): \($1.joined(separator: ", "))" }
      .joined(separator: "; ")
    details = changed.compactMap { name in
      let words = carried.map { given.model.differencesInHash(of: name, from: $0) } ?? []
      return words.isEmpty ? nil : "\(name) differs in \(words.joined(separator: ", "))"
    }
  }
}
