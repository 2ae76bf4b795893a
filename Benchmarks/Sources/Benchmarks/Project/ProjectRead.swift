import GraphStore

/// The project reading: the coordinator stays open, each run has a context of its own.
final class ProjectRead: Contender {
  let name: String
  let side: Side
  private let coordinator: PersistentStoreCoordinator
  private let read: (ManagedObjectContext) throws -> Answer
  private var found = Answer(count: 0)

  init(
    _ path: String, name: String = "GraphStore", side: Side = .project,
    _ read: @escaping (ManagedObjectContext) throws -> Answer
  ) throws {
    self.name = name
    self.side = side
    coordinator = try ProjectStore.open(path)
    self.read = read
  }

  func work() throws {
    found = try read(ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue))
  }
  func answer() throws -> Answer { found }
}
