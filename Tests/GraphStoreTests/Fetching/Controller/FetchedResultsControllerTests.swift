import Foundation
import Testing

@testable import GraphStore

@Suite("Fetched results controllers", .everyStore)
struct FetchedResultsControllerTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  private let employees: [String: ManagedObject]

  init() throws {
    stack = try TestStack(TestModels.company())
    var employees: [String: ManagedObject] = [:]
    for (name, salary) in [("Ada", 3), ("Alan", 1), ("Bob", 2), ("Cleo", 1), ("eve", 3)] {
      employees[name] = try stack.context.insert("Employee", ["name": name, "salary": salary])
    }
    self.employees = employees
    try stack.context.save()
  }

  private func request(
    _ predicate: String? = nil, sort: String = "name", entity: String = "Employee"
  ) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: entity, predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: try QuerySortDescriptor.list(parsing: sort))
  }

  private func controller(
    _ predicate: String? = nil, sort: String = "name", sections: String? = nil, isWindowed: Bool = false,
    _ change: (inout FetchRequest<ManagedObject>) -> Void = { _ in }
  ) throws -> FetchedResultsController<ManagedObject> {
    var request = try request(predicate, sort: sort)
    change(&request)
    return try FetchedResultsController(
      fetchRequest: request, context: context, sectionNameKeyPath: sections, isWindowed: isWindowed)
  }

  /// An employee, found without a fetch, which would end the event.
  private func employee(_ name: String) throws -> ManagedObject {
    try #require(employees[name])
  }

  private func names(_ controller: FetchedResultsController<ManagedObject>) throws -> [String] {
    try #require(controller.fetchedObjects).map { try $0.string("name") ?? "-" }
  }

  /// Checks the events of a change, which has to be one batch, or none.
  private func expect(
    _ expected: [String], _ list: ReplayedList, sourceLocation: SourceLocation = #_sourceLocation,
    _ change: () throws -> Void
  ) throws {
    list.forget()
    try change()
    try context.processPendingChanges()
    let events = list.events
    #expect(events == expected, sourceLocation: sourceLocation)
    #expect(list.batches == (expected.isEmpty ? 0 : 1), sourceLocation: sourceLocation)
    #expect(list.findings == [], sourceLocation: sourceLocation)
    #expect(list.controller.invariantViolation == nil, sourceLocation: sourceLocation)
  }

  // MARK: Making

  @Test("FET-175, DGN-166: a controller needs an order, and a request for objects")
  func refused() throws {
    func code(_ change: (inout FetchRequest<ManagedObject>) -> Void, _ sections: String? = nil) throws
      -> String?
    {
      do {
        _ = try controller(sections: sections, change)
        return nil
      } catch let error as GraphStoreError {
        #expect(error.entity == "Employee" && !error.remedy.isEmpty)
        return "\(error.word) \(error.code.number)"
      }
    }
    #expect(try code { $0.sortDescriptors = [] } == "controller-needs-sort 136039")
    #expect(try code { $0.resultType = .managedObjectID } == "invalid-request 136071")
    #expect(try code { $0.resultType = .count } == "invalid-request 136071")
    #expect(try code { $0.includesPendingChanges = false } == "invalid-request 136071")
    #expect(try code({ _ in }, "department") == "invalid-request 136071")
    #expect(try code({ _ in }, "projects.name") == "invalid-request 136071")
    #expect(throws: QueryPredicateError.self) { try controller(sections: "colour") }
    #expect(throws: GraphStoreError.self) {
      try FetchedResultsController(
        fetchRequest: try request(entity: "Nothing"), context: context, sectionNameKeyPath: nil)
    }
  }

  @Test(
    "FET-174, FET-176, DGN-227, PAT-179: the content is its context's, there once it was fetched; another fetch replaces it without events"
  )
  func fetching() throws {
    let controller = try controller("salary < 3")
    #expect(controller.fetchedObjects == nil && controller.sections == nil && controller.count == 0)
    #expect(throws: GraphStoreError.self) { try controller.object(at: IndexPath(item: 0, section: 0)) }
    let list = try ReplayedList(controller)
    #expect(try names(controller) == ["Alan", "Bob", "Cleo"] && controller.count == 3)
    // Another process adds one; nothing is merged.
    try stack.otherProcess().insertAndSave("Employee", ["name": "Bea", "salary": 1])
    list.forget()
    try context.processPendingChanges()
    #expect(try names(controller) == ["Alan", "Bob", "Cleo"])
    try controller.performFetch()
    #expect(try names(controller) == ["Alan", "Bea", "Bob", "Cleo"])
    let listed = try #require(controller.fetchedObjects)
    #expect(listed.allSatisfy { context.registeredObject(for: $0.objectID) === $0 })
    #expect(list.batches == 0 && list.events.isEmpty)
    list.begin()
    let bea = try controller.object(at: IndexPath(item: 1, section: 0))
    try expect(["move 0.1 0.3"], list) { try bea.setValue("Zoe", forKey: "name") }
  }

  @Test("FET-176: where a fetch fails its error is thrown and the content stays")
  func failing() throws {
    let controller = try controller()
    try controller.performFetch()
    stack.coordinator.close()
    #expect(throws: GraphStoreError.self) { try controller.performFetch() }
    #expect(controller.count == 5)
  }

  @Test(
    "FET-186: a list follows the deletion by others of members of which its context has no objects",
    arguments: [false, true])
  func deletedMembers(isForeign: Bool) throws {
    let other = isForeign ? try stack.otherProcess() : stack.newContext()
    let project = try other.insert("Project", ["name": "P"])
    let ada = try #require(try other.all("Employee").first { try $0.string("name") == "Ada" })
    try project.setValue([ada], forKey: "members")
    try other.save()
    let list = try ReplayedList(try controller("projects.@count > 0"))
    #expect(try names(list.controller) == ["Ada"])
    try expect(["delete 0.0 -"], list) {
      try other.delete(project)
      let saved = try other.saveTakingChanges()
      if isForeign {
        try ManagedObjectContext.mergeChanges(fromRemoteContextSave: saved, into: [context])
      } else {
        try context.mergeChanges(fromContextDidSave: saved)
      }
    }
    #expect(list.controller.count == 0)
  }

  // MARK: Sections

  @Test("FET-177: without a key path there is one section, also of nothing; with one, none of nothing")
  func sections() throws {
    let plain = try controller("salary > 5")
    try plain.performFetch()
    #expect(plain.sections?.map(\.name) == [""] && plain.sections?[0].numberOfObjects == 0)
    let sectioned = try controller("salary > 5", sort: "salary", sections: "salary")
    try sectioned.performFetch()
    #expect(sectioned.sections?.isEmpty == true)
    let list = try ReplayedList(sectioned)
    try expect(
      [
        "insert section 7 0", "insert - 0.0",
      ], list
    ) { try employee("Bob").setValue(7, forKey: "salary") }
    try expect(
      [
        "delete section 7 0", "delete 0.0 -",
      ], list
    ) { try employee("Bob").setValue(1, forKey: "salary") }
  }

  @Test("FET-178, DGN-166: an order that tears sections apart is refused, with both names")
  func torn() throws {
    let controller = try controller(sort: "name", sections: "salary")
    let error = try #require(throws: GraphStoreError.self) { try controller.performFetch() }
    #expect(error.code == .sectionsNotContiguous && error.code.number == 136051)
    #expect(error.message.contains("\"1\"") && error.message.contains("\"2\""), "\(error.message)")
    #expect(error.remedy.contains("salary") && controller.fetchedObjects == nil)
  }

  @Test("FET-178: a change that tears a section apart goes to the delegate, and ends the following")
  func tornLater() throws {
    for (name, salary) in [("Ada", 1), ("Alan", 1), ("Bob", 2), ("Cleo", 2), ("eve", 3)] {
      try employee(name).setValue(salary, forKey: "salary")
    }
    let list = try ReplayedList(try controller(sort: "name", sections: "salary"))
    let before = list.sections
    try employee("Ada").setValue("Zoe", forKey: "name")
    try context.insert("Employee", ["name": "Abel", "salary": 1])
    try context.processPendingChanges()
    #expect((list.failures.first as? GraphStoreError)?.code == .sectionsNotContiguous)
    #expect(list.failures.count == 1 && list.events.isEmpty)
    #expect(ReplayedList.content(of: list.controller) == before && list.controller.invariantViolation == nil)
    try employee("Cleo").setValue("Carl", forKey: "name")
    try context.processPendingChanges()
    #expect(list.failures.count == 1 && list.events.isEmpty)
    try employee("Ada").setValue("Ada", forKey: "name")
    try list.controller.performFetch()
    list.begin()
    try expect(["move 1.1 1.0"], list) { try employee("Cleo").setValue("Ben", forKey: "name") }
  }

  @Test("FET-179, FET-180: sections are named by the text of a value, along to-ones, in memory")
  func names() throws {
    let departments = try ["x", "y"].map { try context.insert("Department", ["name": $0]) }
    try employee("Ada").setValue(departments[1], forKey: "department")
    try employee("Bob").setValue(departments[1], forKey: "department")
    try employee("eve").setValue(departments[0], forKey: "department")
    let controller = try controller(sort: "department.name,name", sections: "department.name")
    try controller.performFetch()
    let sections = try #require(controller.sections)
    #expect(sections.map(\.name) == ["", "x", "y"] && sections.map(\.numberOfObjects) == [2, 1, 2])
    #expect(sections.map(\.indexTitle) == ["", "X", "Y"])
    #expect(try sections[2].objects.map { try $0.string("name") } == ["Ada", "Bob"])
    let list = try ReplayedList(controller)
    // The objects of the list are not touched.
    try expect(
      [
        "delete section y 2", "insert section a 1", "move 2.0 1.0", "move 2.1 1.1",
      ], list
    ) { try departments[1].setValue("a", forKey: "name") }
  }

  @Test("FET-179: a transient attribute may name sections, which the class computes")
  func transients() throws {
    let model = ModelDefinition(
      name: "Words",
      entities: [
        EntityDefinition(
          "Word", className: "InitialedWord",
          attributes: [
            AttributeDefinition("text", .string), AttributeDefinition("initial", .string, isTransient: true),
          ])
      ])
    let stack = try TestStack(model, classes: ["InitialedWord": InitialedWord.self])
    for text in ["apple", "ant", "bee"] { try stack.context.insert("Word", ["text": text]) }
    let controller = try FetchedResultsController(
      fetchRequest: try request(sort: "text", entity: "Word"), context: stack.context,
      sectionNameKeyPath: "initial")
    let list = try ReplayedList(controller)
    #expect(controller.sections?.map(\.name) == ["A", "B"])
    try list.controller.object(at: IndexPath(item: 0, section: 1)).setValue("axe", forKey: "text")
    try stack.context.processPendingChanges()
    #expect(list.events == ["delete section B 1", "move 1.0 0.2"] && list.findings.isEmpty)
  }

  @Test("FET-181, FET-182, FET-183: index titles, index paths and objects lead to each other")
  func indexes() throws {
    let controller = try controller(sort: "salary,name", sections: "salary")
    #expect(controller.sectionIndexTitles.isEmpty)
    try controller.performFetch()
    #expect(controller.sectionIndexTitles == ["1", "2", "3"])
    #expect(try controller.section(forIndexTitle: "2", at: 1) == 1)
    for (title, position) in [("2", 0), ("9", 1), ("1", 7), ("1", -1)] {
      let error = try #require(throws: GraphStoreError.self) {
        try controller.section(forIndexTitle: title, at: position)
      }
      #expect(error.code == .invalidIndex)
    }
    for object in try #require(controller.fetchedObjects) {
      #expect(try controller.object(at: #require(controller.indexPath(for: object))) === object)
    }
    for path: IndexPath in [[3, 0], [0, 2], [-1, 0], [0, -1], [0], [0, 0, 0], []] {
      let error = try #require(throws: GraphStoreError.self) { try controller.object(at: path) }
      #expect(error.code == .invalidIndex && !error.remedy.isEmpty)
    }
    #expect(controller.indexPath(for: try context.insert("Employee", ["name": "new"])) == nil)
    let titles = IndexTitles()
    controller.delegate = titles
    #expect(controller.sectionIndexTitles == ["low", "high"])
    #expect(try controller.section(forIndexTitle: "high", at: 1) == 1)
  }

  @Test(
    "FET-184, FET-292: without a delegate the content stays as it was fetched; one that comes late is told what it missed"
  )
  func withoutDelegate() throws {
    let controller = try controller()
    try controller.performFetch()
    try employee("Ada").setValue("Zoe", forKey: "name")
    try context.delete(employee("Bob"))
    try context.insert("Employee", ["name": "Abel"])
    try context.processPendingChanges()
    #expect(controller.count == 5)
    let late = LateDelegate()
    controller.delegate = late
    #expect(late.events.isEmpty)
    try employee("Cleo").setValue("Carl", forKey: "name")
    try context.processPendingChanges()
    #expect(try names(controller) == ["Abel", "Alan", "Carl", "Zoe", "eve"])
    #expect(late.events == ["delete [0, 2]", "insert [0, 0]", "move [0, 0] [0, 3]", "update [0, 3] [0, 2]"])
  }

  @Test(
    "FET-185: a request with a batch size reads objects as they are used, and stored sections by themselves")
  func batches() throws {
    for number in 0..<200 {
      try context.insert("Employee", ["name": "\(1000 + number)", "salary": number / 50])
    }
    try context.save()
    context.reset()
    let controller = try controller("name BEGINSWITH '1'", sort: "salary,name", sections: "salary") {
      $0.fetchBatchSize = 20
    }
    let reading = stack.has(.statements)
    var counts: [Int] = []
    counts.append(try stack.statements { try controller.performFetch() })
    #expect(controller.sections?.map(\.numberOfObjects) == [50, 50, 50, 50])
    counts.append(
      try stack.statements {
        for item in 0..<20 {
          _ = try controller.object(at: IndexPath(item: item, section: 2)).value(forKey: "name")
        }
      })
    if reading { #expect(counts[0] == 2 && (1...2).contains(counts[1]), "\(counts)") }
  }

  @Test("FET-187: limit and offset count for the fetch alone: nothing is pushed out, or pulled in")
  func limits() throws {
    let list = try ReplayedList(
      try controller {
        $0.fetchLimit = 2
        $0.fetchOffset = 1
      })
    #expect(try names(list.controller) == ["Alan", "Bob"])
    try expect(["insert - 0.1"], list) { try context.insert("Employee", ["name": "Bea"]) }
    try expect(["delete 0.0 -"], list) { try context.delete(employee("Alan")) }
    #expect(try names(list.controller) == ["Bea", "Bob"])
    // One that has been outside of the window since the fetch stays there.
    try expect([], list) { try employee("Cleo").setValue(9, forKey: "salary") }
  }

  @Test("FET-286: a window that holds: who leaves pulls another one in, who comes pushes one out")
  func windows() throws {
    let list = try ReplayedList(
      try controller(isWindowed: true) {
        $0.fetchLimit = 2
        $0.fetchOffset = 1
      })
    try expect(
      [
        "delete 0.1 -", "insert - 0.1",
      ], list
    ) { try context.insert("Employee", ["name": "Bea"]) }
    try expect(["delete 0.0 -", "insert - 0.1"], list) { try context.delete(employee("Alan")) }
    #expect(try names(list.controller) == ["Bea", "Bob"])
  }

  // MARK: Changes

  @Test("FET-188, FET-189, FET-193, FET-194: edits, undo, rollback and refreshes are told in one batch each")
  func causes() throws {
    try context.setUndoManager(GraphUndoManager())
    let list = try ReplayedList(try controller("salary < 3", sort: "salary,name"))
    try expect(["update 0.0 0.0"], list) { try employee("Alan").setValue("Alfred", forKey: "name") }
    try expect(["update 0.0 0.0"], list) { try context.undo() }
    try expect(["insert - 0.2"], list) { try employee("Ada").setValue(2, forKey: "salary") }
    try expect(["move 0.1 0.0"], list) { try employee("Cleo").setValue("Aa", forKey: "name") }
    try expect(["delete 0.2 -", "move 0.0 0.1"], list) { context.rollback() }
    let alan = try employee("Alan")
    try expect(["update 0.0 0.0"], list) { try context.refresh(alan, mergeChanges: true) }
    try expect(["delete 0.0 -", "insert - 0.2", "move 0.2 0.0"], list) {
      try context.delete(alan)
      try employee("Bob").setValue(0, forKey: "salary")
      try context.insert("Employee", ["name": "Zoe", "salary": 1])
    }
  }

  @Test(
    "FET-189: what concerns nothing in the list is not told: an equal value, another entity, another object")
  func silence() throws {
    let list = try ReplayedList(try controller("salary < 3"))
    try expect([], list) { try employee("Ada").setValue("Adam", forKey: "name") }
    try expect([], list) { try employee("Bob").setValue("Bob", forKey: "name") }
    try expect([], list) {
      try employee("Bob").setValue("x", forKey: "name")
      try employee("Bob").setValue("Bob", forKey: "name")
    }
    try expect([], list) { try context.insert("Department", ["name": "D"]) }
    try expect([], list) {
      let new = try context.insert("Employee", ["name": "N", "salary": 1])
      try context.delete(new)
    }
  }

  @Test(
    "FET-190, FET-191, FET-192, FET-195, FET-201: sections first, then deletions, insertions, moves, updates")
  func order() throws {
    let list = try ReplayedList(try controller(sort: "salary,name", sections: "salary"))
    try expect(
      [
        "delete section 2 1", "insert section 0 0", "insert section 4 3", "delete 0.0 -", "insert - 2.1",
        "move 2.1 0.0", "move 1.0 3.0", "update 0.1 1.0",
      ], list
    ) {
      try employee("Bob").setValue(4, forKey: "salary")
      try employee("eve").setValue(0, forKey: "salary")
      try context.delete(employee("Alan"))
      try employee("Cleo").setValue("Cleopatra", forKey: "name")
      try context.insert("Employee", ["name": "Zoe", "salary": 3])
    }
    // One object that takes its section along moves, though it stays the first of its section.
    try expect(
      [
        "delete section 0 0", "insert section 9 3", "move 0.0 3.0",
      ], list
    ) { try employee("eve").setValue(9, forKey: "salary") }
    // A section of one object that changes otherwise stays.
    try expect(["update 3.0 3.0"], list) { try employee("eve").setValue("Eva", forKey: "name") }
  }

  @Test("FET-197: snapshots and differences say what events say, and cost nothing where nobody wants them")
  func forms() throws {
    let list = try ReplayedList(try controller(sort: "salary,name", sections: "salary"))
    list.reportedForms = .events
    try expect(["delete section 2 1", "move 1.0 0.1"], list) {
      try employee("Bob").setValue(1, forKey: "salary")
    }
    #expect(list.snapshots.isEmpty)
    list.reportedForms = [.events, .snapshot, .difference]
    let ada = try employee("Ada")
    #expect(
      try stack.statements {
        try ada.setValue("Adah", forKey: "name")
        try context.processPendingChanges()
      } == 0)
    let snapshot = try #require(list.snapshots.last)
    #expect(snapshot.sections == list.controller.snapshot?.sections)
    #expect(snapshot.reloadedObjectIDs == [ada.objectID] && list.findings.isEmpty)
    #expect(snapshot.objectIDs.count == 5 && snapshot.count == 5)
    #expect(snapshot.sections.map(\.name) == ["1", "3"])
  }

  @Test("FET-198, FET-292: an invalidated object counts as deleted")
  func reset() throws {
    let list = try ReplayedList(try controller("salary == 1", sort: "salary,name", sections: "salary"))
    try expect(["delete section 1 0", "delete 0.1 -", "delete 0.0 -"], list) { context.reset() }
    #expect(list.controller.fetchedObjects?.isEmpty == true)
  }

  @Test("FET-200: a save tells nothing, and index paths stay, also among equals")
  func saving() throws {
    let list = try ReplayedList(try controller("salary == 1", sort: "-salary"))
    for name in ["x", "y", "z"] { try context.insert("Employee", ["name": name, "salary": 1]) }
    try context.processPendingChanges()
    let before = list.objects
    try expect([], list) { try context.save() }
    #expect(list.controller.fetchedObjects == before && before.allSatisfy { !$0.objectID.isTemporaryID })
    // A change of one of them does not make the others move.
    try expect(["update 0.3 0.3"], list) { try before[3].setValue("w", forKey: "name") }
  }

  @Test(
    "FET-186, CTX-418: what others save appears with the merge, also objects that this context has never seen"
  )
  func merging() throws {
    let other = stack.newContext()
    let list = try ReplayedList(try controller("salary > 5"))
    let bob = try other.existingObject(with: employee("Bob").objectID)
    try bob.setValue(8, forKey: "salary")
    try other.insert("Employee", ["name": "Zoe", "salary": 7])
    let saved = try other.saveTakingChanges()
    context.reset()
    try list.controller.performFetch()
    // They are there already; the list is emptied of them by another save.
    list.begin()
    #expect(list.objects.count == 2)
    try bob.setValue(1, forKey: "salary")
    let back = try other.saveTakingChanges()
    try expect(["delete 0.0 -"], list) { try context.mergeChanges(fromContextDidSave: back) }
    // Nothing holds it here any more.
    try bob.setValue(9, forKey: "salary")
    let again = try other.saveTakingChanges()
    #expect(
      try stack.statements {
        try expect(["insert - 0.0"], list) { try context.mergeChanges(fromContextDidSave: again) }
      } <= 1)
    #expect(saved.inserted.count == 1)
    #expect(try names(list.controller) == ["Bob", "Zoe"])
  }

  @Test("Controllers of children see what the parent has, and their own changes")
  func children() throws {
    try employee("Ada").setValue("Zoe", forKey: "name")
    let child = ManagedObjectContext(childOf: context)
    let list = try ReplayedList(
      try FetchedResultsController(fetchRequest: try request(), context: child))
    #expect(try names(list.controller) == ["Alan", "Bob", "Cleo", "Zoe", "eve"])
    let parent = try ReplayedList(try controller())
    try child.delete(try child.all("Employee", "name == 'Alan'")[0])
    try child.insert("Employee", ["name": "Abel"])
    try child.processPendingChanges()
    #expect(list.events == ["delete 0.0 -", "insert - 0.0"] && parent.events.isEmpty)
    try child.save()
    #expect(parent.events == ["delete 0.0 -", "insert - 0.0"])
    #expect(list.findings.isEmpty && parent.findings.isEmpty)
  }

  @Test("Changes of a delegate in the middle of a batch are the next one")
  func changesOfDelegates() throws {
    let list = try ReplayedList(try controller())
    let bob = try employee("Bob")
    list.onWillChange = {
      list.onWillChange = {}
      try? bob.setValue("Zoe", forKey: "name")
    }
    try employee("Ada").setValue("Yan", forKey: "name")
    try context.processPendingChanges()
    #expect(list.events == ["move 0.0 0.3", "move 0.1 0.3"] && list.batches == 2 && list.findings == [])
    #expect(try names(list.controller) == ["Alan", "Cleo", "Yan", "Zoe", "eve"])
  }

  @Test(
    "FET-287: A sequence of snapshots has the content now, and the newest after changes; it ends with it")
  func sequence() async throws {
    let context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    let stream = try await context.perform {
      let controller = try FetchedResultsController(
        fetchRequest: FetchRequest(
          entityName: "Employee", predicate: try QueryPredicate(parsing: "salary == 1"),
          sortDescriptors: [try QuerySortDescriptor(parsing: "name")]), context: context)
      try controller.performFetch()
      let (stream, held) = (controller.snapshots, UncheckedController(controller))
      context.enqueue {
        _ = try? context.insert("Employee", ["name": "new", "salary": 1])
        try? context.processPendingChanges()
        withExtendedLifetime(held) {}
      }
      return stream
    }
    var counts: [Int] = []
    for await snapshot in stream { counts.append(snapshot.count) }
    #expect(counts.last == 3 && counts.count <= 2)
  }
}

