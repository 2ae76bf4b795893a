import Foundation
import GraphStore

/// Lists of controllers: 200 sections, by a number of their own, and in each by another one.
extension Workload {
  private static let objects: Int64 = 100_000
  private static let sections: Int64 = 200
  private static let changes = 1_000

  /// The first content of a list, beside the fetch alone.
  static func l5First(_ project: ProjectStore) -> Workload {
    let rows = Scale.rows(objects)
    return Workload(
      id: "L5.1", title: "list \(rows) objects in \(sections) sections", goal: "≤ 1.1 × the fetch",
      rows: rows,
      expected: { Answer(count: rows) },
      contenders: {
        let path = try project.listed(rows: rows, sections: sections)
        return [
          try ProjectRead(path, name: "controller") { context in
            let controller = try ListContender.controller(context)
            try controller.performFetch()
            return Answer(count: Int64(controller.count))
          },
          try ProjectRead(path, name: "fetch", side: .floor) { context in
            Answer(count: Int64(try context.fetch(ListContender.request()).count))
          },
        ]
      })
  }

  /// Changes one by one, each an event, with a list that follows them and without.
  static func l5Changes(_ project: ProjectStore) -> Workload {
    Workload(
      id: "L5.2", title: "\(changes) events of a changed object each, beside a list of \(objects)",
      goal: "≤ 50 µs more each", rows: Int64(changes),
      expected: { Answer(count: Int64(changes)) },
      contenders: {
        let path = try project.listed(rows: Scale.rows(objects), sections: sections)
        return [
          try ListContender(path, "with a list", .project, changes: changes, isListed: true),
          try ListContender(path, "without", .floor, changes: changes, isListed: false),
        ]
      })
  }

  /// The same changes beside a long and a short list.
  static func l5Growth(_ project: ProjectStore) -> Workload {
    Workload(
      id: "L5.3", title: "\(changes) events of a changed object each, beside a list of 1,000,000",
      goal: "≤ 1.5 × the same beside one of 1,000", rows: Int64(changes), isLong: true,
      expected: { Answer(count: Int64(changes)) },
      contenders: {
        [
          try ListContender(
            project.listed(rows: Scale.rows(1_000_000), sections: sections), "1,000,000", .project,
            changes: changes, isListed: true),
          try ListContender(
            project.listed(rows: 1_000, sections: sections), "1,000", .floor, changes: changes, isListed: true
          ),
        ]
      })
  }

  /// A merge of many changes, with a list that follows it and without.
  static func l5Merge(_ project: ProjectStore) -> Workload {
    Workload(
      id: "L5.4", title: "merge a save of \(changes) updates, beside a list of \(objects)",
      goal: "≤ 5 ms more", rows: Int64(changes),
      expected: { Answer(count: Int64(changes)) },
      contenders: {
        let path = try project.listed(rows: Scale.rows(objects), sections: sections)
        return [
          try MergedList(project, path, "with a list", .project, changes: changes, isListed: true),
          try MergedList(project, path, "without", .floor, changes: changes, isListed: false),
        ]
      })
  }

  /// What the order of a list takes that has followed a change, beside its objects.
  static func l5Memory(_ project: ProjectStore) -> Workload {
    Workload(
      id: "L5.5", title: "heap for each of \(objects) objects in a list, beside the objects",
      goal: "≤ 160 bytes",
      runs: 1, unit: .bytes, expected: { Answer(count: Scale.rows(objects)) },
      contenders: {
        let path = try project.listed(rows: Scale.rows(objects), sections: sections)
        let context = ManagedObjectContext(
          coordinator: try ProjectStore.open(path), concurrencyType: .mainQueue)
        let held = try context.fetch(NumbersObject.self, ListContender.request())
        _ = NumbersObject.answer(held)
        return [
          MemoryContender("controller", .project) {
            let controller = try ListContender.controller(context)
            try controller.performFetch()
            _ = controller.indexPath(for: held[0])
            // One for each object, so that the figure is that of an entry.
            return (
              Array(repeating: controller, count: held.count), Answer(count: Int64(controller.count))
            )
          }
        ]
      })
  }
}

/// Changes of objects of a list, one an event.
private final class ListContender: Contender, FetchedResultsControllerDelegate {
  typealias Object = ManagedObject

