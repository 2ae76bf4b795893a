import GraphStore
import Testing

@Suite(.everyKindOfStore)
struct TransactionTests {
  private struct Stop: Error {}

  private func code(_ body: () throws -> Void) -> GraphStoreError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? GraphStoreError)?.code }
  }

  @Test("A transaction takes no part of another coordinator's: its stores are others")
  func otherCoordinator() throws {
    let (stack, other) = (try TestStack(TestModels.company()), try TestStack(TestModels.company()))
    try other.coordinator.transaction { transaction in
      #expect(code { try transaction.join(stack.context) } == .contextMismatch)
      let importer = BatchedImporter(entityName: "Department", coordinator: stack.coordinator)
      #expect(
        code { _ = try importer.importRecords([["name": "lost"]], in: transaction) } == .contextMismatch)
    }
    try stack.context.insert("Department", ["name": "kept"])
    let refused = code {
      try other.coordinator.transaction(with: stack.context) { _ in try stack.context.save() }
    }
    #expect(refused == .contextMismatch && stack.context.hasChanges)
    #expect(try other.newContext().all("Department").isEmpty)
    try stack.context.save()
    #expect(try stack.newContext().all("Department").count == 1)
  }

  @Test("Several saves as one: an inner part that throws is taken back alone")
  func nested() throws {
    let stack = try TestStack(TestModels.company())
    try stack.coordinator.transaction(with: stack.context) { transaction in
      try stack.context.insert("Department", ["name": "outer"])
      try stack.context.save()
      let inner = stack.newContext()
      try? transaction.savepoint {
        try transaction.join(inner)
        try inner.insert("Department", ["name": "inner"])
        try inner.save()
        throw Stop()
      }
      try stack.context.insert("Department", ["name": "after"])
      try stack.context.save()
    }
    let names = try stack.otherProcess().all("Department", sort: ["name"]).map { try $0.string("name") }
    #expect(names == ["after", "outer"])
  }

  @Test("FLT-062: rows of a transaction that is taken back are in no cache, whoever read them")
  func cacheAfterRollback() throws {
    let stack = try TestStack(TestModels.company())
    let department = try stack.context.insert("Department", ["name": "stored"])
    try stack.context.save()
    let id = department.objectID
    let reader = stack.newContext()
    var held: [ManagedObject] = []
    try? stack.coordinator.transaction(with: stack.context, reader) { _ in
      try department.setValue("unsaved", forKey: "name")
      try stack.context.save()
      held = try reader.all("Department")
      throw Stop()
    }
    let third = stack.newContext()
    #expect(try third.existingObject(with: id).string("name") == "stored")
    #expect(try held[0].string("name") == "stored")
  }

  @Test("Several saves as one: a context may save several times and go on afterwards")
  func goingOn() throws {
    let stack = try TestStack(TestModels.company(isOrdered: true))
    let context = stack.context
    var people: [ManagedObject] = []
    let department = try context.insert("Department", ["name": "D"])
    try stack.coordinator.transaction(with: context) { _ in
      for name in ["A", "B", "C"] {
        people.append(try context.insert("Employee", ["name": name, "department": department]))
        try context.save()
        try people[0].setValue(people.count, forKey: "salary")
        try context.save()
      }
    }
    try people[0].setValue(9, forKey: "salary")
    try context.delete(people[1])
    try context.save()
    let other = try stack.otherProcess()
    #expect(try other.all("Department")[0].names("employees") == ["A", "C"])
    #expect(try other.all("Employee", "name == 'A'")[0].value(forKey: "salary") as? Int64 == 9)
  }

  @Test("Several saves as one: a save that fails inside leaves the others and its own changes")
  func failedSaveInside() throws {
    let stack = try TestStack(TestModels.company(employees: .deny))
    let context = stack.context
    let department = try context.insert("Department", ["name": "D"])
    try stack.coordinator.transaction(with: context) { _ in
      let ada = try context.insert("Employee", ["name": "A", "department": department])
      try context.save()
      try context.delete(department)
      #expect(throws: GraphStoreError.self) { try context.save() }
      #expect(department.isDeleted)
      context.rollback()
      try ada.setValue("B", forKey: "name")
      try context.save()
    }
    #expect(try stack.otherProcess().all("Department")[0].names("employees") == ["B"])
  }

  @Test(
    "CTX-077, CTX-111: saves inside are told when the transaction is committed, in their order, and not at all where they are taken back"
  )
  func telling() throws {
    let stack = try TestStack(TestModels.company())
    let (context, other) = (stack.context, stack.newContext())
    var told: [String] = []
    func note(_ saved: ContextDidSave) throws -> String {
      try (saved.inserted.map { "+" + (try $0.string("name") ?? "") } + saved.updated.map { _ in "~" })
        .sorted()
        .joined()
    }
    let tokens = [
      context.observe(.didSave) { told.append((try? note($0)) ?? "?") },
      context.observe(.didSaveObjectIDs) { told.append("\($0.inserted.count) \($0.updated.count)") },
      other.observe(.didSave) { told.append("other " + ((try? note($0)) ?? "?")) },
    ]
    defer { for token in tokens { token.cancel() } }
    try stack.coordinator.transaction(with: context) { transaction in
      let ada = try context.insert("Employee", ["name": "Ada"])
      try context.save()
      try? transaction.savepoint {
        try transaction.join(other)
        try other.insert("Employee", ["name": "taken back"])
        try other.save()
        throw Stop()
      }
      try context.existingObject(with: ada.objectID).setValue("Eve", forKey: "name")
      try context.save()
      #expect(told.isEmpty)
    }
    #expect(told.count == 4 && told[1] == "1 0" && told[2...] == ["~", "0 1"])
    told = []
    try? stack.coordinator.transaction(with: context) { _ in
      try context.insert("Employee", ["name": "Bob"])
      try context.save()
      throw Stop()
    }
    #expect(told.isEmpty)
    try context.insert("Employee", ["name": "Zoe"])
    try context.save()
    #expect(told == ["+Zoe", "1 0"])
  }
}
