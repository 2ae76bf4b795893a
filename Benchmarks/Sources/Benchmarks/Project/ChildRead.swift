import GraphStore

/// A child that fetches and reads objects, a new one in each run; its parent stays.
final class ChildRead: Contender {
  let name = "GraphStore"
  let side = Side.project
  private let parent: ManagedObjectContext
  private var held: [NumbersObject] = []
  private var found = Answer(count: 0)

  /// - Parameter isLoaded: Whether the parent has all objects in memory.
  init(_ path: String, isLoaded: Bool) throws {
    parent = ManagedObjectContext(coordinator: try ProjectStore.open(path), concurrencyType: .mainQueue)
    guard isLoaded else { return }
    held = try parent.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers"))
    _ = NumbersObject.answer(held)
  }

  func work() throws {
    let child = ManagedObjectContext(parent: parent, concurrencyType: .mainQueue)
    found = NumbersObject.answer(
      try child.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers")))
  }

  func answer() throws -> Answer { found }
}
