import Foundation
import Testing

@testable import GraphStore

@Suite("Stores in memory")
struct InMemoryStoreTests {
  private let stack: TestStack

  init() throws { stack = try TestStack(TestModels.company(), factory: .memory) }

  private func code(_ body: () throws -> Void) -> GraphStoreError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? GraphStoreError)?.code }
  }

  @Test("STO-080, STO-047: it lives as long as it is mounted, in no file, and has metadata like any other")
  func lifetime() throws {
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    let coordinator = stack.coordinator
    #expect(coordinator.storePath == nil && !coordinator.isReadOnly && coordinator.warnings.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: stack.folder.path).isEmpty)
    try coordinator.mounts[0].store.write { try $0.setMetadata(["note": .string("x"), "gone": .int(1)]) }
    try coordinator.mounts[0].store.write { try $0.setMetadata(["gone": nil as Value?]) }
    let metadata = try coordinator.metadata()
    #expect(metadata["note"] == .string("x") && metadata["gone"] == nil)
    #expect(metadata["NSStoreType"] == .string("InMemory"))
    #expect(metadata["NSStoreUUID"] == coordinator.storeIdentifier.map { .string($0) })
    #expect(
      code { try coordinator.mounts[0].store.write { try $0.setMetadata(["NSStoreType": .string("x")]) } }
        == .metadataReserved)
    #expect(
      code { try coordinator.mounts[0].store.write { try $0.setMetadata(["bad": .uuid(UUID())]) } }
        == .metadataInvalid)
    #expect(try coordinator.metadata()["bad"] == nil)
    coordinator.close()
    #expect(code { _ = try stack.newContext().all("Employee") } == .noStore)
  }

  @Test("STO-081: each one is new and empty")
  func empty() throws {
    try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    let twin = try TestStack(TestModels.company(), factory: .memory)
    #expect(try twin.context.all("Employee").isEmpty)
    #expect(twin.coordinator.storeIdentifier != stack.coordinator.storeIdentifier)
  }

  @Test("STO-080: with a configuration it holds the objects of that alone")
  func configuration() throws {
    var model = TestModels.company()
    model.configurations = [
      ConfigurationDefinition("Part", entities: ["Desk", "Employee", "Department", "Manager"])
    ]
    let coordinator = try PersistentStoreCoordinator.inMemory(
      model: ManagedObjectModel(model), options: StoreOptions(configuration: "Part"))
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(coordinator.storeConfiguration == "Part")
    try context.insert("Project", ["name": "P"])
    #expect(code { try context.save() } == .noStoreForObject)
    #expect(
      code {
        _ = try PersistentStoreCoordinator.inMemory(
          model: ManagedObjectModel(model), options: StoreOptions(configuration: "None"))
      } == .unknownConfiguration)
  }

  @Test("OBJ-113: keys are never given twice, neither after a deletion nor after what was taken back")
  func keys() throws {
    let first = try stack.context.insert("Employee", ["name": "Ada"])
    try stack.context.save()
    #expect(first.objectID.key == 1)
    try stack.context.delete(first)
    try stack.context.save()
    struct Enough: Error {}
    try? stack.coordinator.transaction(with: stack.context) { _ in
      try stack.context.insert("Employee", ["name": "Bob"])
      try stack.context.save()
      throw Enough()
    }
    let third = try stack.context.insert("Employee", ["name": "Cy"])
    try stack.context.save()
    #expect(third.objectID.key == 3)
  }

  @Test("STO-046, CTX-324: one writes at a time; who waits too long gets store-timeout, readers never wait")
  func turns() throws {
    let coordinator = try PersistentStoreCoordinator.inMemory(
      model: ManagedObjectModel(TestModels.company()), options: StoreOptions(timeout: .milliseconds(20)))
    let (writer, other) = (
      ManagedObjectContext(coordinator: coordinator), ManagedObjectContext(coordinator: coordinator)
    )
    try coordinator.transaction(with: writer) { _ in
      try writer.insert("Department", ["name": "D"])
      try writer.save()
      #expect(try other.all("Department").isEmpty)
      try other.insert("Department", ["name": "E"])
      #expect(code { try other.save() } == .storeTimeout)
      #expect(try other.count(for: FetchRequest(entityName: "Department")) == 1)
    }
    try other.save()
    #expect(try other.all("Department").count == 2)
  }

  @Test("STO-272: a session goes on seeing the state with which it began")
  func snapshot() throws {
    let department = try stack.context.insert("Department", ["name": "D"])
    try stack.context.insert("Employee", ["name": "Ada", "department": department])
    try stack.context.save()
    let store = try #require(stack.coordinator.firstStore)
    let request = FetchRequest(
      entityName: "Employee", predicate: try QueryPredicate(parsing: "salary == nil"))
    let session = try store.beginReading(.severalStatements)
    let plan = try session.plan(request.storeRequest(.count))
    try stack.context.all("Employee")[0].setValue(1, forKey: "salary")
    try stack.context.insert("Employee", ["name": "Bob", "department": department])
    try stack.context.save()
    #expect(try plan.count() == 1)
    let employees = try #require(department.layout.relationships.first)
    #expect(try session.members(employees, owners: [1]).count == 1)
    session.endReading()
    #expect(try store.read { try $0.members(employees, owners: [1]) }.count == 2)
  }

  @Test("STO-051, STO-052: a fetch is judged by what is stored, not by what an object was read with")
  func staleObjects() throws {
    let ada = try stack.context.insert("Employee", ["name": "Ada", "salary": 1])
    try stack.context.save()
    let other = stack.newContext()
    try other.all("Employee")[0].setValue(5, forKey: "salary")
    try other.save()
    #expect(try ada.value(forKey: "salary") as? Int64 == 1)
    #expect(try stack.context.all("Employee", "salary == 5") == [ada])
    #expect(try stack.context.all("Employee", "salary == 1").isEmpty)
    #expect(try stack.context.all("Employee", "NOT salary == 5 OR spouse.name == 'x'").isEmpty)
  }

  @Test("STO-277: a stopped store refuses what is asked of it, and works again")
  func stopping() throws {
    try stack.context.insert("Employee", ["name": "Ada"])
    let stop = stack.coordinator.stoppingStores()
    stop(true)
    #expect(code { try stack.context.save() } == .sqlite)
    #expect(code { _ = try stack.newContext().all("Employee") } == .sqlite)
    stop(false)
    try stack.context.save()
    #expect(try stack.newContext().all("Employee").count == 1)
  }

  @Test("STO-052: of predicates that name objects only those are judged")
  func candidates() throws {
    let department = try stack.context.insert("Department", ["name": "D"])
    let people = try (0..<5).map { number in
      let person = try stack.context.insert(number == 4 ? "Manager" : "Employee", ["name": "\(number)"])
      if number < 3 { try person.setValue(department, forKey: "department") }
      return person
    }
    try stack.context.save()
    let store = try #require(stack.coordinator.firstStore)
    func fetch(_ predicate: QueryPredicate) throws -> (plan: InMemoryFetch, found: [String]) {
      let request = try stack.context.prepare(FetchRequest(entityName: "Employee", predicate: predicate))
        .request
      let plan = try #require(
        try store.read { try $0.plan(request.storeRequest(.rows)) } as? InMemoryFetch)
      return (plan, try stack.context.fetch(request).compactMap { try $0.string("name") })
    }
    let one = try fetch(QueryPredicate("SELF == %@ AND name != 'x'", people[4]))
    guard case .keys([5]) = one.plan.candidates else {
      Issue.record("\(one.plan.candidates)")
      return
    }
    #expect(one.found == ["4"])
    let referring = try fetch(QueryPredicate("name != '1' AND department == %@", department))
    guard case .referring(_, [1]) = referring.plan.candidates else {
      Issue.record("\(referring.plan.candidates)")
      return
    }
    #expect(referring.found == ["0", "2"])
    #expect(try fetch(QueryPredicate("SELF == %@ OR name == '1'", people[4])).found == ["1", "4"])
  }
}
