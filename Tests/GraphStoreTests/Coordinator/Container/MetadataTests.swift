import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Metadata that wait for a save")
struct PendingMetadataTests {
  private let stack: TestStack
  private let store: PersistentStoreReference
  private var coordinator: PersistentStoreCoordinator { stack.coordinator }

  init() throws {
    stack = try TestStack(TestModels.company())
    store = stack.coordinator.persistentStores[0]
  }

  private func set(_ key: String, _ value: Value?) throws {
    var metadata = try coordinator.metadata(for: store)
    metadata[key] = value
    try coordinator.setMetadata(metadata, for: store)
  }

  /// What is in the file.
  private func stored(_ key: String, at path: String? = nil) throws -> Value? {
    try PersistentStoreCoordinator.metadataForPersistentStore(
      at: URL(fileURLWithPath: path ?? stack.path))[key]
  }

  @Test(
    "STO-107, STO-110, STO-113: set metadata are the program's at once, and the file's after the next save")
  func waiting() throws {
    try set("owner", .string("Ada"))
    #expect(try coordinator.metadata(for: store)["owner"] == .string("Ada"))
    #expect(store.hasUnsavedMetadata)
    #expect(try stored("owner") == nil)
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    #expect(!store.hasUnsavedMetadata)
    #expect(try stored("owner") == .string("Ada"))
    #expect(try coordinator.metadata(for: store)["owner"] == .string("Ada"))
  }

  @Test("STO-113: a save of any context writes them, also of one without changed objects")
  func withoutObjects() throws {
    try set("owner", .string("Ada"))
    let other = stack.newContext()
    #expect(!other.hasChanges)
    try other.save()
    #expect(!store.hasUnsavedMetadata)
    #expect(try stored("owner") == .string("Ada"))
    let cost = try stack.statements { try other.save() }
    #expect(cost == 0)
  }

  @Test("STO-108: keys of the store's own may be left out and stay; other keys that are left out go")
  func leavingOut() throws {
    try set("a", .int(1))
    try set("b", .int(2))
    try stack.context.save()
    let uuid = try coordinator.metadata(for: store)["NSStoreUUID"]
    try coordinator.setMetadata(["b": .int(2)], for: store)
    #expect(try coordinator.metadata(for: store)["a"] == nil)
    #expect(try stored("a") == .int(1))
    try stack.context.save()
    #expect(try stored("a") == nil)
    #expect(try stored("b") == .int(2))
    #expect(try stored("NSStoreUUID") == uuid && uuid != nil)
    #expect(try stored("_GSModel") != nil)
  }

