import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore
@testable import GraphStoreModel

/// Stores with two faults at once: the earlier check of STO-290 tells its own.
@Suite("The order of checks at opening")
struct OpeningOrderTests {
  /// What can be wrong, in the order of the checks.
  enum Fault: Int, CaseIterable, CustomStringConvertible {
    case option, configuration, missing, type, otherType, cut, noStore, format, hashes, lock

    var description: String { "\(self.rawValue) \(code.rawValue)" }

    var code: GraphStoreError.Code {
      switch self {
      case .option: .storeOption
      case .configuration: .unknownConfiguration
      case .missing: .storeNotFound
      case .type: .storeTypeUnknown
      case .otherType: .storeTypeMismatch
      case .cut: .storeCorrupt
      case .noStore: .notAStore
      case .format: .storeOpen
      case .hashes: .incompatibleModel
      case .lock: .storeTimeout
      }
    }

    /// Whether both can be wrong with one store, and can be told by reading it.
    func goes(with other: Fault) -> Bool {
      let both = [self, other].sorted { $0.rawValue < $1.rawValue }
      switch (both[0], both[1]) {
      // There is nothing more to be wrong with what is not there, or is of another type.
      case (.missing, .type): return true
      case (.missing, _): return false
      case (.type, .otherType): return true
      case (.otherType, _): return false
      // Without its tables a file has no format, nor hashes.
      case (.noStore, .format), (.noStore, .hashes): return false
      // Nothing but the first bytes can be read of a file that is locked.
      case (let first, .lock): return first.rawValue <= Fault.type.rawValue || first == .cut
      default: return true
      }
    }
  }

  static let pairs: [(Fault, Fault)] = Fault.allCases.flatMap { first in
    Fault.allCases.filter { $0.rawValue > first.rawValue && first.goes(with: $0) }.map { (first, $0) }
  }

  private let place: ContainerFolder

  init() throws { place = try ContainerFolder() }

  /// Loads a store with faults; gives what is told, and whether the files stay as they are.
  private func load(_ faults: Set<Fault>) throws -> (code: GraphStoreError.Code?, isUntouched: Bool) {
    let made = try place.container("s")
    #expect(made.loadOne() == nil)
    made.persistentStoreCoordinator.close()
    try change(faults)
    let holder =
      faults.contains(.lock) ? try SQLiteConnection(path: place.url("s").path, mode: .readWrite) : nil
    try holder?.begin(.exclusive)
    if faults.contains(.missing) { try FileManager.default.removeItem(at: place.url("s")) }
    if faults.contains(.otherType) { try Data("<?xml version='1.0'?>".utf8).write(to: place.url("s")) }
    if faults.contains(.cut) {
      let file = try FileHandle(forWritingTo: place.url("s"))
      try file.truncate(atOffset: try file.seekToEnd() / 2)
      try file.close()
    }
    let model = try ContainerFolder.model {
      if faults.contains(.hashes) { $0.entities[0].attributes.append(.init("more", .string)) }
    }
    let container = try place.container("s", model: model, options: ["timeout": .double(0.01)])
    if faults.contains(.option) { container.persistentStoreDescriptions[0].options["other"] = .int(1) }
    if faults.contains(.configuration) { container.persistentStoreDescriptions[0].configuration = "Other" }
    if faults.contains(.type) { container.persistentStoreDescriptions[0].type = StoreType(rawValue: "Other") }
    if faults.contains(.missing) { container.persistentStoreDescriptions[0].isReadOnly = true }
    let before = try place.state()
    let code = container.loadOne()?.code
    let isUntouched = try place.state() == before
    holder?.close()
    return (code, isUntouched)
  }

  private func change(_ faults: Set<Fault>) throws {
    let connection = try SQLiteConnection(path: place.url("s").path, mode: .readWrite)
    defer { connection.close() }
    if faults.contains(.format) {
      var metadata = try SQLiteLayout.readMetadata(connection)
      metadata.values[StoreMetadata.Key.format] = .int(99)
      try SQLiteLayout.writeMetadata(connection, metadata)
    }
    if faults.contains(.noStore) {
      try connection.execute("DROP TABLE Z_METADATA; DROP TABLE Z_PRIMARYKEY")
    }
    // With a log readers do not wait for a writer.
    if faults.contains(.lock) { _ = try connection.string("PRAGMA journal_mode = DELETE") }
  }

