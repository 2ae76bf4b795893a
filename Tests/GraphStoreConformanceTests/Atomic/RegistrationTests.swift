import Foundation
import GraphStore
import GraphStoreContextTestSupport
import GraphStoreTestSupport
import Testing

/// Types of stores that programs register, and the locations of their stores.
@Suite("Registration of types of stores")
struct RegistrationTests {
  init() throws { try StoreType.registration.get() }

  @Test(
    "STO-039: types are registered and listed, and one of the same name is replaced for stores added later")
  func registering() throws {
    let type = StoreType(rawValue: "Registered \(UUID())")
    let url = Vault.freshURL()
    try failure(.storeTypeUnknown) { _ = try PersistentStoreCoordinator.adding(type, at: url) }
    try PersistentStoreCoordinator.registerStoreType(PlainVaultStore.self, as: type)
    #expect(PersistentStoreCoordinator.registeredStoreTypes.filter { $0 == type }.count == 1)
    #expect(Set(PersistentStoreCoordinator.registeredStoreTypes).isSuperset(of: [.sqlite, .json, .binary]))
    let plain = try PersistentStoreCoordinator.adding(type, at: url)
    #expect(Vault.at(url).with { $0.events } == [])
    try PersistentStoreCoordinator.registerStoreType(VaultStore.self, as: type)
    #expect(PersistentStoreCoordinator.registeredStoreTypes.filter { $0 == type }.count == 1)
    let other = Vault.freshURL()
    _ = try PersistentStoreCoordinator.adding(type, at: other)
    #expect(Vault.at(other).with { $0.events } == ["added, 1 mounted"])
    // The store that was open goes on.
    let context = ManagedObjectContext(coordinator: plain)
    try context.insert("Department", named: "Tools")
    try context.save()
    #expect(Vault.at(url).with { $0.content?.nodes.count } == 1)
  }

  @Test("MIG-277: a store of a type that a program has written is not migrated, and the error says why")
  func otherVersion() throws {
    let url = Vault.freshURL()
    let coordinator = try PersistentStoreCoordinator.adding(.plainVault, at: url)
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert("Department", named: "Tools")
    try context.save()
    coordinator.close()
    var next = StaffModel.model.definition
    next.entities[0].attributes.append(AttributeDefinition("city", .string))
    let other = PersistentStoreCoordinator(model: try ManagedObjectModel(next))
    var options = StoreOptions()
    (options.type, options.migratesAutomatically, options.infersMapping) = (.plainVault, true, true)
    let error = try failure(.incompatibleModel) {
      try other.addStore(at: url.absoluteString, options: options)
    }
    #expect(error.remedy.contains("PlainVault") && error.remedy.contains("migrate that"), "\(error)")
  }