private final class UncheckedController: @unchecked Sendable {
  let controller: FetchedResultsController<ManagedObject>
  init(_ controller: FetchedResultsController<ManagedObject>) { self.controller = controller }
}

private final class IndexTitles: FetchedResultsControllerDelegate {
  func controller(
    _ controller: FetchedResultsController<ManagedObject>, sectionIndexTitleForSectionName name: String
  ) -> String? { name == "1" ? "low" : "high" }
}

private final class LateDelegate: FetchedResultsControllerDelegate {
  var events: [String] = []

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChange object: ManagedObject,
    at path: IndexPath?, for change: FetchedResultsChange, newIndexPath: IndexPath?
  ) {
    events.append(
      (["\(change)"] + [path, newIndexPath].compactMap { $0.map { "\($0)" } }).joined(separator: " "))
  }
}

/// A word whose section is its first letter.
private final class InitialedWord: ManagedObject {
  var initial: String { ((self["text"] as? String) ?? "").prefix(1).uppercased() }
  override class var keyedAccessors: [KeyedAccessor] {
    [KeyedAccessor("initial", \InitialedWord.initial)]
  }
}

extension ManagedObjectContext {
  fileprivate func insertAndSave(_ entity: String, _ values: [String: Any]) throws {
    try insert(entity, values)
    try save()
  }
}
