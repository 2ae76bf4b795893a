import GraphStore
import Testing

/// Doing what a `merge-conflict` says helps.
@Suite("Remedies of conflicts")
struct ConflictRemedyTests {
  private let stack: TestStack
  private let mine: ManagedObject
  private let other: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company())
    try stack.context.insert("Employee", ["name": "Ada", "salary": 1])
    try stack.context.save()
    mine = try stack.context.all("Employee")[0]
    #expect(try mine.string("name") == "Ada")
    other = try stack.otherProcess()
    try other.all("Employee")[0].setValue("Eve", forKey: "name")
    try other.save()
  }

  private func remedy() throws -> String {
    do {
      try stack.context.save()
      return ""
    } catch let error as GraphStoreError {
      #expect(error.code == .mergeConflict)
      return error.remedy
    }
  }

  @Test("CTX-185: a change that conflicts is saved after a refresh that merges")
  func change() throws {
    try mine.setValue(2, forKey: "salary")
    #expect(try remedy().hasPrefix("Refresh the objects with mergeChanges"))
    try stack.context.refresh(mine, mergeChanges: true)
    try stack.context.save()
    let stored = try stack.otherProcess().all("Employee")[0]
    #expect(try stored.string("name") == "Eve")
    #expect(try stored.value(forKey: "salary") as? Int64 == 2)
  }

  @Test("CTX-178: a deletion that conflicts is saved after a rollback and a refresh")
  func deletion() throws {
    try stack.context.delete(mine)
    #expect(try remedy().hasPrefix("Roll back, refresh the objects, and delete again"))
    stack.context.rollback()
    try stack.context.refresh(mine, mergeChanges: false)
    #expect(try mine.string("name") == "Eve")
    try stack.context.delete(mine)
    try stack.context.save()
    #expect(try stack.otherProcess().all("Employee").isEmpty)
  }
}