  @Test(
    "STO-108: another value of a reserved key is refused, and nothing waits",
    arguments: [
      "NSStoreUUID", "NSStoreType", "NSPersistenceFrameworkVersion", "_NSAutoVacuumLevel", "_GSOther",
    ])
  func reserved(_ key: String) throws {
    let error = #expect(throws: GraphStoreError.self) {
      try coordinator.setMetadata([key: .string("mine"), "a": .int(1)], for: store)
    }
    #expect(error?.code == .metadataReserved)
    #expect(!store.hasUnsavedMetadata)
    let whole = try coordinator.metadata(for: store)
    try coordinator.setMetadata(whole, for: store)
    #expect(!store.hasUnsavedMetadata)
  }

  @Test("STO-109: a value that cannot be kept is refused when it is set, with its key path")
  func invalid() throws {
    for value in [Value.double(.nan), .decimal(1), .uuid(UUID())] {
      let error = #expect(throws: GraphStoreError.self) {
        try coordinator.setMetadata(["a": .dictionary(["b": .list([.int(1), value])])], for: store)
      }
      #expect(error?.code == .metadataInvalid)
      #expect(error?.message.contains("a.b.1") == true)
    }
    #expect(!store.hasUnsavedMetadata)
  }

  @Test("STO-114: a save that fails leaves the file as it was, and the metadata waiting")
  func failedSave() throws {
    let first = try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    let other = try stack.otherProcess()
    try other.all("Employee")[0].setValue("theirs", forKey: "name")
    try other.save()
    try first.setValue("mine", forKey: "name")
    try set("owner", .string("Ada"))
    for _ in 0..<2 {
      #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .mergeConflict }
      #expect(store.hasUnsavedMetadata)
      #expect(try stored("owner") == nil)
    }
    stack.context.rollback()
    try stack.context.save()
    #expect(try stored("owner") == .string("Ada"))
  }

  @Test("STO-114: so does one that finds the store locked")
  func locked() throws {
    let path = stack.path
    let coordinator = try PersistentStoreCoordinator.open(
      storeAt: path, options: StoreOptions(timeout: .milliseconds(20)))
    let own = coordinator.persistentStores[0]
    try coordinator.setMetadata(["a": .int(1)], for: own)
    let transaction = try stack.coordinator.beginTransaction()
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect { try context.save() } throws: { ($0 as? GraphStoreError)?.code == .storeTimeout }
    #expect(own.hasUnsavedMetadata)
    try transaction.rollback()
    try context.save()
    #expect(try stored("a") == .int(1))
  }

  @Test("STO-116: a save merges key by key with what others have written meanwhile")
  func merging() throws {
    let url = URL(fileURLWithPath: stack.path)
    try PersistentStoreCoordinator.setMetadata(
      ["both": .int(0), "theirs": .int(0), "removed": .int(0), "kept": .int(0)], forPersistentStoreAt: url)
    try set("both", .string("mine"))
    try set("removed", nil)
    var metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: url)
    metadata["both"] = .string("theirs")
    metadata["theirs"] = .int(1)
    metadata["new"] = .int(2)
    try PersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreAt: url)
    #expect(try coordinator.metadata(for: store)["both"] == .string("mine"))
    #expect(try coordinator.metadata(for: store)["theirs"] == .int(1))
    try stack.context.save()
    let merged = try PersistentStoreCoordinator.metadataForPersistentStore(at: url)
    #expect(merged["both"] == .string("mine"))
    #expect(merged["theirs"] == .int(1))
    #expect(merged["new"] == .int(2))
    #expect(merged["kept"] == .int(0))
    #expect(merged["removed"] == nil)
  }

  @Test("STO-113: in a transaction they are written with the first save, and wait until the commit")
  func transaction() throws {
    try set("owner", .string("Ada"))
    struct Taken: Error {}
    #expect(throws: Taken.self) {
      try coordinator.transaction(with: stack.context) { _ in
        try stack.context.insert("Employee", ["name": "Ada"])
        try stack.context.save()
        throw Taken()
      }
    }
    #expect(store.hasUnsavedMetadata)
    #expect(try stored("owner") == nil)
    try coordinator.transaction(with: stack.context) { transaction in
      _ = #expect(throws: Taken.self) {
        try transaction.savepoint {
          try stack.context.save()
          throw Taken()
        }
      }
    }
    #expect(store.hasUnsavedMetadata)
    #expect(try stored("owner") == nil)
    try coordinator.transaction(with: stack.context) { _ in
      try stack.context.save()
      #expect(try stored("owner") == nil)
    }
    #expect(!store.hasUnsavedMetadata)
    #expect(try stored("owner") == .string("Ada"))
  }

  @Test("STO-113: a save writes what waits for each store, also for those whose objects it leaves alone")
  func severalStores() throws {
    let path = stack.path + ".second"
    let second = try coordinator.addStore(at: path)
    try coordinator.setMetadata(["a": .int(1)], for: store)
    try coordinator.setMetadata(["a": .int(2)], for: second)
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    #expect(!store.hasUnsavedMetadata && !second.hasUnsavedMetadata)
    #expect(try stored("a") == .int(1))
    #expect(try stored("a", at: path) == .int(2))
  }

  @Test("STO-114: of several stores none is written where one cannot be")
  func oneOfSeveralLocked() throws {
    let path = stack.path + ".second"
    let second = try coordinator.addStore(at: path, options: StoreOptions(timeout: .milliseconds(20)))
    try coordinator.setMetadata(["a": .int(1)], for: store)
    try coordinator.setMetadata(["a": .int(2)], for: second)
    try stack.context.insert("Employee", ["name": "Ada"])
    let holder = try SQLiteConnection(path: path, mode: .readWrite)
    try holder.begin(.immediate)
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .storeTimeout }
    #expect(store.hasUnsavedMetadata && second.hasUnsavedMetadata && stack.context.hasChanges)
    #expect(try stored("a") == nil)
    try holder.rollback()
    try stack.context.save()
    #expect(try stored("a") == .int(1))
    #expect(try stored("a", at: path) == .int(2))
  }

  @Test("Metadata set again while a save commits go on waiting")
  func setAgain() throws {
    var pending = PendingMetadata()
    pending.add(["a": .int(1), "b": .int(1), "c": nil], 0)
    let written = PendingMetadata.Written(index: 0, changes: pending[0])
    pending.add(["b": .int(2)], 0)
    pending.end(written)
    #expect(pending[0] == ["b": .int(2)])
  }

  @Test("STO-118: an object's URI is a proper value and leads to the object later")
  func objectURI() throws {
    let ada = try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    try set("first", .string(ada.objectID.uriRepresentation.absoluteString))
    try stack.context.save()
    let other = try stack.otherProcess()
    let metadata = try other.coordinator.metadata()
    guard case .string(let text)? = metadata["first"], let url = URL(string: text) else {
      Issue.record("no URI")
      return
    }
    let id = try #require(other.coordinator.managedObjectID(forURIRepresentation: url))
    #expect(try other.existingObject(with: id).string("name") == "Ada")
  }

  @Test("STO-122: what others write into the metadata changes nothing of how the store opens")
  func untrusted() throws {
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    coordinator.close()
    let raw = try SQLiteConnection(path: stack.path, mode: .readWrite)
    var metadata = try SQLiteLayout.readMetadata(raw)
    for (key, value) in [
      ("NSStoreType", Value.int(7)), ("NSPersistenceFrameworkVersion", .string("x")),
      ("NSStoreModelVersionHashesDigest", .data(Data())), ("NSStoreModelVersionChecksumKey", .bool(true)),
      ("NSStoreModelVersionIdentifiers", .dictionary([:])), ("_NSAutoVacuumLevel", .int(-1)),
    ] { metadata.values[key] = value }
    try SQLiteLayout.writeMetadata(raw, metadata)
    raw.close()
    #expect(try stack.otherProcess().all("Employee").count == 1)
  }
}

