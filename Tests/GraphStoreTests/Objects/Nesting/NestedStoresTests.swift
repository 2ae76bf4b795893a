import Testing

@testable import GraphStore

/// A child of a context that has objects of two stores.
@Suite("Nested contexts over several stores")
struct NestedStoresTests {
  private let stack: SeveralStores
  private let child: ManagedObjectContext

  /// Each store has a department with one employee.
  init() throws {
    stack = try SeveralStores()
    for number in 0...1 {
      let department = try stack.insert("Department", ["name": "D\(number)"], into: number)
      try stack.insert("Employee", ["name": "E\(number)", "department": department], into: number)
    }
    try stack.context.save()
    stack.context.reset()
    child = ManagedObjectContext(childOf: stack.context)
  }

  private func names(_ context: ManagedObjectContext) throws -> [String] {
    try context.all("Employee", sort: ["-name"]).compactMap { try $0.string("name") }
  }

  @Test("a child fetches from all stores, and new objects with the store that they go to")
  func reading() throws {
    let department = try #require(try stack.context.all("Department", "name == 'D1'").first)
    let theirs = try stack.context.insert("Employee", ["name": "E2", "department": department])
    try theirs.addObjects(stack.context.all("Employee", "name == 'E1'"), forKey: "friends")
    #expect(try names(child) == ["E2", "E1", "E0"])
    var request = FetchRequest(entityName: "Employee")
    request.sortDescriptors = [try QuerySortDescriptor(parsing: "-name")]
    request.fetchLimit = 2
    #expect(try child.fetch(request).map { try $0.string("name") } == ["E2", "E1"])
    #expect(try child.count(for: FetchRequest(entityName: "Employee")) == 3)
    let ids = try child.fetchIdentifiers(FetchRequest(entityName: "Employee"))
    #expect(ids.count == 3 && ids.contains(theirs.objectID))
    let other = ManagedObjectContext(childOf: stack.context)
    let mine = try other.object(with: theirs.objectID)
    #expect(try mine.object(forKey: "department")?.string("name") == "D1")
    #expect(try mine.names("friends") == ["E1"])
    try other.checkInvariants()
  }

  @Test(
    "what a child saves goes to the stores that it was assigned to, once the parent saves")
  func saving() throws {
    for department in try child.all("Department", sort: ["name"]) {
      try child.insert(
        "Employee", ["name": "in \(department.string("name") ?? "")", "department": department])
    }
    let assigned = try child.insert("Employee", ["name": "assigned"])
    try child.assign(assigned, to: stack.stores[1])
    try child.save()
    #expect(try stack.names("Employee", in: 0) == ["E0"] && stack.names("Employee", in: 1) == ["E1"])
    try stack.context.save()
    #expect(try stack.names("Employee", in: 0) == ["E0", "in D0"])
    #expect(try stack.names("Employee", in: 1) == ["E1", "assigned", "in D1"])
    #expect(try stack.findings() == [])
  }
}
