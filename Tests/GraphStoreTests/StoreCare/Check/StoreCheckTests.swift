import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite struct StoreCheckTests {
  @Test("A store is checked from its file alone, by the model that it carries")
  func path() throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s")
    #expect(try StoreCheck.run(path: folder.file("s")).allSatisfy { $0.isOK })
    #expect(try StoreCheck.run(path: folder.file("s"), isQuick: true).count == 6)
  }

  @Test(
    "A header that asks for a newer SQLite to write the file is a finding, and said to who opens it for writing"
  )
  func newerWriter() throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s")
    let url = URL(filePath: folder.file("s"))
    var bytes = try Data(contentsOf: url)
    bytes[18] = 111
    try bytes.write(to: url)
    let findings = try StoreCheck.run(path: folder.file("s")).flatMap(\.findings)
    #expect(findings.map(\.name) == ["sqlite integrity"])
    #expect(findings.first?.message.contains("write version 111") == true)
    #expect {
      try PersistentStoreCoordinator.open(storeAt: folder.file("s"))
    } throws: {
      ($0 as? GraphStoreError)?.message.contains("write version 111") == true
        && GraphStoreError.code(.storePermission) ~= $0
    }
    let options = StoreOptions(isReadOnly: true)
    try PersistentStoreCoordinator.open(storeAt: folder.file("s"), options: options).close()
  }

  @Test("STO-281: a store with numbers of its own is checked by them")
  func ownNumbers() throws {
    let folder = try LayoutFolder()
    let model = try LayoutModels.company()
    let numbers = [
      "Department": 9, "Passport": 2, "Person": 1, "Contractor": 12, "Employee": 3, "Manager": 4,
      "Project": 7,
    ]
    let schema = try SQLSchema(StoredEntities(model), entityNumbers: numbers, existingTables: .none)
    try SQLiteLayout.create(at: folder.file("s"), schema: schema, metadata: StoreMetadata(model: model))
      .close()
    #expect(try StoreCheck.run(path: folder.file("s")).flatMap(\.findings) == [])
  }

  @Test("An entity without a number is a finding, not the end of the check")
  func missingNumber() throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s") { try $0.execute("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Manager'") }
    let findings = try StoreCheck.run(path: folder.file("s")).flatMap(\.findings)
    #expect(findings.map(\.subject) == ["Manager"])
  }

  @Test("What is no store cannot be checked, and says so")
  func noStore() throws {
    let folder = try LayoutFolder()
    #expect { try StoreCheck.run(path: folder.file("no")) } throws: {
      GraphStoreError.code(.storeNotFound) ~= $0
    }
    #expect { try StoreCheck.run(path: folder.path) } throws: { GraphStoreError.code(.notAStore) ~= $0 }
    #expect(try folder.state().isEmpty)
  }

  @Test("STO-217: a carried model that is damaged or missing is told", arguments: ["{", "", nil])
  func damagedModel(text: String?) throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s") { connection in
      var metadata = try SQLiteLayout.readMetadata(connection)
      metadata.values[StoreMetadata.Key.model] = text.map { .string($0) }
      try SQLiteLayout.writeMetadata(connection, metadata)
    }
    #expect {
      try StoreCheck.run(path: folder.file("s"))
    } throws: { error in
      text == nil
        ? GraphStoreError.code(.storeCorrupt) ~= error : (error as? ModelError)?.code == "model-syntax"
    }
  }

  @Test("STO-331: a text of a file written by others that is no URI is listed, and goes when it is cleared")
  func texts() throws {
    let folder = try LayoutFolder()
    let path = folder.file("s")
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition("Page", attributes: [AttributeDefinition("place", .uri)])
      ]))
    try PersistentStoreCoordinator.create(storeAt: path, model: model).close()
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    let texts = [
      "'http://example.org/?q=%20#top'", "'a/b'", "NULL", "'http://example.org' || char(15) || '8'", "''",
      "'http://example.org/a b'", "CAST(x'687474703A2F2FFF' AS TEXT)",
    ]
    for (index, text) in texts.enumerated() {
      try connection.execute(
        "INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZPLACE) VALUES (\(index + 1), 1, 1, \(text))")
    }
    try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(texts.count)")
    connection.close()
    let findings = try StoreCheck.run(path: path).flatMap(\.findings)
    #expect(findings.map(\.message) == ["4 rows with a value that does not fit"])
    #expect(findings.first?.objects == ["Page/p4", "Page/p5", "Page/p6", "Page/p7"])
    _ = try StoreRepair(path: path, clearing: ["Page.place"]).run()
    #expect(try StoreCheck.run(path: path).flatMap(\.findings) == [])
  }

  @Test("A store that is being written is checked as it was last committed")
  func besideWriter() throws {
    let folder = try LayoutFolder()
    let writer = try folder.openStore("s")
    try writer.transaction {
      try writer.execute("INSERT INTO ZPROJECT (Z_PK, Z_ENT) VALUES (9, 99)")
      #expect(try StoreCheck.run(path: folder.file("s")).allSatisfy { $0.isOK })
    }
    #expect(try StoreCheck.run(path: folder.file("s")).contains { !$0.isOK })
  }

  @Test(
    "Every shape of index, constraint and relationship passes a check of a new store of random entities",
    arguments: TestSeed.sequence(1, from: 77))
  func randomModels(seed: TestSeed) throws {
    var random = seed.generator
    for round in 0..<30 {
      let model = try ManagedObjectModel(RandomModel.definition(using: &random))
      let folder = try LayoutFolder()
      let schema = SQLSchema(model: model)
      try SQLiteLayout.create(at: folder.file("s"), schema: schema, metadata: StoreMetadata(model: model))
        .close()
      let findings = try StoreCheck.run(path: folder.file("s")).flatMap(\.findings)
      #expect(findings == [], "\(seed) round \(round)")
      let names = schema.tables.map(\.name) + schema.joinTables.map(\.name)
      #expect(Set(names).count == names.count, "\(seed) round \(round)")
      for entity in schema.entities {
        #expect(entity.storage.count == entity.entity.properties.count)
      }
    }
  }
}