  let name: String
  let side: Side
  private let context: ManagedObjectContext
  private let objects: [NumbersObject]
  private let controller: FetchedResultsController<ManagedObject>
  private let changes: Int
  private var round: Int64 = 0
  private var told = 0

  init(_ path: String, _ name: String, _ side: Side, changes: Int, isListed: Bool) throws {
    self.name = name
    self.side = side
    self.changes = changes
    context = ManagedObjectContext(coordinator: try ProjectStore.open(path), concurrencyType: .mainQueue)
    objects = try context.fetch(NumbersObject.self, Self.request())
    _ = NumbersObject.answer(objects)
    controller = try Self.controller(context)
    if isListed { controller.delegate = self }
    try controller.performFetch()
  }

  static func request() -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: "Numbers",
      sortDescriptors: (try? QuerySortDescriptor.list(parsing: "i0,i1")) ?? [])
  }

  static func controller(_ context: ManagedObjectContext) throws -> FetchedResultsController<ManagedObject> {
    try FetchedResultsController(fetchRequest: request(), context: context, sectionNameKeyPath: "i0")
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChange object: ManagedObject,
    at path: IndexPath?, for change: FetchedResultsChange, newIndexPath: IndexPath?
  ) { told += 1 }

  func prepare() throws {
    round += 1
    told = controller.delegate == nil ? changes : 0
    // What the first event makes is not a part of the others.
    objects[0].i9 = round
    try context.processPendingChanges()
    if controller.delegate != nil { told = 0 }
  }

  func work() throws {
    let stride = max(1, objects.count / changes)
    for number in 0..<changes {
      // Half of them move.
      let object = objects[number * stride % objects.count]
      if number % 2 == 0 { object.i1 = round &* 7_919 &+ Int64(number) } else { object.i9 = -round }
      try context.processPendingChanges()
    }
  }

  func answer() throws -> Answer { Answer(count: Int64(told)) }
}

/// A merge of what another context has saved of the objects of a list.
private final class MergedList: Contender, FetchedResultsControllerDelegate {
  typealias Object = ManagedObject

  let name: String
  let side: Side
  private let there: ManagedObjectContext
  private let here: ManagedObjectContext
  private let changed: [NumbersObject]
  private let held: [NumbersObject]
  private let controller: FetchedResultsController<ManagedObject>
  private let changes: Int
  private var saved: SavedChanges?
  private var round: Int64 = 0
  private var told = 0

  init(
    _ project: ProjectStore, _ template: String, _ name: String, _ side: Side, changes: Int, isListed: Bool
  ) throws {
    self.name = name
    self.side = side
    self.changes = changes
    let coordinator = try ProjectStore.open(
      try project.files.freshCopy(of: template, as: "list-\(isListed).db"))
    there = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
    here = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
    let all = try there.fetch(NumbersObject.self, ListContender.request())
    changed = stride(from: 0, to: all.count, by: max(1, all.count / changes)).prefix(changes).map { all[$0] }
    held = try here.fetch(NumbersObject.self, ListContender.request())
    controller = try ListContender.controller(here)
    if isListed { controller.delegate = self }
    try controller.performFetch()
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChange object: ManagedObject,
    at path: IndexPath?, for change: FetchedResultsChange, newIndexPath: IndexPath?
  ) { told += 1 }

  func prepare() throws {
    _ = NumbersObject.answer(held)
    round -= 1
    for object in changed { object.i9 = round }
    let token = there.observe(.didSave) { [unowned self] in saved = SavedChanges($0) }
    try there.save()
    token.cancel()
    told = controller.delegate == nil ? changes : 0
  }

  func work() throws {
    if let saved { try here.mergeChanges(fromContextDidSave: saved) }
  }

  func answer() throws -> Answer { Answer(count: Int64(told)) }
}

extension ProjectStore {
  /// Numbers of which the first says the section, and the second the place in it.
  fileprivate func listed(rows: Int64, sections: Int64) throws -> String {
    try template("listed-\(rows)-\(sections).db") { store in
      try store.fillNumbers(rows)
      _ = try store.integer(
        "UPDATE ZNUMBERS SET ZI0 = Z_PK % \(sections), ZI1 = Z_PK * 7919 % 1000003 RETURNING 1")
    }
  }
}