  @Test(
    "STO-039: no type of the library's own is replaced",
    arguments: ["SQLite", "JSON", "Binary", "XML", "InMemory", ""])
  func builtIn(_ name: String) throws {
    let error = try failure(.invalidRequest) {
      try PersistentStoreCoordinator.registerStoreType(VaultStore.self, as: StoreType(rawValue: name))
    }
    #expect(name.isEmpty || error.message.contains(name))
    let folder = try TemporaryFolder()
    #expect(throws: Never.self) {
      try PersistentStoreCoordinator.create(storeAt: folder.file("still.db"), model: StaffModel.model)
    }
  }

  @Test(
    "STO-093: the location may be any URL, by which the store is found, and which the library never touches")
  func location() throws {
    let url = try #require(URL(string: "https://example.org/a%20b/staff?of=\(UUID())"))
    let coordinator = try PersistentStoreCoordinator.adding(.plainVault, at: url)
    let store = try #require(coordinator.persistentStores.first)
    #expect(store.url == url && store.typeName == "PlainVault")
    #expect(coordinator.persistentStore(for: url) == store)
    #expect(coordinator.persistentStore(for: Vault.freshURL()) == nil)
    try failure(.storeAlreadyOpen) {
      var options = StoreOptions()
      options.type = .plainVault
      try coordinator.addStore(at: url.absoluteString, options: options)
    }
    try failure(.requestUnsupported) {
      try PersistentStoreCoordinator.destroyPersistentStore(at: url, type: .plainVault)
    }
    try failure(.requestUnsupported) {
      try PersistentStoreCoordinator.replacePersistentStore(at: url, with: url, type: .plainVault)
    }
    try coordinator.remove(store)
    #expect(Vault.at(url).with { $0.content != nil })
  }

  @Test("STO-093: a file at the location of a store is for its type alone")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("not touched", to: "place")
    let url = URL(fileURLWithPath: path)
    try StoreType.registration.get()
    let coordinator = PersistentStoreCoordinator(model: StaffModel.model)
    var options = StoreOptions()
    options.type = .plainVault
    try coordinator.addStore(at: path, options: options)
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert("Department", named: "Tools")
    try context.save()
    coordinator.close()
    #expect(Vault.at(url).with { $0.content?.nodes.count } == 1)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "not touched")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["place"])
  }

  @Test("STO-038: a store is told once when it was added, and once before it is removed, or closed")
  func hooks() throws {
    let (removed, closed) = (Vault.freshURL(), Vault.freshURL())
    let coordinator = try PersistentStoreCoordinator.adding(.vault, at: removed)
    try coordinator.remove(coordinator.persistentStores[0])
    #expect(Vault.at(removed).with { $0.events } == ["added, 1 mounted", "to be removed, 1 mounted"])
    try PersistentStoreCoordinator.adding(.vault, at: closed).close()
    #expect(Vault.at(closed).with { $0.events } == ["added, 1 mounted", "to be removed, 1 mounted"])
    let failing = Vault.freshURL()
    Vault.at(failing).with { $0.damage = .damaged }
    try failure(.storeOpen) { _ = try PersistentStoreCoordinator.adding(.vault, at: failing) }
    #expect(Vault.at(failing).with { $0.events } == [])
  }

  @Test("STO-038: a store that is closed is told once the save in progress has ended")
  func hookBehindSave() throws {
    let url = Vault.freshURL()
    let coordinator = try PersistentStoreCoordinator.adding(.vault, at: url)
    Vault.at(url).with { $0.delay = .seconds(60) }
    let saving = Thread {
      let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
      context.performAndWait {
        _ = try? context.insert(entityNamed: "Department")
        try? context.save()
      }
    }
    saving.start()
    while !Vault.at(url).with({ $0.isWaiting }) { usleep(1_000) }
    let closing = Thread { coordinator.close() }
    closing.start()
    usleep(50_000)
    #expect(Vault.at(url).with { $0.events } == ["added, 1 mounted"])
    Vault.at(url).with { $0.delay = nil }
    while !closing.isFinished { usleep(1_000) }
    #expect(Vault.at(url).with { $0.events } == ["added, 1 mounted", "saved", "to be removed, 1 mounted"])
  }

  @Test("STO-092: metadata of a store that is not open are read and set by its type, without loading it")
  func metadata() throws {
    let url = Vault.freshURL()
    try PersistentStoreCoordinator.adding(.vault, at: url).close()
    let loads = Vault.at(url).with { $0.loads }
    try PersistentStoreCoordinator.setMetadata(["note": .int(1)], forPersistentStoreAt: url, type: .vault)
    let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: url, type: .vault)
    #expect(metadata["note"] == .int(1) && metadata["NSStoreType"] == .string("Vault"))
    #expect(metadata["NSStoreUUID"] != nil)
    #expect(Vault.at(url).with { $0.loads } == loads)
    try failure(.metadataReserved) {
      try PersistentStoreCoordinator.setMetadata(
        ["NSStoreUUID": .string("x")], forPersistentStoreAt: url, type: .vault)
    }
    let missing = try failure(.storeOpen) {
      _ = try PersistentStoreCoordinator.metadataForPersistentStore(at: Vault.freshURL(), type: .vault)
    }
    #expect(missing.underlying as? VaultError == .wrongLocation)
    // A type that does not know them.
    let error = try failure(.requestUnsupported) {
      _ = try PersistentStoreCoordinator.metadataForPersistentStore(at: url, type: .plainVault)
    }
    #expect(error.number == 134091)
    try failure(.requestUnsupported) {
      try PersistentStoreCoordinator.setMetadata([:], forPersistentStoreAt: url, type: .plainVault)
    }
  }

  @Test("STO-083: one's own persistence is put on a store in memory by what a save tells")
  func ownPersistence() throws {
    let coordinator = try PersistentStoreCoordinator.inMemory(model: StaffModel.model)
    let context = ManagedObjectContext(coordinator: coordinator)
    let object = try context.insert("Department", named: "Tools")
    try context.assign(object, to: coordinator.persistentStores[0])
    var written: [String] = []
    let observation = context.observe(.didSave) { save in
      written += save.inserted.compactMap { try? $0.value(forKey: "name") as? String }
    }
    try context.save()
    withExtendedLifetime(observation) {}
    #expect(written == ["Tools"])
  }
}