/// Both tests take the process's receiver of warnings.
@Suite("Large metadata", .serialized)
struct LargeMetadataTests {
  @Test(
    "STO-119: metadata over 1 MiB are saved with a warning, smaller ones without", arguments: [true, false])
  func warning(_ isLarge: Bool) throws {
    let warnings = Collected<StoreWarning>()
    Diagnostics.onStoreWarning = { warnings.add($0) }
    defer { Diagnostics.onStoreWarning = nil }
    let stack = try TestStack(TestModels.company())
    let url = URL(fileURLWithPath: stack.path)
    let value = Value.data(Data(count: isLarge ? 1 << 20 : 1 << 19))
    func own() -> [String] { warnings.elements.filter { $0.message.contains(stack.path) }.map(\.code) }
    try stack.coordinator.setMetadata(["a": value], for: stack.coordinator.persistentStores[0])
    #expect(own().isEmpty)
    try stack.context.save()
    #expect(own() == (isLarge ? ["metadata-large"] : []))
    try PersistentStoreCoordinator.setMetadata(["b": value], forPersistentStoreAt: url)
    #expect(own().count == (isLarge ? 2 : 0))
  }
}

@Suite("Metadata by location")
struct MetadataByLocationTests {
  private let folder: LayoutFolder
  private var url: URL { URL(fileURLWithPath: folder.file("s")) }

  init() throws {
    folder = try LayoutFolder()
    try folder.makeStore("s")
  }

  private func code(_ body: () throws -> Void) -> GraphStoreError.Code? {
    let error = #expect(throws: GraphStoreError.self) { try body() }
    return error?.code
  }

  @Test("STO-111: reading runs one SELECT, and makes and changes no file")
  func reading() throws {
    let before = try folder.state()
    var statements: [String] = []
    let metadata = try SQLiteMetadataFile.read(url.path, timeout: .zero) { statements.append($0) }
    #expect(statements.count == 1 && statements[0].hasPrefix("SELECT"))
    let read = try PersistentStoreCoordinator.metadataForPersistentStore(at: url, type: .sqlite)
    #expect(read == metadata.all && read["NSStoreUUID"] != nil)
    #expect(try folder.state() == before)
  }

