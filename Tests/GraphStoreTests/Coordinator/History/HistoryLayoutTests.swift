import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// The tables and bits of a history, in the form that Core Data gives them.
@Suite("The layout of history")
struct HistoryLayoutTests {
  /// The names of the properties that a mask names, for each of its bits.
  private func names(_ entity: String, in model: ModelDefinition) throws -> [[String]] {
    let schema = SQLSchema(model: try ManagedObjectModel(model))
    let found = try #require(schema.numberedEntities.first { $0.entity.name == entity })
    let mask = HistoryColumnMask(found)
    return (0..<mask.byteCount * 8).map { bit in
      var bytes = [UInt8](repeating: 0, count: mask.byteCount)
      bytes[bit / 8] = 0x80 >> UInt8(bit % 8)
      var names: [String] = []
      let set = unsafe bytes.withUnsafeBytes { unsafe mask.properties(in: $0) }
      set.forEach { names.append(found.entity.properties[$0].name) }
      return names
    }
  }

  /// Seen in a store of Core Data's: an item has a recipe and a name, a recipe an item, a number and parts.
  @Test(
    "CTX-383: bits stand for to-ones, attributes and to-manys, each by name, the first in the highest bit")
  func recipes() throws {
    let model = ModelDefinition(
      name: "Recipes",
      entities: [
        EntityDefinition(
          "Item", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("craftingRecipe", to: "Recipe", inverse: "producedItem")]),
        EntityDefinition(
          "Recipe", attributes: [AttributeDefinition("producedItemCount", .int64)],
          relationships: [
            RelationshipDefinition("producedItem", to: "Item", inverse: "craftingRecipe"),
            RelationshipDefinition(
              "requiredComponents", to: "Component", inverse: "craftingRecipe", isToMany: true),
          ]),
        EntityDefinition(
          "Component",
          attributes: [
            AttributeDefinition("count", .int64), AttributeDefinition("id", .uuid),
            AttributeDefinition("scratch", .string, isTransient: true),
          ],
          relationships: [
            RelationshipDefinition("item", to: "Item"),
            RelationshipDefinition("craftingRecipe", to: "Recipe", inverse: "requiredComponents"),
          ]),
      ])
    #expect(try names("Item", in: model).filter { !$0.isEmpty } == [["craftingRecipe"], ["name"]])
    #expect(
      try names("Recipe", in: model).filter { !$0.isEmpty }
        == [["producedItem"], ["producedItemCount"], ["requiredComponents"]])
    #expect(
      try names("Component", in: model).filter { !$0.isEmpty }
        == [["craftingRecipe"], ["item"], ["count"], ["id"]])
  }

  @Test("CTX-383: numbers of destinations' entities and places among members have bits of their own")
  func companions() throws {
    let names = try names("Employee", in: TestModels.company(isOrdered: true)).filter { !$0.isEmpty }
    // To-ones; entities of manager and spouse; the place in the department; attributes; to-manys.
    #expect(
      names.prefix(9) == [
        ["department"], ["desk"], ["manager"], ["spouse"], ["manager"], ["spouse"], ["department"], ["name"],
        ["salary"],
      ])
    #expect(names[9] == ["reports"] && Set(names[10...]) == [["friends"], ["projects"]])
  }

  @Test("CTX-381: what is written reads the same, for all properties of an entity")
  func roundTrip() throws {
    let schema = SQLSchema(model: try ManagedObjectModel(TestModels.company(isOrdered: true)))
    for entity in schema.numberedEntities {
      let mask = HistoryColumnMask(entity)
      for property in entity.entity.properties where !property.isTransient {
        var set = PropertySet()
        set.insert(property.number)
        let bytes = mask.bytes(set)
        #expect(unsafe bytes.withUnsafeBytes { unsafe mask.properties(in: $0) } == set, "\(property.name)")
      }
      #expect([UInt8]().withUnsafeBytes { unsafe mask.properties(in: $0) }.isEmpty)
    }
  }

  @Test(
    "STO-229: the tables are Core Data's, and the numbers of their entities come with the first transaction")
  func tables() throws {
    let tracked = try TrackedStore(TestModels.company())
    func counters() throws -> [String] {
      try tracked.rows(
        "SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER || ' ' || Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000"
      )
    }
    #expect(try counters() == [])
    try tracked.context.insert("Employee", ["name": "Ada"])
    try tracked.context.save()
    #expect(
      try counters() == ["16001 CHANGE 0 1", "16002 TRANSACTION 0 1", "16003 TRANSACTIONSTRING 0 2"])
    #expect(
      try tracked.rows(
        "SELECT Z_ENT || '|' || ifnull(Z_OPT, '') || '|' || ZCHANGETYPE || '|' || ZENTITY FROM ACHANGE")
        == ["16001||0|3"])
    #expect(
      try tracked.rows("SELECT name FROM sqlite_schema WHERE tbl_name LIKE 'A%' ORDER BY name").count == 11)
  }

  @Test(
    "CTX-385: there are as many columns for values of deleted records as an entity has preserved attributes")
  func tombstoneColumns() throws {
    let tracked = try TrackedStore(HistoryModels.preserving)
    #expect(
      try tracked.rows("SELECT name FROM pragma_table_info('ACHANGE') WHERE name LIKE 'ZTOMB%'")
        == ["ZTOMBSTONE0", "ZTOMBSTONE1", "ZTOMBSTONE2"])
  }

  /// A store in Core Data's form whose history Core Data has begun: by older versions with the texts in the
  /// transactions themselves.
  @Test(
    "CTX-388, STO-174, STO-278: the history of a store of Core Data's goes on without a gap",
    arguments: [true, false])
  func continued(hasStrings: Bool) throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s") { connection in
      var metadata = try SQLiteLayout.readMetadata(connection)
      metadata.values[StoreMetadata.Key.format] = nil
      try SQLiteLayout.writeMetadata(connection, metadata)
      let tables = SQLiteHistoryTables(tombstoneCount: 0)
      for var sql in tables.createStatements
      where hasStrings || !sql.contains("STRING") && !sql.contains("TS)") {
        if !hasStrings {
          for column in SQLiteHistoryTables.Text.allCases.map(\.keyColumn) {
            sql = sql.replacingOccurrences(of: "\(column) INTEGER, ", with: "")
          }
        }
        try connection.execute(sql)
      }
      let columns = hasStrings ? "ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS" : "ZAUTHOR, ZBUNDLEID, ZPROCESSID"
      let values = hasStrings ? "3, 1, 2" : "'apple', 'com.example.App', 'App'"
      if hasStrings {
        try connection.execute(
          "INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'com.example.App'), (2, 16003, NULL, 'App'), "
            + "(3, 16003, NULL, 'apple')")
      }
      try connection.execute(
        """
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, \(columns)) VALUES (7, 16002, 1000, \(values));
        INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
          SELECT 41, 16001, 0, Z_ENT, 1, 7 FROM Z_PRIMARYKEY WHERE Z_NAME = 'Project';
        INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 41), (16002, 'TRANSACTION', 0, 7)
        """)
    }
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: folder.file("s"), model: LayoutModels.company())
    defer { coordinator.close() }
    #expect(coordinator.warnings.map(\.code) == [] && !coordinator.isReadOnly)
    let context = ManagedObjectContext(coordinator: coordinator)
    context.transactionAuthor = "linux"
    try context.insert("Project", ["title": "x"])
    try context.save()
    let found = try context.execute(.fetchHistory(after: nil)).transactions
    #expect(found.map(\.transactionNumber) == [7, 8] && found.map(\.author) == ["apple", "linux"])
    #expect(found[0].bundleID == "com.example.App" && found[0].processID == "App")
    #expect(found.flatMap { $0.changes ?? [] }.map(\.changeID) == [41, 42])
  }

  @Test("CTX-388: a history that is mirrored to a server, or on which triggers work, is not continued")
  func obstacles() throws {
    for sql in [
      "CREATE TABLE ANSCKEVENT (Z_PK INTEGER PRIMARY KEY)",
      "CREATE TRIGGER follow AFTER INSERT ON ACHANGE BEGIN SELECT 1; END",
    ] {
      let tracked = try TrackedStore(TestModels.company())
      try tracked.execute(sql)
      let opened = try PersistentStoreCoordinator.open(storeAt: tracked.stack.path)
      #expect(opened.warnings.map(\.code) == ["store-tracks-history"] && opened.isReadOnly)
      let context = ManagedObjectContext(coordinator: opened)
      try context.insert("Employee", ["name": "x"])
      #expect { try context.save() } throws: { GraphStoreError.code(.readOnlyStore) ~= $0 }
      opened.close()
    }
  }

  @Test(
    "CTX-388: a history of the library's whose tables somebody has changed is not left with a gap",
    arguments: [
      "ALTER TABLE ACHANGE ADD COLUMN ZNEW INTEGER", "DROP TABLE ACHANGE", "DROP TABLE ATRANSACTION",
      "DROP TABLE ATRANSACTIONSTRING",
    ])
  func changedTables(_ sql: String) throws {
    let tracked = try TrackedStore(TestModels.company())
    try tracked.context.insert("Employee", ["name": "x"])
    try tracked.context.save()
    try tracked.execute(sql)
    // Whoever has it open notices as well.
    try tracked.context.insert("Employee", ["name": "y"])
    #expect { try tracked.context.save() } throws: { GraphStoreError.code(.readOnlyStore) ~= $0 }
    let opened = try PersistentStoreCoordinator.open(storeAt: tracked.stack.path)
    defer { opened.close() }
    #expect(opened.warnings.map(\.code) == ["store-tracks-history"] && opened.isReadOnly)
    #expect(try ManagedObjectContext(coordinator: opened).all("Employee").count == 1)
  }

  @Test("CTX-388: tables that are named as those of a history, in a store that has had none, stop nothing")
  func foreignTables() throws {
    let stack = try TestStack(TestModels.company(), factory: .sqlite)
    let connection = try SQLiteConnection(path: stack.path, mode: .readWrite)
    try connection.execute("CREATE TABLE ACHANGE (NOTE VARCHAR); CREATE TABLE ATRANSACTION (AMOUNT INTEGER)")
    connection.close()
    let opened = try PersistentStoreCoordinator.open(storeAt: stack.path)
    defer { opened.close() }
    #expect(opened.warnings.isEmpty && !opened.isReadOnly)
    let context = ManagedObjectContext(coordinator: opened)
    try context.insert("Employee", ["name": "x"])
    try context.save()
  }

  @Test(
    "CTX-378: counters that no store can have come to are told as damage, and nothing is written",
    arguments: [
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_ENT = 16001",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_ENT = 16002",
      "UPDATE ATRANSACTION SET Z_PK = 9223372036854775807",
      "UPDATE ACHANGE SET Z_PK = 9223372036854775807",
      "DELETE FROM ATRANSACTIONSTRING; UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_ENT = 16003",
    ])
  func greatestNumbers(_ sql: String) throws {
    let tracked = try TrackedStore(TestModels.company())
    try tracked.context.insert("Employee", ["name": "x"])
    try tracked.context.save()
    try tracked.execute(sql)
    try tracked.context.insert("Employee", ["name": "y"])
    #expect { try tracked.context.save() } throws: { GraphStoreError.code(.storeCorrupt) ~= $0 }
    #expect(try tracked.rows("SELECT count(*) FROM ZEMPLOYEE") == ["1"])
  }

  @Test("CTX-424: a counter that is behind its rows gives no number twice")
  func counterBehind() throws {
    let tracked = try TrackedStore(TestModels.company())
    for name in ["a", "b"] {
      try tracked.context.insert("Employee", ["name": name])
      try tracked.context.save()
    }
    try tracked.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_ENT > 16000")
    try tracked.context.insert("Employee", ["name": "c"])
    try tracked.context.save()
    #expect(try tracked.history().map(\.transactionNumber) == [1, 2, 3])
  }
}
