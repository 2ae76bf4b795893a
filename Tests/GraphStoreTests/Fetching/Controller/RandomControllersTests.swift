import Foundation
import Testing

@testable import GraphStore

/// Controllers over a context in which everything happens that can: their events, replayed, have to give
/// their content, and that has to be what a new fetch gives.
@Suite(.everyKindOfStore)
struct RandomControllersTests {
  @Test(
    "FET-186 to FET-201, CTX-418: after any change a controller's content is a new fetch's, and its events lead there",
    arguments: TestSeed.sequence(8))
  func replay(_ seed: TestSeed) throws {
    var run = try ControllerRun(seed)
    for step in 0..<60 {
      let action = try run.step()
      guard run.findings.isEmpty else {
        Issue.record("\(seed), step \(step) (\(action)): \(run.findings.prefix(4))\n\(run.log.suffix(12))")
        return
      }
    }
  }
}

private struct ControllerRun {
  let stack: TestStack
  let context: ManagedObjectContext
  let sibling: ManagedObjectContext
  let foreign: ManagedObjectContext
  var random: SeededGenerator
  var lists: [(list: ReplayedList, isExact: Bool)] = []
  var findings: [String] = []
  var log: [String] = []

  static let predicates = [
    nil, "salary > 4", "name != \"b\"", "department.name >= \"b\"", "department = nil", "projects.@count > 0",
    "ANY projects.name == \"c\"", "manager.department.name != nil", "NOT (salary < 3 OR name == nil)",
    "SUBQUERY(reports, $r, $r.salary > 3).@count > 0", "entity.name == \"Manager\"", "desk.name == \"a\"",
  ]
  static let keys = ["name", "salary", "department.name", "manager.name", "manager.salary"]

  init(_ seed: TestSeed) throws {
    random = seed.generator
    stack = try TestStack(TestModels.company())
    context = stack.context
    sibling = stack.newContext()
    foreign = try stack.otherProcess()
    try context.setUndoManager(GraphUndoManager())
    context.mergePolicy = .mergeByPropertyObjectTrump
    for other in [sibling, foreign] { other.mergePolicy = .mergeByPropertyObjectTrump }
    for _ in 0..<12 { try change(sibling, inserts: true) }
    try sibling.save()
    for _ in 0..<4 { lists.append(try makeList()) }
    // A list whose context holds nothing else.
    context.retainsRegisteredObjects = random.chance(30)
  }

  private mutating func makeList() throws -> (ReplayedList, Bool) {
    var request = FetchRequest(entityName: random.pick(["Employee", "Employee", "Manager"]))
    request.predicate = try random.pick(Self.predicates).map { try QueryPredicate(parsing: $0) }
    request.includesSubentities = random.chance(80)
    let count = Int.random(in: 1...4, using: &random)
    let keys = Array(Self.keys.shuffled(using: &random).prefix(count))
    request.sortDescriptors = try keys.map {
      let place = count == 2 ? ":nulls-last" : count == 3 ? ":nulls-first" : ""
      return try QuerySortDescriptor(parsing: (random.chance(40) ? "-\($0)" : $0) + place)
    }
    if count == 2 { request.sortDescriptors.append(try QuerySortDescriptor(parsing: "length:(name)")) }
    let isWindowed = random.chance(20)
    if isWindowed {
      request.fetchLimit = Int.random(in: 1...6, using: &random)
      request.fetchOffset = Int.random(in: 0...2, using: &random)
    }
    if random.chance(30) { request.fetchBatchSize = 3 }
    let isSectioned = random.chance(60)
    let controller = try FetchedResultsController(
      fetchRequest: request, context: context, sectionNameKeyPath: isSectioned ? keys[0] : nil,
      isWindowed: isWindowed)
    log.append("\(request) by \(isSectioned ? keys[0] : "-")\(isWindowed ? ", windowed" : "")")
    // Among equals a saved object stays where it was as an unsaved one (FET-200): that is where a fetch has it
    // if its key is the greatest, and equals are in the order of keys.
    let isExact = stack.has(.ascendingKeys) && request.sortDescriptors.last?.ascending == true
    return (try ReplayedList(controller), isExact)
  }

  // MARK: Steps

