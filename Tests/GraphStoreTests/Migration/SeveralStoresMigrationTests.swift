import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// Several stores that are migrated by one call: all of them, or none.
struct SeveralStoresMigrationTests {
  private static func version(_ isMandatory: Bool) -> ModelDefinition {
    .of(
      EntityDefinition(
        "T",
        attributes: [
          AttributeDefinition("a", .string),
          AttributeDefinition("n", isMandatory ? .int16 : .int32),
        ]))
  }

  private static let (old, new) = (version(false), version(true))

  private static func stores(_ numbers: [Int]) throws -> [MigratedStore] {
    try numbers.map { number in
      try MigratedStore(old) { try $0.add("T", ["a": "x", "n": Int32(number)]) }
    }
  }

  private static func migrations(
    _ stores: [MigratedStore], timeout: Duration = .seconds(5), log: MigrationLog = MigrationLog()
  ) throws -> [StoreMigration] {
    var options = MigrationOptions()
    options.log = log
    options.timeout = timeout
    options.keepsBackup = false
    return try stores.map { StoreMigration(try $0.plan(to: new), options: options) }
  }

  /// How migrations fail of which one store is being read.
  private static func failure(
    of migrations: [StoreMigration], holding store: MigratedStore
  ) throws -> GraphStoreError? {
    let reader = try SQLiteConnection(path: store.path, mode: .readOnly)
    defer { reader.close() }
    try reader.execute("BEGIN")
    #expect(try reader.int64("SELECT count(*) FROM ZT") == 1)
    let error = #expect(throws: GraphStoreError.self) { try StoreMigration.run(migrations) }
    try reader.execute("COMMIT")
    return error
  }

  @Test("MIG-282: all new stores are made before the first is put in its place")
  func all() throws {
    let stores = try Self.stores([1, 2, 3])
    let results = try StoreMigration.run(Self.migrations(stores))
    #expect(results.map(\.path) == stores.map(\.path) && results.map(\.stepCount) == [1, 1, 1])
    for store in stores {
      try store.expectWhole(Self.new)
      #expect(try store.contents(Self.new).count == 1)
    }
  }

  @Test("MIG-282: where the data of one are not allowed, none is replaced")
  func refused() throws {
    let stores = try Self.stores([1, 70_000, 3])
    let before = try stores.map { try $0.contents(Self.old) }
    let error = #expect(throws: GraphStoreError.self) { try StoreMigration.run(Self.migrations(stores)) }
    #expect(error?.code == .migrationConstraint)
    for store in stores { try store.expectWhole(Self.old) }
    #expect(try stores.map { try $0.contents(Self.old) } == before)
  }

  @Test(
    "MIG-283: where one cannot be replaced, those that were are put back, and the error tells the state of each"
  )
  func putBack() throws {
    let stores = try Self.stores([1, 2, 3])
    let before = try stores.map { try $0.contents(Self.old) }
    let migrations = try Self.migrations(stores, timeout: .milliseconds(50))
    let error = try Self.failure(of: migrations, holding: stores[2])
    #expect(error?.code == .storeTimeout)
    for store in stores[..<2] {
      #expect(error?.details.contains("\(store.path) is the old store again") == true)
    }
    for store in stores { try store.expectWhole(Self.old) }
    #expect(try stores.map { try $0.contents(Self.old) } == before)
  }

  @Test("MIG-283: one that others have written since it was replaced stays, and its old store beside it")
  func writtenMeanwhile() throws {
    let stores = try Self.stores([1, 2, 3])
    let path = stores[0].path
    // Another process that waits for the migrated store, and writes as soon as it is there.
    let log = MigrationLog(level: .steps) { line in
      guard line.hasPrefix("\(path) was replaced"),
        let writer = try? SQLiteConnection(path: path, mode: .readWrite)
      else { return }
      try? writer.execute("INSERT INTO ZT (Z_PK, Z_ENT, Z_OPT, ZA, ZN) VALUES (2, 1, 1, 'y', 9)")
      try? writer.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 2")
      writer.close()
    }
    let migrations = try Self.migrations(stores, timeout: .milliseconds(50), log: log)
    let error = try Self.failure(of: migrations, holding: stores[2])
    let told = try #require(error?.details.first { $0.contains("somebody has written already") })
    #expect(try stores[0].contents(Self.new).count == 2)
    let backup = try #require(told.split(separator: " ").last.map(String.init))
    #expect(try stores[0].contents(Self.old, at: backup).count == 1)
    #expect(error?.details.contains("\(stores[1].path) is the old store again") == true)
    try stores[1].expectWhole(Self.old)
  }
}
