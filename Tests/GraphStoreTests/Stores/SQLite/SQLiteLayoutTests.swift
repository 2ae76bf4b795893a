import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite struct SQLiteLayoutTests {
  @Test("STO-188, STO-221: a new file has the pragmas of the layout")
  func pragmas() throws {
    let folder = try LayoutFolder()
    let connection = try folder.openStore("s")
    let values = try [
      "page_size", "auto_vacuum", "encoding", "journal_mode", "user_version", "application_id",
    ]
    .map { try connection.string("PRAGMA \($0)") ?? "" }
    #expect(values == ["4096", "2", "UTF-8", "wal", "0", "0"])
    #expect(try connection.int64("SELECT count(*) FROM sqlite_schema WHERE type IN ('view', 'trigger')") == 0)
    #expect(try connection.string("PRAGMA integrity_check") == "ok")
  }

  @Test("STO-226, STO-228: every entity has a row with its parent's number and the counter 0")
  func primaryKeys() throws {
    let folder = try LayoutFolder()
    let connection = try folder.openStore("s")
    let rows = try connection.string(
      "SELECT group_concat(Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER || ' ' || Z_MAX) FROM Z_PRIMARYKEY")
    #expect(
      rows
        == "1 Department 0 0,2 Passport 0 0,3 Person 0 0,4 Contractor 3 0,5 Employee 3 0,6 Manager 5 0,7 Project 0 0"
    )
    #expect(try SQLiteLayout.readEntityNumbers(connection)["Manager"] == 6)
  }

  @Test(
    "STO-222, STO-223, STO-224, STO-225: the metadata has one row, a UUID in capitals and a binary property list"
  )
  func metadata() throws {
    let folder = try LayoutFolder()
    let model = try LayoutModels.company()
    let written = StoreMetadata(model: model)
    let connection = try SQLiteLayout.create(
      at: folder.file("s"), schema: SQLSchema(model: model), metadata: written)
    #expect(try connection.string("SELECT group_concat(Z_VERSION) FROM Z_METADATA") == "1")
    #expect(try connection.string("SELECT Z_UUID FROM Z_METADATA") == written.identifier.uuidString)
    #expect(try connection.string("SELECT CAST(substr(Z_PLIST, 1, 8) AS TEXT) FROM Z_METADATA") == "bplist00")
    #expect(try !SQLiteLayout.readTableNames(connection).contains(SQLiteLayout.modelCacheTable))
    let read = try SQLiteLayout.readMetadata(connection)
    #expect(read == written)
    #expect(read.values["NSStoreType"] == .string("SQLite"))
    #expect(read.values["NSStoreModelVersionHashesVersion"] == .int(3))
    #expect(read.values["NSStoreModelVersionIdentifiers"] == .list([.string("1")]))
    #expect(read.values["_NSAutoVacuumLevel"] == .string("2"))
    #expect(read.values["NSStoreUUID"] == nil)
    #expect(read.versionHashes == model.entityVersionHashesByName)
    #expect(read.versionHashes.values.allSatisfy { $0.count == 32 })
    #expect(read.versionChecksum == model.versionChecksum)
    #expect(read.versionHashesDigest.flatMap { Data(base64Encoded: $0) }?.count == 64)
    #expect(read.format == 1)
    let carried = try ManagedObjectModel(storedJSON: try #require(read.modelText))
    #expect(carried.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(carried.definition == model.definition)
    #expect((read.frameworkVersion ?? 0) > 0)
    let nameless = StoreMetadata(model: try ManagedObjectModel(ModelDefinition(entities: [])))
    #expect(nameless.values["NSStoreModelVersionIdentifiers"] == .list([.string("")]))
  }

  @Test("STO-109: values of programs come back with their types, beside keys nobody knows")
  func userValues() throws {
    let folder = try LayoutFolder()
    let connection = try folder.openStore("s")
    var metadata = try SQLiteLayout.readMetadata(connection)
    let values: [String: Value] = [
      "text": .string("é\u{0}x"), "one": .int(1), "zero": .int(0), "yes": .bool(true), "no": .bool(false),
      "half": .double(0.5),
      "real": .double(1), "least": .int(.min), "date": .date(Date(timeIntervalSinceReferenceDate: 0.25)),
      "data": .data(Data([0, 255])), "list": .list([.int(1), .bool(true), .string("")]),
      "deep": .dictionary(["a": .list([.dictionary([:])])]), "kMDItemKeywords": .list([]),
    ]
    try metadata.setUserValues(values.mapValues { $0 })
    try SQLiteLayout.writeMetadata(connection, metadata)
    let read = try SQLiteLayout.readMetadata(connection)
    #expect(read.userValues == values)
    #expect(read == metadata)
    metadata.values["_NSFuture"] = .string("kept")
    try metadata.setUserValues(["text": nil])
    try SQLiteLayout.writeMetadata(connection, metadata)
    #expect(try SQLiteLayout.readMetadata(connection).values["_NSFuture"] == .string("kept"))
    #expect(try SQLiteLayout.readMetadata(connection).values["text"] == nil)
  }

  @Test(
    "STO-108: reserved keys cannot be set",
    arguments: ["NSStoreType", "NSPersistenceX", "_NSx", "_GSModel", "NSStoreUUID"])
  func reservedKeys(key: String) throws {
    var metadata = StoreMetadata(model: try LayoutModels.company())
    #expect { try metadata.setUserValues([key: .string("mine")]) } throws: {
      GraphStoreError.code(.metadataReserved) ~= $0
    }
    let same = metadata.all[key]
    try metadata.setUserValues([key: same])
  }

  @Test("STO-109: a value that a property list cannot hold is refused with its key path")
  func unfitValues() throws {
    let folder = try LayoutFolder()
    let connection = try folder.openStore("s")
    let before = try SQLiteLayout.readMetadata(connection)
    for value in [
      Value.double(.nan), .null, .decimal(1), .date(Date(timeIntervalSinceReferenceDate: .infinity)),
    ] {
      var metadata = before
      try metadata.setUserValues(["a": .dictionary(["b": .list([.int(1), value])])])
      #expect { try SQLiteLayout.writeMetadata(connection, metadata) } throws: {
        GraphStoreError.code(.metadataInvalid) ~= $0 && "\($0)".contains("a.b.1")
      }
    }
    #expect(try SQLiteLayout.readMetadata(connection) == before)
  }

  @Test("STO-219: a new file has the mode that the umask leaves of 0666")
  func fileMode() throws {
    let folder = try LayoutFolder()
    let mask = umask(0)
    umask(mask)
    try folder.makeStore("s")
    let mode =
      try FileManager.default.attributesOfItem(atPath: folder.file("s"))[.posixPermissions] as? NSNumber
    #expect(mode?.uint32Value == 0o666 & ~UInt32(mask))
  }

  @Test("A model that no table can hold leaves no file")
  func unsupportedModel() throws {
    let folder = try LayoutFolder()
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [
        EntityDefinition(
          "Place",
          attributes: [AttributeDefinition("at", .int32)],
          indexes: [IndexDefinition("odd", elements: [.init(expression: "lowercase:(at)")])])
      ]))
    #expect {
      try SQLiteLayout.create(
        at: folder.file("s"), schema: SQLSchema(model: model),
        metadata: StoreMetadata(model: model))
    } throws: {
      GraphStoreError.code(.notSupported) ~= $0 && "\($0)".contains("odd of Place")
    }
    #expect(try folder.state().isEmpty)
  }

  @Test("An existing store is not made anew")
  func existing() throws {
    let folder = try LayoutFolder()
    try folder.makeStore("s")
    let before = try folder.state()
    #expect { try folder.makeStore("s") } throws: { GraphStoreError.code(.storeExists) ~= $0 }
    #expect { try folder.makeStore(".") } throws: { GraphStoreError.code(.storeExists) ~= $0 }
    #expect(try folder.state() == before)
  }

  @Test("STO-023: a missing folder is not made")
  func missingFolder() throws {
    let folder = try LayoutFolder()
    #expect { try folder.makeStore("no/s") } throws: { GraphStoreError.code(.storeOpen) ~= $0 }
    #expect(try folder.state().isEmpty)
  }

  @Test("STO-264: missing values do not collide, and a constraint of a sub-entity covers its tree only")
  func constraints() throws {
    let folder = try LayoutFolder()
    let connection = try folder.openStore("s")
    let insert = "INSERT INTO ZPERSON (Z_ENT, ZBADGE) VALUES"
    try connection.execute("\(insert) (5, NULL), (5, NULL), (4, 7), (4, 7), (5, 7), (6, 8)")
    #expect { try connection.execute("\(insert) (6, 7)") } throws: {
      ($0 as? SQLiteError)?.constraintColumns == [.init(table: "ZPERSON", column: "ZBADGE")]
    }
  }
}
