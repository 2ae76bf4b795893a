import GraphStore

extension Workload {
  private static let updates = 10_000

  /// Merges of a save into contexts that have more, the same or few of its objects.
  static func k3(_ project: ProjectStore) -> [Workload] {
    [100_000, updates, 10].enumerated().map { position, loaded in
      Workload(
        id: "K3.\(position + 1)",
        title: "merge a save of \(updates) updates into a context with \(loaded) loaded objects",
        goal: "≤ 3 × floor",
        expected: { Answer(count: 10) },
        contenders: {
          [
            try MergedSave(project, updates: updates, loaded: loaded),
            try AssignedValues(project, updates: updates),
          ]
        })
    }
  }
}

/// Two contexts over one store: one saves, and the other merges the save.
private final class MergedSave: Contender {
  let name = "GraphStore"
  let side = Side.project
  private let changed: [NumbersObject]
  private let loaded: [NumbersObject]
  private let there: ManagedObjectContext
  private let here: ManagedObjectContext
  private var saved: SavedChanges?
  private var round: Int64 = 0

  init(_ project: ProjectStore, updates: Int, loaded: Int) throws {
    let path = try project.files.freshCopy(
      of: try project.numbers(rows: Int64(max(updates, loaded))), as: "merge-\(loaded).db")
    let coordinator = try ProjectStore.open(path)
    there = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
    here = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
    changed = try there.numbers(updates)
    self.loaded = try here.numbers(loaded)
  }

  func prepare() throws {
    for object in loaded { _ = object.digest }
    round -= 1
    for object in changed { object.i3 = round }
    let token = there.observe(.didSave) { [unowned self] in saved = SavedChanges($0) }
    try there.save()
    token.cancel()
  }

  func work() throws {
    if let saved { try here.mergeChanges(fromContextDidSave: saved) }
  }

  func answer() throws -> Answer {
    Answer(count: Int64(loaded.prefix(10).count { $0.i3 == round }))
  }
}

/// A loop that assigns the values.
private final class AssignedValues: Contender {
  let name = "floor: a loop that assigns the values"
  let side = Side.floor
  private let objects: [NumbersObject]
  private let context: ManagedObjectContext
  private var round: Int64 = 0

  init(_ project: ProjectStore, updates: Int) throws {
    let path = try project.files.freshCopy(
      of: try project.numbers(rows: Int64(updates)), as: "assigned.db")
    context = ManagedObjectContext(
      coordinator: try ProjectStore.open(path), concurrencyType: .mainQueue)
    objects = try context.numbers(updates)
  }

  func prepare() throws {
    context.rollback()
    for object in objects { _ = object.digest }
    round -= 1
  }

  func work() throws {
    for object in objects { object.i3 = round }
  }

  func answer() throws -> Answer {
    Answer(count: Int64(objects.prefix(10).count { $0.i3 == round }))
  }
}

extension ManagedObjectContext {
  /// The first objects of the table, with their values.
  fileprivate func numbers(_ count: Int) throws -> [NumbersObject] {
    var request = FetchRequest<ManagedObject>(entityName: "Numbers")
    request.fetchLimit = count
    let objects = try fetch(NumbersObject.self, request)
    for object in objects { _ = object.digest }
    return objects
  }
}
