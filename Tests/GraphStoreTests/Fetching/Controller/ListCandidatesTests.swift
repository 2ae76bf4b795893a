import Foundation
import Testing

@testable import GraphStore

/// Which refreshed objects of a list may have moved: those whose values may be others than it was put
/// together by.
@Suite("Refreshed objects that may have moved", .everyStore)
struct ListCandidatesTests {
  /// Keeps what it is told.
  private final class Recorder: ChangeConsumer {
    private(set) var changes: [ContextChanges] = []
    var wantsMergedRecords: Bool { true }

    func contextDidChange(_ changes: ContextChanges) { self.changes.append(changes) }
  }

  private let stack: TestStack
  private let here: ManagedObjectContext
  private var there: ManagedObjectContext { stack.context }
  private let recorder = Recorder()
  private let judge: ListJudge
  private let list: SectionedList
  private let theirs: [ManagedObject]

  init() throws {
    let stack = try TestStack(TestModels.company())
    self.stack = stack
    theirs = try (0..<6).map { try stack.context.insert("Employee", ["name": "e\($0)", "salary": $0 / 2]) }
    try stack.context.save()
    here = stack.newContext()
    let request = FetchRequest(
      entityName: "Employee", sortDescriptors: try QuerySortDescriptor.list(parsing: "salary"))
    let naming = try SectionNaming("salary", of: here.layout(named: "Employee"))
    let judge = try ListJudge(here.prepare(request), naming, in: here)
    let objects = try here.fetch(request)
    for object in objects { _ = try object.string("name") }
    list = try SectionedList(objects, isSectioned: true) { try judge.sectionName(of: $1) }
    self.judge = judge
    here.delivery.observers.add(recorder)
  }

  /// Merges what the other context has changed, brings it into the list, and tells how many objects might
  /// have moved and how many have.
  private func merge() throws -> (judged: Int, moved: Int, updated: Int) {
    try here.mergeChanges(fromContextDidSave: try there.saveTakingChanges())
    return try follow()
  }

  private func follow() throws -> (judged: Int, moved: Int, updated: Int) {
    let candidates = try judge.candidates(in: try #require(recorder.changes.last), of: list)
    let changes = try ListEdit(candidates, in: list, by: judge).carryOut()
    let keys = try list.objects.map { try $0.value(forKey: "salary") as? Int64 ?? -1 }
    #expect(keys == keys.sorted() && list.violation == nil)
    return (
      candidates.all.count { $0.flags.contains(.replaced) }, changes.moved.count, changes.updated.count
    )
  }

  @Test(
    "FET-186, FET-194: a merge judges the places of objects whose sort keys or sections have changed, and no others"
  )
  func merged() throws {
    // Who else had saved before the list was fetched is not known: each is judged once.
    for object in theirs { try object.setValue("x", forKey: "name") }
    #expect(try merge() == (6, 0, 6))
    for object in theirs { try object.setValue("y", forKey: "name") }
    #expect(try merge() == (0, 0, 6))
    for object in theirs { try object.setValue("z", forKey: "name") }
    try theirs[0].setValue(2, forKey: "salary")
    #expect(try merge() == (1, 1, 5))
    try theirs[0].setValue("back", forKey: "name")
    #expect(try merge() == (0, 0, 1))
  }

  @Test("FET-186: an object is judged whose values may be others than the list was put together by")
  func doubtful() throws {
    for object in theirs { try object.setValue("x", forKey: "name") }
    #expect(try merge() == (6, 0, 6))
    // A value of its own, which was dropped.
    let mine = try here.existingObject(with: theirs[0].objectID)
    try mine.setValue(5, forKey: "salary")
    try here.processPendingChanges()
    #expect(try follow().moved == 1)
    try here.refresh(mine, mergeChanges: false)
    try here.processPendingChanges()
    #expect(try follow() == (1, 1, 0))
    // One that was a fault: the row that it had is not known.
    for _ in 0..<2 {
      try here.refresh(mine, mergeChanges: false)
      try here.processPendingChanges()
    }
    #expect(try follow() == (1, 0, 1))
    // Two refreshes in one event: the first row counts.
    try theirs[0].setValue(9, forKey: "salary")
    try there.save()
    try here.refresh(mine, mergeChanges: false)
    #expect(try mine.value(forKey: "salary") as? Int64 == 9)
    try here.refresh(mine, mergeChanges: false)
    try here.processPendingChanges()
    #expect(try follow() == (1, 1, 0))
  }

  @Test(
    "FET-186: a list that was fetched between saves and their merge follows both", arguments: [false, true])
  func between(isSectioned: Bool) throws {
    let controller = try FetchedResultsController(
      fetchRequest: FetchRequest(
        entityName: "Employee", sortDescriptors: try QuerySortDescriptor.list(parsing: "salary,name")),
      context: here, sectionNameKeyPath: isSectioned ? "salary" : nil)
    let replayed = try ReplayedList(controller)
    for object in theirs { try object.setValue("x", forKey: "name") }
    try here.mergeChanges(fromContextDidSave: try there.saveTakingChanges())
    // Put together by what this context has not merged yet, and changed back before it does.
    try theirs[0].setValue(7, forKey: "salary")
    let first = try there.saveTakingChanges()
    try controller.performFetch()
    replayed.begin()
    try theirs[0].setValue(0, forKey: "salary")
    let second = try there.saveTakingChanges()
    for saved in [first, second] {
      try here.mergeChanges(fromContextDidSave: saved)
      #expect(replayed.findings == [] && replayed.failures.isEmpty)
    }
    let salaries = try replayed.objects.map { try $0.value(forKey: "salary") as? Int64 }
    #expect(salaries == [0, 0, 1, 1, 2, 2])
    #expect(try here.fetch(controller.fetchRequest) == replayed.objects)
  }
}
