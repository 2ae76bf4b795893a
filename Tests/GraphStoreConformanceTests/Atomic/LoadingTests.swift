import Foundation
import GraphStore
import GraphStoreContextTestSupport
import Testing

/// Loading of atomic stores that programs write.
@Suite("Loading of atomic stores")
struct LoadingTests {
  init() throws { try StoreType.registration.get() }

  /// A vault with content of somebody else's, which has the least of metadata.
  private static func url(_ nodes: [StoreNode], _ metadata: [String: Value]? = nil) -> URL {
    let url = Vault.freshURL()
    let least = StoreMetadataKey.metadata(type: .vault, identifier: UUID())
    let content = AtomicStoreContent(metadata: metadata ?? least, nodes: nodes)
    Vault.at(url).with { $0.content = content }
    return url
  }

  private static func id(_ entity: String, _ reference: NodeReference) -> NodeIdentifier {
    NodeIdentifier(entity: entity, reference: reference)
  }

  @Test("STO-086: it is loaded once, while it is added, and fetches and faults do not load it again")
  func once() throws {
    let url = Self.url([StoreNode(id: Self.id("Department", 1), values: ["name": .string("Tools")])])
    let coordinator = try PersistentStoreCoordinator.adding(.vault, at: url)
    for _ in 0..<2 {
      #expect(try ManagedObjectContext(coordinator: coordinator).names("Department") == ["Tools"])
    }
    #expect(Vault.at(url).with { $0.loads } == 1)
    #expect(Vault.at(url).with { $0.saves } == [])
  }

  @Test("STO-086: where there is no store, one is made and saved at once, unless nothing may be written")
  func new() throws {
    let url = Vault.freshURL()
    try failure(.storeNotFound) {
      _ = try PersistentStoreCoordinator.adding(.vault, at: url) { $0.isReadOnly = true }
    }
    #expect(Vault.at(url).with { $0.saves.count } == 0)
    let identifier = try PersistentStoreCoordinator.adding(.vault, at: url).persistentStores[0].identifier
    #expect(Vault.at(url).with { $0.content?.metadata["NSStoreUUID"] } == .string(identifier.uuidString))
    let again = try PersistentStoreCoordinator.adding(.vault, at: url) { $0.isReadOnly = true }
    #expect(again.persistentStores[0].identifier == identifier && again.isReadOnly)
    let context = ManagedObjectContext(coordinator: again)
    try context.insert("Department", named: "Tools")
    try failure(.readOnlyStore) { try context.save() }
    try failure(.storeOpen) {
      _ = try PersistentStoreCoordinator.adding(.vault, at: URL(fileURLWithPath: "/x"))
    }
  }

  @Test(
    "STO-086: metadata without type or UUID are refused with 134080, naming the key",
    arguments: ["NSStoreType", "NSStoreUUID"])
  func missingKey(_ key: String) throws {
    var metadata = StoreMetadataKey.metadata(type: .vault, identifier: UUID())
    metadata[key] = nil
    let url = Self.url([], metadata)
    let error = try failure(.storeOpen) { _ = try PersistentStoreCoordinator.adding(.vault, at: url) }
    #expect(error.number == 134080 && error.message.contains(key) && error.property == key)
    metadata[key] = .string("wrong")
    let wrong = Self.url([], metadata)
    try failure(key == "NSStoreType" ? .storeTypeMismatch : .storeOpen) {
      _ = try PersistentStoreCoordinator.adding(.vault, at: wrong)
    }
  }

  @Test("STO-086: what loading throws keeps the store from being added, and is below the error")
  func failing() throws {
    let url = Self.url([])
    Vault.at(url).with { $0.damage = .damaged }
    let error = try failure(.storeOpen) { _ = try PersistentStoreCoordinator.adding(.vault, at: url) }
    #expect(error.underlying as? VaultError == .damaged)
    Vault.at(url).with { $0.damage = nil }
    #expect(try PersistentStoreCoordinator.adding(.vault, at: url).persistentStores.count == 1)
  }

  @Test("STO-086: a store that does not load within the time-out is not added (134090)")
  func timeout() throws {
    let url = Self.url([])
    Vault.at(url).with { $0.delay = .seconds(60) }
    let error = try failure(.storeTimeout) {
      _ = try PersistentStoreCoordinator.adding(.vault, at: url) { $0.timeout = .milliseconds(100) }
    }
    #expect(error.number == 134090)
    #expect(Vault.at(url).with { $0.events == [] && $0.loads == 0 })
  }

  @Test("STO-085: a container waits for a store behind a network without holding up the main actor")
  @MainActor
  func container() async throws {
    let url = Self.url([StoreNode(id: Self.id("Department", 1), values: ["name": .string("Tools")])])
    Vault.at(url).with { $0.delay = .seconds(60) }
    let container = PersistentContainer(name: "Staff", model: StaffModel.model)
    var description = PersistentStoreDescription(url: url)
    description.type = .vault
    // The main actor may be at other tests for longer than a store is usually waited for.
    description.timeout = .seconds(300)
    container.persistentStoreDescriptions = [description]
    let loading = Task { try await container.loadPersistentStores() }
    // The store loads only when the main actor has said so, and would load after a minute if that were held up.
    while !Vault.at(url).with({ $0.isWaiting }) { try await Task.sleep(for: .milliseconds(1)) }
    let loads = Vault.at(url).with { state in
      state.delay = nil
      return state.loads
    }
    try await loading.value
    #expect(loads == 0)
    #expect(try container.viewContext.names("Department") == ["Tools"])
  }

