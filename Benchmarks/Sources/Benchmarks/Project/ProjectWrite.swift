import GraphStore

/// The project writing into a fresh copy of a store at each run.
final class ProjectWrite<Loaded>: Contender {
  let name: String
  let side: Side
  private let files: WorkFiles
  private let template: String
  private let load: (ManagedObjectContext) throws -> Loaded
  private let write: (ManagedObjectContext, Loaded) throws -> Void
  private let check: (FloorStore) throws -> Answer
  private var path = ""
  private var context: ManagedObjectContext?
  private var loaded: Loaded?

  init(
    _ files: WorkFiles, name: String = "GraphStore", side: Side = .project, template: String,
    load: @escaping (ManagedObjectContext) throws -> Loaded,
    write: @escaping (ManagedObjectContext, Loaded) throws -> Void,
    check: @escaping (FloorStore) throws -> Answer
  ) {
    self.name = name
    self.side = side
    self.files = files
    self.template = template
    self.load = load
    self.write = write
    self.check = check
  }

  func prepare() throws {
    loaded = nil
    context?.coordinator.close()
    context = nil
    path = try files.freshCopy(of: template, as: "project.db")
    let opened = ManagedObjectContext(coordinator: try ProjectStore.open(path), concurrencyType: .mainQueue)
    loaded = try load(opened)
    context = opened
  }

  func work() throws {
    if let context, let loaded { try write(context, loaded) }
  }

  func answer() throws -> Answer { try check(try FloorStore(path)) }
}