  @Test(
    "STO-290, STO-022: each fault alone is told by its code, and the file stays as it is",
    arguments: Fault.allCases)
  func alone(_ fault: Fault) throws {
    let (code, isUntouched) = try load([fault])
    #expect(code == fault.code)
    #expect(isUntouched)
  }

  @Test("STO-290: of two faults the earlier is told, and the file stays as it is", arguments: pairs)
  func pair(_ first: Fault, _ second: Fault) throws {
    let (code, isUntouched) = try load([first, second])
    #expect(code == first.code)
    #expect(isUntouched)
  }

  @Test("STO-022: messages name both types, or those that are registered")
  func typeMessages() throws {
    try Data("bplist00".utf8).write(to: place.url("binary"))
    let container = try place.container("binary")
    let mismatch = container.loadOne()
    #expect(mismatch?.message.contains("SQLite") == true && mismatch?.message.contains("Binary") == true)
    #expect(mismatch?.number == 134010)
    container.persistentStoreDescriptions[0].type = StoreType(rawValue: "Other")
    let unknown = container.loadOne()
    #expect(unknown?.message.contains("Other") == true && unknown?.remedy.contains("SQLite") == true)
    #expect(unknown?.number == 134000)
  }

  @Test("STO-021: without a type the file's first bytes tell it, and a new store is SQLite")
  func detection() throws {
    for (text, type) in [
      ("bplist00…", StoreType.binary), ("<?xml version", .xml), ("{\"a\":1}", .json),
      ("SQLite format 3", nil),
      ("", nil), ("text", nil),
    ] {
      try Data(text.utf8).write(to: place.url("f"))
      #expect(StoreType.detected(at: place.url("f").path) == type)
    }
    #expect(StoreType.detected(at: place.url("gone").path) == nil)
    for _ in 0..<2 {
      let container = try place.container("s")
      container.persistentStoreDescriptions[0].type = nil
      #expect(container.loadOne() == nil)
      container.persistentStoreCoordinator.close()
    }
    #expect(StoreType.detected(at: place.url("s").path) == .sqlite)
  }

  // MARK: Hashes

