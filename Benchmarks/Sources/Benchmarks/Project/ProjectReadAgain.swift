import GraphStore

/// Fetches and reads objects that somebody holds already.
final class ProjectReadAgain: Contender {
  let name = "GraphStore"
  let side = Side.project
  private let context: ManagedObjectContext
  private let held: [NumbersObject]
  private var found = Answer(count: 0)

  init(_ path: String) throws {
    context = ManagedObjectContext(coordinator: try ProjectStore.open(path), concurrencyType: .mainQueue)
    held = try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers"))
    _ = NumbersObject.answer(held)
  }

  func work() throws {
    found = NumbersObject.answer(
      try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers")))
  }

  func answer() throws -> Answer { found }
}
