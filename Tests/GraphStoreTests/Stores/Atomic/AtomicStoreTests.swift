import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStore

@Suite("Stores that are one document")
struct AtomicStoreTests {
  private static let extremes: [(String, Value)] = [
    ("small", .int(-32_768)), ("medium", .int(2_147_483_647)), ("large", .int(.max)), ("large", .int(.min)),
    ("large", .int(9_007_199_254_740_993)), ("ratio", .double(0.1 + 0.2)), ("ratio", .double(.infinity)),
    ("ratio", .double(.leastNonzeroMagnitude)), ("ratio", .double(-1.7976931348623157e308)),
    ("single", .double(Double(Float(0.1)))),
    ("single", .double(-.infinity)), ("text", .string("")),
    ("text", .string("\u{0}\u{1}\r\n\t\"\\<&>\u{7F}\u{2028}")),
    ("text", .string("e\u{301} é 🙂 \u{FFFE}\u{FFFF}")), ("text", .string("  blanks  ")),
    ("flag", .bool(true)),
    ("flag", .bool(false)), ("moment", .date(Date(timeIntervalSinceReferenceDate: 0.1))),
    ("moment", .date(Date(timeIntervalSinceReferenceDate: -63_113_904_000.000_01))),
    ("moment", .date(Date(timeIntervalSinceReferenceDate: 1e300))), ("bytes", .data(Data())),
    ("bytes", .data(Data(0...255))),
  ]

  @Test(
    "STO-061, STO-069, STO-070, STO-077, STO-078: every value is read back as it was, and every number exactly",
    arguments: AtomicFolder.types)
  func values(_ type: StoreType) throws {
    let folder = try AtomicFolder(type)
    let context = try folder.make(TestModels.types)
    let uuid = UUID()
    let url = try #require(URL(string: "https://example.org/a%20b?c=d&e#f"))
    let decimals = [
      "12345678901234567890123456789012345678", "-0.00000000000000000000000000000000000001", "1e127",
      "-1e-127", "0",
      "79228162514264337593543950335", "123456789012345.678901234567890123",
    ].compactMap { Decimal(string: $0) }
    let values =
      Self.extremes + decimals.map { ("money", .decimal($0)) } + [("tag", .uuid(uuid)), ("link", .uri(url))]
    for (key, value) in values {
      let thing = try context.insert(entityNamed: "Thing")
      try thing.setQueryValue(value, forKey: key)
    }
    try context.save()
    let read = try folder.open().fetch(FetchRequest(entityName: "Thing")).sorted {
      $0.objectID.key < $1.objectID.key
    }
    try #require(read.count == values.count)
    for thing in read {
      let saved = try context.existingObject(with: thing.objectID)
      for key in values.map(\.0) {
        let (left, right) = (try saved.queryValue(forKey: key), try thing.queryValue(forKey: key))
        #expect(left == right, "\(key): \(left), \(right)")
        if case .double(let number) = left, case .double(let other) = right {
          #expect(number.bitPattern == other.bitPattern)
        }
        if case .string(let text) = left, case .string(let other) = right {
          #expect(Array(text.utf8) == Array(other.utf8))
        }
      }
    }
  }

