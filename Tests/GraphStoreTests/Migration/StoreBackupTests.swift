import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// Backups that are put back.
struct StoreBackupTests {
  private static func version(_ count: Int) -> ModelDefinition {
    .of(
      EntityDefinition(
        "T",
        attributes: (0..<count).map { AttributeDefinition("a\($0)", .string) } + [
          AttributeDefinition("image", .binary, externalStorage: true)
        ]))
  }

  private static let (old, new) = (version(2), version(1))

  private static func migrated() throws -> (MigratedStore, backup: String, before: [String]) {
    let store = try MigratedStore(old) { context in
      try context.add("T", ["a0": "x", "a1": "y", "image": Data(repeating: 7, count: 150_000)])
    }
    let before = try store.contents(old)
    let backup = try #require(try store.migrate(to: new) { $0.keepsBackup = true }.backup)
    return (store, backup, before)
  }

  @Test("MIG-334: a backup is put back with its external data, and what it replaces becomes a backup in turn")
  func restored() throws {
    let (store, backup, before) = try Self.migrated()
    try store.open(Self.new) { try $0.add("T", ["a0": "later"]) }
    let later = try store.contents(Self.new)
    let replaced = try #require(try StoreBackup.restore(backup, to: store.path))
    #expect(try store.contents(Self.old) == before)
    #expect(try store.contents(Self.old, at: backup) == before)
    #expect(try store.contents(Self.new, at: replaced) == later && later.count == 2)
    try store.expectWhole(Self.old)
    // And back again.
    try StoreBackup.restore(replaced, to: store.path)
    #expect(try store.contents(Self.new) == later)
  }

  @Test("MIG-334: where no store is, the backup's copy is made")
  func absent() throws {
    let (store, backup, before) = try Self.migrated()
    let path = store.folder.file("fresh.sqlite")
    #expect(try StoreBackup.restore(backup, to: path) == nil)
    #expect(try store.contents(Self.old, at: path) == before)
  }

  @Test("MIG-334: a backup that does not open, or is the store itself, is refused, and nothing is touched")
  func refused() throws {
    let (store, backup, _) = try Self.migrated()
    let after = try store.contents(Self.new)
    _ = try expectFailure(.migrationDestination) { try StoreBackup.restore(backup, to: backup) }
    _ = try expectFailure(.storeNotFound) { try StoreBackup.restore(backup + "x", to: store.path) }
    let connection = try SQLiteConnection(path: backup, mode: .readWrite)
    try connection.execute("DROP TABLE ZT")
    connection.close()
    #expect(throws: GraphStoreError.self) { try StoreBackup.restore(backup, to: store.path) }
    #expect(try store.contents(Self.new) == after)
    #expect(store.leftovers.isEmpty)
  }

  @Test("MIG-334, MIG-263: a store that this process has open is not replaced")
  func inUse() throws {
    let (store, backup, _) = try Self.migrated()
    try store.open(Self.new) { _ in
      _ = try expectFailure(.storeInUse) { try StoreBackup.restore(backup, to: store.path) }
    }
  }
}