  @Test("STO-291: a store of another model is left untouched, its date and the log beside it included")
  @MainActor func untouched() throws {
    let made = try place.container("s")
    #expect(made.loadOne() == nil)
    try made.viewContext.insert("Employee", ["name": "Ada"])
    try made.viewContext.save()
    let copy = try ContainerFolder()
    for name in ["s", "s-wal"] { try FileManager.default.copyItem(at: place.url(name), to: copy.url(name)) }
    #expect(try copy.state()["s-wal"]?.isEmpty == false)
    let old = Date(timeIntervalSince1970: 1_000_000)
    for name in ["s", "s-wal"] {
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: copy.url(name).path)
    }
    let before = try copy.state()
    let other = try ContainerFolder.model { $0.entities[0].attributes.append(.init("more", .string)) }
    for _ in 0..<2 {
      let error = try copy.container("s", model: other).loadOne()
      #expect(error?.code == .incompatibleModel && error?.number == 134100)
      #expect(try copy.state() == before)
      for name in ["s", "s-wal"] {
        let attributes = try FileManager.default.attributesOfItem(atPath: copy.url(name).path)
        #expect(attributes[.modificationDate] as? Date == old)
      }
    }
    let container = try copy.container("s")
    #expect(container.loadOne() == nil)
    #expect(try container.viewContext.all("Employee").count == 1)
  }

  @Test("STO-292: the error lists the entities that were added, removed and changed")
  func differences() throws {
    let made = try place.container("s")
    #expect(made.loadOne() == nil)
    made.persistentStoreCoordinator.close()
    let other = try ContainerFolder.model {
      $0.entities[0].attributes.append(.init("more", .string))
      $0.entities.removeAll { $0.name == "Manager" }
      $0.entities.append(EntityDefinition("Office"))
    }
    let error = try place.container("s", model: other).loadOne()
    #expect(error?.message.contains("added: Office; removed: Manager; changed: Department") == true)
    #expect(error?.details.contains { $0.contains("Department differs in") } == true)
  }

  private func write(_ definition: ModelDefinition, version: String) throws {
    let folder = place.url("Company.graphmodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try definition.jsonData().write(to: folder.appendingPathComponent("\(version).json"))
  }

  @Test(
    "STO-292, STO-296: a model with versions says which of them fits, or that the store is newer than all")
  func versions() throws {
    var definition = TestModels.company()
    definition.name = "Company"
    for version in ["1", "2", "3"] {
      definition.entities[0].attributes.append(.init("v\(version)", .string))
      try write(definition, version: version)
      let folders = [place.folder.path]
      let container = try PersistentContainer(name: "Company", modelFolders: folders)
      container.persistentStoreDescriptions[0].url = place.url("s\(version)")
      #expect(container.loadOne() == nil)
      container.persistentStoreCoordinator.close()
    }
    func error(_ store: String) throws -> GraphStoreError? {
      let container = try PersistentContainer(name: "Company", modelFolders: [place.folder.path])
      container.persistentStoreDescriptions[0].url = place.url(store)
      container.persistentStoreDescriptions[0].shouldMigrateStoreAutomatically = false
      return container.loadOne()
    }
    let path = place.url("Company.graphmodel").path
    #expect(try error("s1")?.details.contains("the store fits version 1 of \(path)") == true)
    #expect(try error("s2")?.details.contains("the store fits version 2 of \(path)") == true)
    #expect(try error("s3") == nil)
    try FileManager.default.removeItem(at: place.url("Company.graphmodel/3.json"))
    let newer = try error("s3")
    #expect(
      newer?.details.contains { $0.contains("no version of \(path) fits") && $0.contains("newer") } == true)
    #expect(newer?.remedy.contains("not migrated backwards") == true)
  }

  @Test("STO-294: only the entities of the store's configuration are compared")
  func configuration() throws {
    func model(_ change: (inout ModelDefinition) -> Void = { _ in }) throws -> ManagedObjectModel {
      var definition = ModelDefinition(
        entities: [
          EntityDefinition("Inside", attributes: [.init("name", .string)]),
          EntityDefinition("Outside", attributes: [.init("name", .string)]),
        ], configurations: [ConfigurationDefinition("Part", entities: ["Inside"])])
      change(&definition)
      return try ManagedObjectModel(definition)
    }
    func code(_ model: ManagedObjectModel) throws -> GraphStoreError.Code? {
      let container = try place.container("s", model: model)
      container.persistentStoreDescriptions[0].configuration = "Part"
      defer { container.persistentStoreCoordinator.close() }
      return container.loadOne()?.code
    }
    #expect(try code(model()) == nil)
    #expect(try code(model { $0.entities[1].attributes.append(.init("more", .string)) }) == nil)
    #expect(
      try code(model { $0.entities[0].attributes.append(.init("more", .string)) }) == .incompatibleModel)
  }

  @Test("STO-295: version identifiers and names do not decide, hashes do")
  func identifiers() throws {
    let made = try place.container("s")
    #expect(made.loadOne() == nil)
    made.persistentStoreCoordinator.close()
    let renamed = try ContainerFolder.model {
      $0.name = "Other"
      $0.version = "99"
    }
    #expect(renamed.versionIdentifiers != made.managedObjectModel.versionIdentifiers)
    let container = try place.container("s", model: renamed)
    #expect(container.loadOne() == nil)
    container.persistentStoreCoordinator.close()
    let changed = try ContainerFolder.model { $0.entities[0].attributes.append(.init("more", .string)) }
    #expect(changed.versionIdentifiers == made.managedObjectModel.versionIdentifiers)
    #expect(try place.container("s", model: changed).loadOne()?.code == .incompatibleModel)
  }
}