  @Test(
    "STO-060, STO-061, STO-062, STO-020: a store keeps links, order, identifiers, versions and its model, in the same bytes",
    arguments: AtomicFolder.types)
  func graph(_ type: StoreType) throws {
    let folder = try AtomicFolder(type)
    let context = try folder.make(TestModels.company(isOrdered: true))
    let departments = try ["A", "B"].map { try context.insert("Department", ["name": $0]) }
    let people = try (1...6).map { number in
      try context.insert(number == 1 ? "Manager" : "Employee", ["name": "E\(number)", "salary": number])
    }
    try departments[0].setValue([people[3], people[0], people[2]], forKey: "employees")
    try people[1].setValue(people[0], forKey: "manager")
    try people[2].setValue(people[3], forKey: "spouse")
    for (one, other) in [(0, 1), (1, 4), (2, 2)] {
      try people[one].setValue(people[one].objects(forKey: "friends") + [people[other]], forKey: "friends")
    }
    let project = try context.insert("Project", ["name": "P"])
    try project.setValue([people[5], people[0], people[4]], forKey: "members")
    try people[4].setValue(context.insert("Desk", ["name": "D"]), forKey: "desk")
    try context.save()
    try people[0].setValue("renamed", forKey: "name")
    try context.save()
    let again = try folder.open()
    #expect(try AtomicFolder.content(again) == AtomicFolder.content(context))
    let read = try again.all("Department", "name == 'A'")[0]
    #expect(try read.names("employees") == ["E4", "renamed", "E3"])
    #expect(
      again.coordinator.persistentStores[0].identifier == context.coordinator.persistentStores[0].identifier)
    #expect(
      again.coordinator.managedObjectModel.entities.map(\.name)
        == context.coordinator.managedObjectModel.entities.map(\.name))
    let uri = people[4].objectID.uriRepresentation
    #expect(
      again.coordinator.managedObjectID(forURIRepresentation: uri)?.shortForm == people[4].objectID.shortForm)
    // What is written anew by one that has read it differs in nothing but what was changed and changed back.
    let bytes = try folder.bytes()
    let store = again.coordinator.persistentStores[0]
    var metadata = try again.coordinator.metadata(for: store)
    for note in [Value.string("x"), nil] {
      metadata["note"] = note
      try again.coordinator.setMetadata(metadata, for: store)
      try again.save()
    }
    #expect(try folder.bytes() == bytes)
  }

  @Test(
    "STO-061: keys grow over sessions and are never given twice, not even those of objects that were deleted",
    arguments: AtomicFolder.types)
  func keys(_ type: StoreType) throws {
    let folder = try AtomicFolder(type)
    var seen: Set<Int64> = []
    _ = try folder.make(TestModels.company())
    for round in 1...4 {
      let context = try folder.open()
      try context.all("Employee").forEach(context.delete)
      for name in ["a", "b"] {
        let person = try context.insert("Employee", ["name": name])
        // One that is given away, and whose object is never saved.
        if round == 2, name == "b" {
          try context.obtainPermanentIDs(for: [person])
          seen.insert(person.objectID.key)
          try context.delete(person)
        }
      }
      try context.save()
      for person in try context.all("Employee") { #expect(seen.insert(person.objectID.key).inserted) }
    }
    #expect(seen == Set(1...8))
  }

  @Test(
    "STO-055, STO-058: nothing to write leaves the file untouched, and an empty file is no store of the type",
    arguments: AtomicFolder.types)
  func untouched(_ type: StoreType) throws {
    let folder = try AtomicFolder(type)
    let context = try folder.make(TestModels.company())
    let department = try context.insert("Department", ["name": "A"])
    try context.save()
    let stamp = try #require(FileStamp(folder.path()))
    try context.save()
    try context.insert("Department", ["name": "B"])
    context.rollback()
    try context.save()
    let coordinator = context.coordinator
    try coordinator.setMetadata(coordinator.metadata(), for: coordinator.persistentStores[0])
    try context.save()
    _ = try folder.open().all("Department")
    #expect(FileStamp(folder.path()) == stamp)
    try department.setValue("C", forKey: "name")
    try context.save()
    #expect(FileStamp(folder.path()) != stamp)
    try folder.write([], to: "empty")
    var options = StoreOptions()
    options.type = type
    _ = try expectFailure(.storeCorrupt) { _ = try folder.open("empty", options) }
    #expect(try folder.bytes("empty").isEmpty)
  }

  @Test(
    "STO-059, CTX-430, CTX-431, STO-116, DGN-195: a file that others have changed is not written, nor are changes lost",
    arguments: AtomicFolder.types)
  func changedByOthers(_ type: StoreType) throws {
    let folder = try AtomicFolder(type)
    let context = try folder.make(TestModels.company())
    let other = try folder.open()
    try other.insert("Department", ["name": "theirs"])
    try other.save()
    let bytes = try folder.bytes()
    let mine = try context.insert("Department", ["name": "mine"])
    for _ in 0..<2 {
      let error = try expectFailure(.fileChanged) { try context.save() }
      #expect(error.number == 136_042)
    }
    #expect(try folder.bytes() == bytes)
    #expect(context.insertedObjects == [mine] && mine.objectID.isTemporaryID)
    // Metadata by location are such a change too.
    try PersistentStoreCoordinator.setMetadata(
      ["note": .string("x")], forPersistentStoreAt: URL(fileURLWithPath: folder.path()))
    try other.insert("Department", ["name": "later"])
    _ = try expectFailure(.fileChanged) { try other.save() }
    var options = StoreOptions()
    options.overwritesChangedFile = true
    let bold = try folder.open("store", options)
    try folder.write(Array("not a store".utf8))
    try bold.insert("Department", ["name": "bold"])
    try bold.save()
    #expect(
      try folder.open().all("Department", sort: ["name"]).map { try $0.string("name") } == ["bold", "theirs"])
    try FileManager.default.removeItem(atPath: folder.path())
    try bold.insert("Department", ["name": "again"])
    try bold.save()
    #expect(try folder.open().all("Department").count == 3)
    #expect(try folder.names() == ["store"])
  }

  @Test(
    "STO-056, STO-057: saving keeps the file's mode, follows a link, and leaves nothing beside it",
    arguments: AtomicFolder.types)
  func replacement(_ type: StoreType) throws {
    let folder = try AtomicFolder(type)
    let made = try folder.make(TestModels.company())
    made.coordinator.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: folder.path())
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "store")
    // What a killed process has left.
    try folder.write([1], to: ".store.saving-0000000000abc")
    let context = try folder.open("link")
    try context.insert("Department", ["name": "A"])
    try context.save()
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "store")
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path())[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try folder.open().all("Department").count == 1)
    #expect(try folder.names() == ["link", "store"])
  }

  @Test(
    "STO-019, STO-065, DGN-185: nothing is made over a file, nor a file where making it fails",
    arguments: AtomicFolder.types)
  func making(_ type: StoreType) throws {
    let folder = try AtomicFolder(type)
    try folder.write(Array("mine".utf8), to: "taken")
    _ = try expectFailure(.storeExists) { _ = try folder.make(TestModels.company(), "taken") }
    try folder.write([], to: "empty")
    _ = try folder.make(TestModels.company(), "empty")
    #expect(try folder.open("empty").all("Department").isEmpty)
    #expect(throws: GraphStoreError.self) { try folder.make(TestModels.company(), "no/folder/store") }
    #expect(try folder.names() == ["empty", "taken"])
    _ = try expectFailure(.storeNotFound) {
      var options = StoreOptions()
      options.type = type
      _ = try folder.open("missing", options)
    }
  }

  @Test(
    "STO-021, STO-022, STO-047: a type is detected by the first bytes, recorded, and held against the one that is asked for",
    arguments: AtomicFolder.types)
  func detection(_ type: StoreType) throws {
    let folder = try AtomicFolder(type)
    _ = try folder.make(TestModels.company())
    #expect(StoreType.detected(at: folder.path()) == type)
    let url = URL(fileURLWithPath: folder.path())
    let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: url)
    #expect(metadata["NSStoreType"] == .string(type.rawValue))
    #expect(StoreModel.isStore(folder.path()))
    #expect(try StoreModel.load(fromStoreAt: folder.path()).model.entity(named: "Desk").name == "Desk")
    _ = try expectFailure(.storeTypeMismatch) {
      _ = try PersistentStoreCoordinator.metadataForPersistentStore(at: url, type: .sqlite)
    }
    _ = try PersistentStoreCoordinator.create(
      storeAt: folder.path("sqlite"), model: ManagedObjectModel(TestModels.company()))
    var options = StoreOptions()
    options.type = type
    _ = try expectFailure(.storeTypeMismatch) { _ = try folder.open("sqlite", options) }
  }

  @Test(
    "STO-014, STO-026, CTX-183: a container loads it, and beside a SQLite store it is one of several",
    arguments: AtomicFolder.types)
  func container(_ type: StoreType) async throws {
    let folder = try AtomicFolder(type)
    let model = try ManagedObjectModel(TestModels.company())
    let container = PersistentContainer(name: "Atomic", model: model)
    var description = PersistentStoreDescription(url: URL(fileURLWithPath: folder.path()))
    description.type = type
    container.persistentStoreDescriptions = [
      description, PersistentStoreDescription(url: URL(fileURLWithPath: folder.path("two.db"))),
    ]
    try await container.loadPersistentStores()
    let coordinator = container.persistentStoreCoordinator
    #expect(coordinator.persistentStores.map(\.typeName) == [type.rawValue, "SQLite"])
    let context = ManagedObjectContext(coordinator: coordinator)
    for store in coordinator.persistentStores {
      try context.assign(context.insert("Department", ["name": store.typeName]), to: store)
    }
    try context.save()
    #expect(try folder.open().all("Department").map { try $0.string("name") } == [type.rawValue])
    _ = try expectFailure(.storeAlreadyOpen) { try coordinator.addStore(at: folder.path()) }
  }

  @Test(
    "STO-168, CTX-430: a store that is read only, or may not be written, is left alone",
    arguments: AtomicFolder.types)
  func readOnly(_ type: StoreType) throws {
    let folder = try AtomicFolder(type)
    _ = try folder.make(TestModels.company())
    let bytes = try folder.bytes()
    let context = try folder.open("store", StoreOptions(isReadOnly: true))
    try context.insert("Department", ["name": "A"])
    _ = try expectFailure(.readOnlyStore) { try context.save() }
    #expect(try folder.bytes() == bytes)
  }

  @Test(
    "STO-054: a batch request writes the file once, with the outcome that it has in other types",
    arguments: AtomicFolder.types)
  func batches(_ type: StoreType) throws {
    let folder = try AtomicFolder(type)
    let context = try folder.make(TestModels.company())
    for number in 1...5 { try context.insert("Employee", ["name": "E\(number)", "salary": number]) }
    try context.save()
    let deletion = BatchDeleteRequest(
      FetchRequest(
        entityName: "Employee", predicate: try QueryPredicate(parsing: "salary > 3")))
    _ = try context.execute(deletion)
    #expect(try folder.open().all("Employee").count == 3)
  }

  @Test(
    "MIG-024, DGN-221: another version is refused without the option to migrate, and what only SQLite stores have by name",
    arguments: AtomicFolder.types)
  func otherVersions(_ type: StoreType) throws {
    let folder = try AtomicFolder(type)
    _ = try folder.make(TestModels.company())
    var next = TestModels.company()
    next.entities[0].attributes.append(AttributeDefinition("city", .string))
    let model = try ManagedObjectModel(next)
    let bytes = try folder.bytes()
    _ = try expectFailure(.incompatibleModel) { _ = try folder.open(model: model) }
    #expect(try StoreCheck.run(path: folder.path()).allSatisfy(\.findings.isEmpty))
    #expect(try folder.bytes() == bytes)
    let opened = try folder.open()
    _ = try expectFailure(.notSupported) {
      try opened.coordinator.setURL(
        URL(fileURLWithPath: folder.path("elsewhere")), for: opened.coordinator.persistentStores[0])
    }
  }

  @Test(
    "STO-048, FLT-176: opening reads the whole graph, and no fault is ever fired with the file",
    arguments: AtomicFolder.types)
  func wholeGraph(_ type: StoreType) throws {
    let folder = try AtomicFolder(type)
    let made = try folder.make(TestModels.company())
    let department = try made.insert("Department", ["name": "A"])
    try made.insert("Employee", ["name": "E", "department": department])
    try made.save()
    let context = try folder.open()
    try folder.write([])
    let read = try context.all("Employee")[0]
    #expect(try read.object(forKey: "department")?.string("name") == "A")
    try context.refreshAllObjects()
    #expect(try read.string("name") == "E")
    #expect(context.coordinator.statementCount == 0)
  }
}
