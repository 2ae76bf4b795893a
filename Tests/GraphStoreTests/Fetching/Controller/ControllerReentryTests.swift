import Foundation
import Testing

@testable import GraphStore

/// Delegates that change something in the middle of a batch, and values that have changed before an event
/// says so.
@Suite("Controllers in the middle of things", .everyStore)
struct ControllerReentryTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private let other: ManagedObjectContext

  init() throws {
    stack = try TestStack(TestModels.company())
    other = stack.newContext()
    for (number, name) in ["b", "d", "f", "h", "j", "l", "n"].enumerated() {
      try stack.context.insert("Employee", ["name": name, "salary": number + 2])
    }
    try stack.context.save()
  }

  private func list(
    _ predicate: String? = nil, sort: String = "name", sections: String? = nil,
    in context: ManagedObjectContext? = nil, isWindowed: Bool = false,
    _ change: (inout FetchRequest<ManagedObject>) -> Void = { _ in }
  ) throws -> ReplayedList {
    var request = FetchRequest(
      entityName: "Employee", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: try QuerySortDescriptor.list(parsing: sort))
    change(&request)
    return try ReplayedList(
      FetchedResultsController(
        fetchRequest: request, context: context ?? self.context, sectionNameKeyPath: sections,
        isWindowed: isWindowed))
  }

  /// Processes changes, and checks that a list is what a new fetch gives.
  private func check(
    _ list: ReplayedList, in context: ManagedObjectContext? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let context = context ?? self.context
    try context.processPendingChanges()
    let (content, fetched) = (
      try (list.controller.fetchedObjects ?? []).map { try $0.string("name") },
      try context.fetch(list.controller.fetchRequest).map { try $0.string("name") }
    )
    #expect(content == fetched, sourceLocation: sourceLocation)
    #expect(list.failures.isEmpty && !list.isInBatch, sourceLocation: sourceLocation)
    #expect(list.controller.invariantViolation == nil, sourceLocation: sourceLocation)
  }

  private func employee(_ name: String, in context: ManagedObjectContext? = nil) throws -> ManagedObject {
    try #require(try (context ?? self.context).all("Employee", "name == '\(name)'").first)
  }

  @Test(
    "FET-189, FET-201: a delegate may edit, delete and save within will-change; what follows is the next batch"
  )
  func savingInBatches() throws {
    for way in [0, 2, 3, 1] {
      let list = try list("salary > 1")
      let (first, second) = (list.objects[1], list.objects[3])
      list.onWillChange = { [context] in
        list.onWillChange = {}
        switch way {
        case 0: try? first.setValue("dd", forKey: "name")
        case 1: try? context.delete(second)
        case 2: try? second.setValue("z", forKey: "name")
        default: break
        }
        try? context.save()
      }
      try first.setValue(way == 3 ? 0 : 9, forKey: "salary")
      try context.insert("Employee", ["name": "m\(way)", "salary": 4])
      try check(list)
      #expect(list.batches >= 1)
      list.begin()
      try first.setValue(5, forKey: "salary")
      try check(list)
      #expect(list.findings == [])
      context.rollback()
    }
  }

  @Test(
    "FET-194, FET-201: what a delegate changes within will-change, unprocessed, has its place in that batch")
  func editingInBatches() throws {
    let list = try list()
    let d = try employee("d")
    var shown: [String?]?
    list.onWillChange = {
      // The next batch tells of the change itself, and begins with the content that this one leaves.
      list.onWillChange = {
        shown = try? list.controller.fetchedObjects?.map { try $0.string("name") }
      }
      try? d.setValue("z", forKey: "name")
    }
    try d.setValue("dd", forKey: "name")
    try check(list)
    #expect(shown == ["b", "f", "h", "j", "l", "n", "z"])
    #expect(list.findings == [])
  }

  @Test("FET-186: edits of one controller's delegate do not mislead another one")
  func twoControllers() throws {
    let lists = [try list(sort: "salary,name", sections: "salary"), try list()]
    let h = try employee("h")
    lists[0].onWillChange = {
      lists[0].onWillChange = {}
      try? h.setValue("z", forKey: "name")
      try? h.setValue(99, forKey: "salary")
    }
    try context.insert("Employee", ["name": "m", "salary": 4])
    for list in lists { try check(list) }
    #expect(lists[1].findings == [])
  }

  @Test("FET-176: a fetch within will-change replaces the content, and the batch says no more")
  func fetchingInBatches() throws {
    let list = try list()
    list.onWillChange = {
      list.onWillChange = {}
      try? list.controller.performFetch()
    }
    try employee("d").setValue("z", forKey: "name")
    try check(list)
    list.begin()
    try employee("f").setValue("a", forKey: "name")
    try check(list)
  }

  @Test(
    "FET-186, CTX-418: a value that was read between a save of others and its merge is brought into the list")
  func readBeforeMerge() throws {
    for predicate in [nil, "salary < 50"] {
      let list = try list(predicate, sort: "salary")
      context.reset()
      try list.controller.performFetch()
      list.begin()
      let theirs = try employee("d", in: other)
      try theirs.setValue(99, forKey: "salary")
      let saved = try other.saveTakingChanges()
      // The screen is drawn.
      for object in list.controller.fetchedObjects ?? [] { _ = try object.value(forKey: "salary") }
      // Another change comes first.
      try context.insert("Employee", ["name": "new", "salary": 5])
      try context.processPendingChanges()
      try context.mergeChanges(fromContextDidSave: saved)
      try check(list)
      #expect(list.findings == [])
      context.rollback()
      try theirs.setValue(3, forKey: "salary")
      try context.mergeChanges(fromContextDidSave: try other.saveTakingChanges())
    }
  }

  @Test("FET-178, FET-186: sections whose objects others have changed are not torn apart before the merge")
  func sectionsBeforeMerge() throws {
    let list = try list(sort: "salary,name", sections: "salary")
    let held = list.objects
    try employee("d", in: other).setValue(7, forKey: "salary")
    let saved = try other.saveTakingChanges()
    try list.controller.performFetch()
    list.begin()
    try context.mergeChanges(fromContextDidSave: saved)
    try check(list)
    #expect(list.findings == [] && held.count == 7)
  }

  @Test("FET-067, FET-186: unsaved objects of stores that are not asked for do not enter by a second change")
  func affectedStores() throws {
    let list = try list { $0.affectedStores = [] }
    let new = try context.insert("Employee", ["name": "a"])
    try check(list)
    try new.setValue("aa", forKey: "name")
    try check(list)
    #expect(list.objects.isEmpty)
  }

  @Test("FET-292: a delegate that was away is told of what was merged meanwhile")
  func awayDelegate() throws {
    let list = try list("salary > 50")
    list.controller.delegate = nil
    try employee("d", in: other).setValue(70, forKey: "salary")
    let saved = try other.saveTakingChanges()
    context.reset()
    try context.mergeChanges(fromContextDidSave: saved)
    list.controller.delegate = list
    try context.insert("Employee", ["name": "new", "salary": 60])
    try check(list)
    #expect(list.findings == [] && list.objects.count == 2)
  }

  @Test("FET-286: who was outside of the window and is deleted by others shifts it")
  func windowsAndMergedDeletions() throws {
    let list = try list(isWindowed: true) { ($0.fetchOffset, $0.fetchLimit) = (1, 2) }
    try other.delete(employee("b", in: other))
    try context.mergeChanges(fromContextDidSave: try other.saveTakingChanges())
    try check(list)
    #expect(list.findings == [])
  }

  @Test("FET-193, FET-110: a list whose request refreshes does not change itself")
  func refreshingRequests() throws {
    let list = try list(sort: "manager.name,name", isWindowed: true) {
      ($0.fetchLimit, $0.shouldRefreshRefetchedObjects) = (3, true)
    }
    try employee("d").setValue("c", forKey: "name")
    try check(list)
    #expect(list.batches <= 2 && list.findings == [])
  }

  @Test("FET-186: children see siblings' changes of objects that nobody has saved, and those of parents")
  func families() throws {
    let (one, two) = (ManagedObjectContext(childOf: context), ManagedObjectContext(childOf: context))
    let new = try context.insert("Employee", ["name": "x", "salary": 1])
    try context.processPendingChanges()
    let first = try list("salary > 40", in: one)
    let theirs = try two.object(with: new.objectID)
    try theirs.setValue(50, forKey: "salary")
    try one.mergeChanges(fromContextDidSave: try two.saveTakingChanges())
    try check(first, in: one)
    // An object that the child has inserted, and its parent changed.
    let own = try one.insert("Employee", ["name": "y", "salary": 60])
    try one.save()
    try context.object(with: own.objectID).setValue(3, forKey: "salary")
    let saved = try context.saveTakingChanges()
    try one.mergeChanges(fromContextDidSave: saved)
    try check(first, in: one)
  }

  @Test("FET-194, FET-200: with sections too, who has not moved is updated, also among equals")
  func updatesInSections() throws {
    let list = try list(sort: "-salary", sections: "salary")
    for name in ["x", "y", "z"] { try context.insert("Employee", ["name": name, "salary": 1]) }
    try context.processPendingChanges()
    try context.save()
    list.forget()
    try employee("y").setValue("yy", forKey: "name")
    try context.processPendingChanges()
    #expect(list.events.count == 1 && list.events[0].hasPrefix("update"))
    let others = try list.objects.filter { try $0.value(forKey: "salary") as? Int64 == 1 }
    for object in others { try object.setValue("w", forKey: "name") }
    let moved = try #require(list.objects.first)
    try moved.setValue(0, forKey: "salary")
    list.forget()
    try context.processPendingChanges()
    #expect(list.events.filter { $0.hasPrefix("move") }.count == 1 && list.findings == [])
  }

  @Test("An event that concerns most of a long list fetches it anew, and says the same")
  func large() throws {
    for number in 0..<2_000 { try context.insert("Employee", ["name": "\(number)", "salary": number % 50]) }
    try context.save()
    let list = try list(sort: "salary,name", sections: "salary")
    for (number, object) in list.objects.enumerated() where number % 3 != 0 {
      try object.setValue(number * 7 % 60, forKey: "salary")
    }
    try check(list)
    #expect(list.batches == 1 && list.findings == [])
    try context.refreshAllObjects()
    try check(list)
    #expect(list.findings == [])
  }

  @Test("FET-189: an object whose record is gone does not enter a list by the values that it has lost")
  func lostRecord() throws {
    let employee = try employee("d")
    try employee.setValue(try context.insert("Department", ["name": "x"]), forKey: "department")
    try context.save()
    let list = try list("department == nil")
    try stack.removeRow(employee.objectID)
    try context.refreshFromStores([employee])
    try context.processPendingChanges()
    #expect(employee.isDeleted)
    #expect(list.findings == [] && !list.events.contains { $0.hasPrefix("insert") })
  }
}