  @Test("DGN-188, STO-111: what is wrong with the location is told by its code, and nothing is made")
  func wrong() throws {
    try Data("{}".utf8).write(to: URL(fileURLWithPath: folder.file("json")))
    try Data("text".utf8).write(to: URL(fileURLWithPath: folder.file("text")))
    let before = try folder.state()
    func read(_ name: String, _ type: StoreType? = nil) -> GraphStoreError.Code? {
      code {
        _ = try PersistentStoreCoordinator.metadataForPersistentStore(
          at: URL(fileURLWithPath: folder.file(name)), type: type)
      }
    }
    #expect(read("gone") == .storeNotFound)
    #expect(GraphStoreError.Code.storeNotFound.number == 260)
    #expect(read("text") == .notAStore)
    #expect(read("json") == .notAStore)
    #expect(read("json", .sqlite) == .storeTypeMismatch)
    #expect(read("s", StoreType(rawValue: "Other")) == .storeTypeUnknown)
    #expect(try folder.state() == before)
  }

  @Test("STO-112: a log beside the file is applied, and stays")
  func log() throws {
    let connection = try SQLiteConnection(path: url.path, mode: .readWrite)
    try connection.execute("PRAGMA wal_autocheckpoint = 0")
    var metadata = try SQLiteLayout.readMetadata(connection)
    metadata.values["late"] = .int(1)
    try SQLiteLayout.writeMetadata(connection, metadata)
    let copy = try LayoutFolder()
    for name in ["s", "s-wal"] {
      try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
    }
    connection.close()
    let before = try copy.state()
    let read = try PersistentStoreCoordinator.metadataForPersistentStore(
      at: URL(fileURLWithPath: copy.file("s")))
    #expect(read["late"] == .int(1))
    #expect(try copy.state() == before)
  }

  @Test("STO-115: setting writes at once, and changes the file's date")
  func setting() throws {
    let old = Date(timeIntervalSince1970: 1_000_000)
    try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: url.path)
    try PersistentStoreCoordinator.setMetadata(["a": .int(1)], forPersistentStoreAt: url)
    let date = try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate] as? Date
    #expect(try #require(date) > old)
    #expect(Set(try folder.state().keys) == ["s"])
    let read = try PersistentStoreCoordinator.metadataForPersistentStore(at: url)
    #expect(read["a"] == .int(1) && read["_GSModel"] != nil)
    try PersistentStoreCoordinator.setMetadata(["b": .int(2)], forPersistentStoreAt: url)
    #expect(try PersistentStoreCoordinator.metadataForPersistentStore(at: url)["a"] == nil)
  }

  @Test("STO-115, STO-108, STO-109: what is refused leaves the file as it was")
  func refused() throws {
    let before = try folder.state()
    #expect(
      code {
        try PersistentStoreCoordinator.setMetadata(["NSStoreUUID": .string("x")], forPersistentStoreAt: url)
      }
        == .metadataReserved)
    #expect(
      code { try PersistentStoreCoordinator.setMetadata(["a": .double(.nan)], forPersistentStoreAt: url) }
        == .metadataInvalid)
    #expect(
      code {
        try PersistentStoreCoordinator.setMetadata(
          [:], forPersistentStoreAt: URL(fileURLWithPath: folder.file("gone")))
      } == .storeNotFound)
    #expect(try folder.state() == before)
  }

  @Test("STO-121: a store's model is read without opening it; a store without one has none")
  func cachedModel() throws {
    let before = try folder.state()
    let model = try #require(try StoreModel.cachedModel(at: url))
    #expect(model.entityVersionHashesByName == (try LayoutModels.company()).entityVersionHashesByName)
    #expect(try folder.state()["s"] == before["s"])
    try folder.makeStore("foreign") {
      var metadata = try SQLiteLayout.readMetadata($0)
      metadata.values[StoreMetadata.Key.format] = nil
      metadata.values[StoreMetadata.Key.model] = nil
      try SQLiteLayout.writeMetadata($0, metadata)
    }
    #expect(try StoreModel.cachedModel(at: URL(fileURLWithPath: folder.file("foreign"))) == nil)
    #expect(
      code { _ = try StoreModel.cachedModel(at: URL(fileURLWithPath: folder.file("gone"))) } == .storeNotFound
    )
  }
}