  @Test("STO-087, STO-088: of two inverse ends one is enough, and both are there")
  func inverses() throws {
    let (tools, sales) = (Self.id("Department", 1), Self.id("Department", 2))
    let (ada, bob) = (Self.id("Employee", 1), Self.id("Employee", 2))
    let url = Self.url([
      StoreNode(id: tools, values: ["name": .string("Tools")], toMany: ["employees": [ada]]),
      StoreNode(id: ada, values: ["name": .string("Ada")], toMany: ["projects": [Self.id("Project", 1)]]),
      StoreNode(id: sales, values: ["name": .string("Sales")]),
      StoreNode(id: bob, values: ["name": .string("Bob"), "salary": .int(5)], toOne: ["department": sales]),
      StoreNode(
        id: Self.id("Project", 1), values: ["name": .string("Compiler")], toMany: ["members": [bob, ada]]),
    ])
    let coordinator = try PersistentStoreCoordinator.adding(.vault, at: url)
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(try context.names("Employee", "department.name == 'Tools'") == ["Ada"])
    #expect(try context.names("Department", "employees.@count == 1") == ["Sales", "Tools"])
    #expect(try context.names("Employee", "ANY projects.name == 'Compiler'") == ["Ada", "Bob"])
    let members = try context.object("Project", named: "Compiler").objects(forKey: "members")
    #expect(try members.map { try $0.value(forKey: "name") as? String } == ["Bob", "Ada"])
    // A save hands over both ends, and keys go on after the highest.
    try context.insert("Employee", named: "Cyd")
    try context.save()
    let nodes = Vault.at(url).with { $0.content?.nodes } ?? []
    #expect(nodes.first { $0.id == tools }?.toMany["employees"] == [ada])
    #expect(nodes.first { $0.id == sales }?.toMany["employees"] == [bob])
    #expect(nodes.first { $0.id == ada }?.toOne["department"] == tools)
    #expect(nodes.first { $0.values["name"] == .string("Cyd") }?.id == Self.id("Employee", 3))
  }

  /// Nodes that contradict the model or each other, and what the error names.
  private static let contradictions: [(nodes: [StoreNode], named: String)] = [
    ([StoreNode(id: id("Robot", 1))], "Robot"),
    ([StoreNode(id: id("Employee", 1), values: ["wage": .int(1)])], "wage"),
    ([StoreNode(id: id("Employee", 7), values: ["salary": .string("much")])], "Employee/p7.salary"),
    ([StoreNode(id: id("Employee", 7), values: ["small": .int(40_000)])], "Employee/p7.small"),
    ([StoreNode(id: id("Employee", 1), values: ["department": .int(1)])], "department"),
    ([StoreNode(id: id("Employee", 1), toOne: ["projects": id("Project", 1)])], "projects"),
    ([StoreNode(id: id("Employee", 1), toMany: ["department": []])], "department"),
    ([StoreNode(id: id("Employee", 3)), StoreNode(id: id("Employee", 3))], "Employee/p3"),
    ([StoreNode(id: id("Employee", "ada"))], "Employee/pada"),
    ([StoreNode(id: id("Employee", 0))], "Employee/p0"),
    ([StoreNode(id: id("Employee", 1), toOne: ["department": id("Department", 9)])], "Department/p9"),
    (
      [
        StoreNode(id: id("Employee", 1), toOne: ["department": id("Employee", 2)]),
        StoreNode(id: id("Employee", 2)),
      ], "Employee/p1"
    ),
    (
      [
        StoreNode(id: id("Department", 4), toMany: ["employees": []]),
        StoreNode(id: id("Employee", 1), toOne: ["department": id("Department", 4)]),
      ], "Department/p4.employees"
    ),
    (
      [
        StoreNode(id: id("Department", 1), toMany: ["employees": [id("Employee", 1)]]),
        StoreNode(id: id("Department", 2)),
        StoreNode(id: id("Employee", 1), toOne: ["department": id("Department", 2)]),
      ], "Employee/p1"
    ),
  ]

  @Test(
    "STO-088: what contradicts the model or another node is refused with 259, and the object is named",
    arguments: contradictions.indices)
  func contradiction(_ index: Int) throws {
    let (nodes, named) = Self.contradictions[index]
    let url = Self.url(nodes)
    let error = try failure(.storeCorrupt) { _ = try PersistentStoreCoordinator.adding(.vault, at: url) }
    #expect(error.number == 259 && error.message.contains(named), "\(error)")
  }

  @Test("STO-087: content and nodes are written and read by any encoder as they are")
  func coding() throws {
    let values: [String: Value] = [
      "a": .double(.infinity), "b": .double(0.1),
      "c": .decimal(Decimal(string: "1.000000000000000000001") ?? 0),
      "d": .date(Date(timeIntervalSinceReferenceDate: 1e-7)), "e": .data(Data([0, 255])), "f": .bool(false),
      "g": .int(.min), "h": .uuid(UUID()), "i": .string("e\u{301}"), "j": .null,
      "k": .list([.int(1), .dictionary(["x": .string("y")])]),
    ]
    let node = StoreNode(
      id: Self.id("Employee", "ada lovelace"), values: values,
      toOne: ["department": Self.id("Department", 1)],
      toMany: ["projects": [Self.id("Project", "x"), Self.id("Project", 2)]], version: 7)
    let content = AtomicStoreContent(metadata: values, nodes: [node])
    let json = try JSONEncoder().encode(content)
    #expect(try JSONDecoder().decode(AtomicStoreContent.self, from: json) == content)
    let list = try PropertyListEncoder().encode(content)
    #expect(try PropertyListDecoder().decode(AtomicStoreContent.self, from: list) == content)
  }
}
