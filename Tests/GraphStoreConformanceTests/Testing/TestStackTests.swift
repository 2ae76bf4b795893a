import GraphStore
import GraphStoreTesting
import Testing

@Suite("Stacks for tests of programs")
struct TestStackTests {
  @Test("PAT-164: it is there in one line, and what is saved in it is found")
  func use() throws {
    let stack = try TestStack(model: StaffModel.model)
    try stack.use { context in
      try context.insert(entityNamed: "Department").setValue("Tools", forKey: "name")
      try context.save()
    }
    let request = FetchRequest<ManagedObject>(entityName: "Department")
    #expect(
      try stack.use { try $0.fetch(request).map { try $0.value(forKey: "name") as? String } } == ["Tools"])
    // Another one has nothing of it.
    #expect(try TestStack(model: StaffModel.model).use { try $0.count(for: request) } == 0)
  }

  @Test("PAT-164, PAT-167: the statements, fetches and saves of a block are counted, and no others")
  func counting() throws {
    let stack = try TestStack(model: StaffModel.model)
    let request = FetchRequest<ManagedObject>(entityName: "Department")
    let insertion = try stack.counting {
      try stack.use { context in
        _ = try context.insert(entityNamed: "Department")
        try context.save()
      }
    }
    #expect(insertion.statements.insert == 1 && insertion.saves == 1 && insertion.fetches == 0)
    let fetch = try stack.counting { try stack.use { _ = try $0.fetch(request) } }
    #expect(
      fetch.statements.select == 1 && fetch.statements.insert == 0 && fetch.fetches == 1 && fetch.saves == 0)
  }

  @Test("PAT-164: its container is loaded, and its contexts are those of programs")
  @MainActor
  func container() async throws {
    let stack = try TestStack(model: StaffModel.model)
    try await stack.container.loadPersistentStores()
    #expect(stack.coordinator.persistentStores.count == 1)
    try stack.container.viewContext.insert(entityNamed: "Project").setValue("Compiler", forKey: "name")
    try stack.container.viewContext.save()
    let request = FetchRequest<ManagedObject>(entityName: "Project")
    #expect(try stack.use { try $0.count(for: request) } == 1)
  }
}
