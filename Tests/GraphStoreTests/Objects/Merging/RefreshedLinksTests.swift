import Testing

@testable import GraphStore

/// Both ends of links after what others have stored was taken in beside unsaved changes.
@Suite("Links that are refreshed beside changes", .everyStore)
struct RefreshedLinksTests {
  /// The ways in which a context takes in what a sibling has saved.
  enum Way: CaseIterable {
    case merge
    case refreshAll
    case refetch
  }

  private let stack: TestStack
  private let context: ManagedObjectContext
  private var writer: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company(isOrdered: true))
    let research = try stack.context.insert("Department", ["name": "Research"])
    for name in ["B", "C"] { try stack.context.insert("Department", ["name": name]) }
    for name in ["Ada", "Bob"] {
      try stack.context.insert("Employee", ["name": name, "salary": 1, "department": research])
    }
    try stack.context.insert("Employee", ["name": "Cy", "salary": 1])
    try stack.context.save()
    context = stack.newContext()
  }

  private func employee(_ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.all("Employee", "name == '\(name)'").first)
  }

  private func department(_ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.all("Department", "name == '\(name)'").first)
  }

  /// Moves an employee in the sibling, saves, and takes that in.
  private func move(_ name: String, to new: String?, _ way: Way) throws {
    let target = try new.map { try department($0, in: writer) }
    try employee(name, in: writer).setValue(target, forKey: "department")
    var saved: SavedChanges?
    let token = writer.observe(.didSave) { saved = SavedChanges($0) }
    try writer.save()
    token.cancel()
    switch way {
    case .merge: try context.mergeChanges(fromContextDidSave: #require(saved))
    case .refreshAll: try context.refreshAllObjects()
    case .refetch:
      for entity in ["Employee", "Department"] {
        var request = FetchRequest<ManagedObject>(entityName: entity)
        request.shouldRefreshRefetchedObjects = true
        _ = try context.fetch(request)
      }
    }
  }

  @Test("CTX-007, FLT-101, FLT-102: a link that was cut here stays cut at both ends", arguments: Way.allCases)
  func cut(_ way: Way) throws {
    let ada = try employee("Ada", in: context)
    try ada.setValue(nil as ManagedObject?, forKey: "department")
    try move("Ada", to: "B", way)
    #expect(try ada.object(forKey: "department") == nil)
    #expect(try department("B", in: context).names("employees") == [])
    try context.save()
    #expect(try employee("Ada", in: stack.newContext()).object(forKey: "department") == nil)
  }

  @Test(
    "FLT-102, CTX-204, CTX-007: members in a changed order take in what others have added and taken out",
    arguments: [Way.merge, .refreshAll])
  func reordered(_ way: Way) throws {
    let research = try department("Research", in: context)
    try research.mutableOrderedSetValue(forKey: "employees").move(from: 1, to: 0)
    try context.processPendingChanges()
    try move("Cy", to: "Research", way)
    #expect(try research.names("employees") == ["Bob", "Ada", "Cy"])
    try move("Ada", to: "C", way)
    #expect(try research.names("employees") == ["Bob", "Cy"])
    try context.save()
    #expect(try department("Research", in: stack.otherProcess()).names("employees") == ["Bob", "Cy"])
    try context.checkInvariants()
  }

  @Test(
    "FLT-102, CTX-204: a link that was made here too, among members in a changed order, is there once",
    arguments: [Way.merge, .refreshAll])
  func reorderedWithTheSameLink(_ way: Way) throws {
    let research = try department("Research", in: context)
    try research.mutableOrderedSetValue(forKey: "employees").move(from: 1, to: 0)
    try employee("Cy", in: context).setValue(research, forKey: "department")
    try context.processPendingChanges()
    try move("Cy", to: "Research", way)
    #expect(try research.names("employees") == ["Bob", "Ada", "Cy"])
    try context.save()
    #expect(try department("Research", in: stack.otherProcess()).names("employees") == ["Bob", "Ada", "Cy"])
    try context.checkInvariants()
  }

  @Test(
    "CTX-150, CTX-159, CTX-032: a link that undo puts back, and that others have stored otherwise, is a change",
    arguments: Way.allCases)
  func undone(_ way: Way) throws {
    try context.setUndoManager(GraphUndoManager())
    let ada = try employee("Ada", in: context)
    try ada.setValue(department("C", in: context), forKey: "department")
    try context.processPendingChanges()
    try move("Ada", to: "B", way)
    try context.undo()
    #expect(try ada.object(forKey: "department")?.string("name") == "Research")
    #expect(ada.isUpdated && ada.changedKeys == ["department"])
    #expect(try department("B", in: context).names("employees") == [])
    #expect(try department("C", in: context).names("employees") == [])
    #expect(try department("Research", in: context).names("employees").sorted() == ["Ada", "Bob"])
    try context.save()
    let stored = try employee("Ada", in: stack.otherProcess())
    #expect(try stored.object(forKey: "department")?.string("name") == "Research")
    try context.checkInvariants()
  }
}
