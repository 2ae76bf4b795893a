import Testing

@testable import GraphStore

/// Chains of contexts, each of which has something of its own.
@Suite("Chains of contexts", .everyStore)
struct ChainTests {
  private let stack: TestStack
  private let root: ManagedObjectContext
  private let child: ManagedObjectContext
  private let grandchild: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company(isOrdered: true))
    root = stack.context
    child = ManagedObjectContext(childOf: root)
    grandchild = ManagedObjectContext(childOf: child)
  }

  private func salary(_ object: ManagedObject) throws -> Int64? {
    try object.value(forKey: "salary") as? Int64
  }

  @Test("CTX-287, FET-037: a fetch sees what each context above has changed, the nearest last")
  func layers() throws {
    try root.insert("Employee", ["name": "Ada", "salary": 1])
    let mine = try #require(try child.all("Employee").first)
    try mine.setValue(2, forKey: "salary")
    let found = try #require(try grandchild.all("Employee").first)
    #expect(try salary(found) == 2)
    #expect(try grandchild.all("Employee", "salary == 2") == [found])
    let new = try child.insert("Manager", ["name": "Bob", "salary": 4])
    try child.save()
    try new.setValue(5, forKey: "salary")
    #expect(try grandchild.all("Employee", "salary == 5").map { try salary($0) } == [5])
    let other = ManagedObjectContext(childOf: grandchild)
    try found.setValue(3, forKey: "salary")
    #expect(try other.all("Employee", "salary == 3").map { try salary($0) } == [3])
  }

  @Test("CTX-287: a child shows what its parent has kept, though contexts above have changed it since")
  func kept() throws {
    try root.insert("Employee", ["name": "Ada", "salary": 1])
    try root.save()
    let theirs = try #require(try root.all("Employee").first)
    let mine = try #require(try child.all("Employee").first)
    #expect(try salary(mine) == 1)
    try theirs.setValue(2, forKey: "salary")
    #expect(try salary(mine) == 1)
    #expect(try salary(grandchild.object(with: mine.objectID)) == 1)
    let other = ManagedObjectContext(childOf: child)
    #expect(try other.all("Employee").map { try salary($0) } == [1])
    try child.refreshAllObjects()
    #expect(try salary(mine) == 2)
    try other.refreshAllObjects()
    #expect(try other.all("Employee").map { try salary($0) } == [2])
  }
}