  mutating func step() throws -> String {
    let action: String
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<50:
      for _ in 0..<Int.random(in: 1...5, using: &random) { try change(context) }
      action = "change"
    case 50..<56: action = try undo()
    case 56..<64:
      try saveOrRollback(context)
      action = "save"
    case 64..<84: action = try change(another: random.pick([sibling, foreign]))
    case 84..<89: action = try changeInChild()
    case 89..<93:
      for object in try objects(context) where random.chance(40) && !object.isInserted {
        try context.refresh(object, mergeChanges: random.chance(50) || object.hasChanges)
      }
      action = "refresh"
    case 93..<96:
      try context.refreshAllObjects()
      action = "refresh all"
    case 96..<98:
      context.rollback()
      action = "rollback"
    default:
      context.reset()
      for (list, _) in lists {
        if list.controller.count > 0 { findings.append("objects are listed after a reset") }
        try list.controller.performFetch()
        list.begin()
      }
      action = "reset"
    }
    log.append(action)
    try context.processPendingChanges()
    try compare()
    return action
  }

  private mutating func undo() throws -> String {
    if random.chance(60) {
      try context.undo()
      return "undo"
    }
    try context.redo()
    return "redo"
  }

  /// Lets another context change and save, and merges that.
  private mutating func change(another: ManagedObjectContext) throws -> String {
    let name = another === foreign ? "another process" : "a sibling"
    if !another.hasChanges { another.reset() }
    for _ in 0..<Int.random(in: 1...6, using: &random) { try change(another) }
    guard let saved = try saveOrRollback(another) else { return "\(name) fails" }
    // Before the merge values may be read, and other changes happen.
    if random.chance(40) {
      for (list, _) in lists {
        for object in list.controller.fetchedObjects ?? [] { _ = try? object.value(forKey: "salary") }
      }
    }
    if random.chance(30) {
      try change(context)
      try context.processPendingChanges()
    }
    if another === foreign {
      try ManagedObjectContext.mergeChanges(fromRemoteContextSave: saved, into: [context, sibling])
    } else {
      try context.mergeChanges(fromContextDidSave: saved)
    }
    return "\(name) saves \(saved.inserted.count) \(saved.updated.count) \(saved.deleted.count)"
  }

  private mutating func changeInChild() throws -> String {
    let child = ManagedObjectContext(childOf: context)
    for _ in 0..<Int.random(in: 1...4, using: &random) { try change(child) }
    guard try saveOrRollback(child) != nil else { return "child fails" }
    return "child saves"
  }

  @discardableResult
  private func saveOrRollback(_ context: ManagedObjectContext) throws -> SavedChanges? {
    var changes: SavedChanges?
    let token = context.observe(.didSave) { changes = SavedChanges($0) }
    defer { token.cancel() }
    do { try context.save() } catch { context.rollback() }
    return changes
  }

  // MARK: Changes

  private func objects(_ context: ManagedObjectContext, _ entity: String = "Employee") throws
    -> [ManagedObject]
  {
    try context.all(entity).sorted { $0.objectID < $1.objectID }
  }

  private mutating func text() -> String? { random.chance(15) ? nil : random.pick(["a", "b", "c", "d"]) }

  private mutating func change(_ context: ManagedObjectContext, inserts: Bool = false) throws {
    let employees = try objects(context)
    let choice =
      inserts || employees.isEmpty
      ? Int.random(in: 0..<30, using: &random) : Int.random(in: 0..<100, using: &random)
    switch choice {
    case 0..<20:
      let object = try context.insert(
        random.pick(["Employee", "Employee", "Manager"]),
        [
          "salary": Int64.random(in: 0..<8, using: &random)
        ])
      try object.setValue(text(), forKey: "name")
      try object.setValue(try one(context, "Department"), forKey: "department")
    case 20..<30:
      let object = try context.insert(entityNamed: random.pick(["Department", "Project", "Desk"]))
      try object.setValue(text(), forKey: "name")
    case 30..<50: try random.pick(employees).setValue(text(), forKey: "name")
    case 50..<60:
      try random.pick(employees).setValue(Int64.random(in: 0..<8, using: &random), forKey: "salary")
    case 60..<68: try random.pick(employees).setValue(try one(context, "Department"), forKey: "department")
    case 68..<74: try random.pick(employees).setValue(try one(context, "Employee"), forKey: "manager")
    case 74..<78: try random.pick(employees).setValue(try one(context, "Desk"), forKey: "desk")
    case 78..<84:
      guard let project = try one(context, "Project") else { return }
      let employee = random.pick(employees)
      var members = try project.objects(forKey: "members")
      if let place = members.firstIndex(of: employee) {
        members.remove(at: place)
      } else {
        members.append(employee)
      }
      try project.setValue(members, forKey: "members")
    case 84..<91:
      let other = random.pick(["Department", "Project", "Desk"])
      try one(context, other)?.setValue(text(), forKey: "name")
    case 91..<97: try context.delete(random.pick(employees))
    default:
      if let object = try one(context, random.pick(["Department", "Project", "Desk"])) {
        try context.delete(object)
      }
    }
  }

  private mutating func one(_ context: ManagedObjectContext, _ entity: String) throws -> ManagedObject? {
    let objects = try objects(context, entity)
    return objects.isEmpty || random.chance(15) ? nil : random.pick(objects)
  }

  // MARK: Comparing

  private mutating func compare() throws {
    for (number, (list, isExact)) in lists.enumerated() {
      let controller = list.controller
      findings += list.findings.map { "list \(number): \($0)" }
      for error in list.failures { findings.append("list \(number) failed: \(error)") }
      if let violation = controller.invariantViolation { findings.append("list \(number): \(violation)") }
      let fetched = try context.fetch(controller.fetchRequest)
      let content = controller.fetchedObjects ?? []
      let isEqual =
        isExact
        ? fetched == content
        : try fetched.count == content.count && keys(fetched, list) == keys(content, list)
      if !isEqual {
        findings.append(
          "list \(number) is \(content.map(\.objectID.shortForm)), a fetch gives \(fetched.map(\.objectID.shortForm))"
        )
      }
      for object in content
      where try controller.object(at: #require(controller.indexPath(for: object))) !== object {
        findings.append("list \(number): the path of \(object.objectID)")
      }
    }
    do { try context.checkInvariants() } catch { findings.append("\(error)") }
  }

  /// The sort keys of objects, and which objects have them, where equals may be in any order.
  private func keys(_ objects: [ManagedObject], _ list: ReplayedList) throws -> [String] {
    let descriptors = list.controller.fetchRequest.sortDescriptors
    return try objects.map { object in
      try descriptors.map { descriptor in
        "\(try ExpressionEvaluator(descriptor.expression).value(for: .source(object)))"
      }.joined(separator: "|")
    }
  }
}
