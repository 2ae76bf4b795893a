import Testing

@testable import GraphStore

/// What propagation reads of destinations that are not in memory.
@Suite("Destinations that are not loaded", .everyStore)
struct UnloadedDestinationTests {
  private var one: Int { StoreFactory.current.lacks.contains(.statements) ? 0 : 1 }

  /// A city with people that live in it, and others who have visited it; nothing of it is in memory.
  private func filled(_ stack: TestStack, _ count: Int) throws -> ManagedObject {
    let city = try stack.context.insert("City", ["name": "Rome"])
    for number in 0..<count {
      try stack.context.insert("Person", ["name": "r\(number)", "homeTown": city])
      try stack.context.insert("Person", ["name": "v\(number)", "citiesVisited": Set([city])])
    }
    try stack.context.save()
    let id = city.objectID
    stack.context.reset()
    return try stack.context.object(with: id)
  }

  private func people(_ context: ManagedObjectContext, _ prefix: Character) -> [ManagedObject] {
    context.registeredObjects.filter {
      $0.entity.name == "Person" && (prefix == "r") == ($0.isDeleted || $0.changedKeys == ["homeTown"])
    }
  }

  @Test("REL-243, REL-248: objects that a cascade reaches stay faults, without rows")
  func cascade() throws {
    let stack = try TestStack(GraphModels.tree(.cascade))
    let context = stack.context
    let root = try context.insert("Node", ["name": "root"])
    for number in 0..<20 { try context.insert("Node", ["name": "\(number)", "parent": root]) }
    try context.save()
    let id = root.objectID
    context.reset()
    try context.delete(context.object(with: id))
    try context.processPendingChanges()
    let children = context.deletedObjects.dropFirst()
    #expect(children.count == 20 && children.allSatisfy { $0.isFault && $0.block == nil })
    // The root's own row alone, which names its parent.
    #expect(stack.cachedRows <= 1)
    try context.save()
    #expect(try stack.otherProcess().all("Node").isEmpty)
  }

  @Test(
    "REL-243: hooks and undo that need their values cost one statement a tree and wave", .needs(.statements),
    arguments: ["hook", "undo"])
  func neededValues(_ reason: String) throws {
    func cost(_ count: Int) throws -> Int {
      let log = HookLog()
      let stack = try TestStack(hooked: GraphModels.city(residents: .cascade), log)
      let city = try filled(stack, count)
      if reason == "hook" {
        log.onPrepare = { _ = try $0.string("name") }
      } else {
        try stack.context.setUndoManager(GraphUndoManager())
      }
      try stack.context.delete(city)
      let statements = try stack.statements { try stack.context.processPendingChanges() }
      #expect(log.errors.isEmpty && log.objects.count == count + 1)
      if reason == "undo" {
        try stack.context.save()
        try stack.context.undo()
        try stack.context.save()
        #expect(try stack.otherProcess().all("Person", "homeTown.name == 'Rome'").count == count)
      }
      return statements
    }
    #expect(try cost(2) == cost(12))
  }

  @Test(
    "REL-244: survivors are realised where their own row names the object, and not for a join table",
    .needs(.statements))
  func survivors() throws {
    func cost(_ count: Int) throws -> Int {
      let stack = try TestStack(GraphModels.city())
      let city = try filled(stack, count)
      try stack.context.delete(city)
      let statements = try stack.statements { try stack.context.processPendingChanges() }
      let (residents, visitors) = (people(stack.context, "r"), people(stack.context, "v"))
      #expect(residents.count == count && residents.allSatisfy { !$0.isFault && $0.isUpdated })
      #expect(visitors.count == count && visitors.allSatisfy { $0.isFault && $0.isUpdated })
      try stack.context.save()
      return statements
    }
    #expect(try cost(2) == cost(12))
  }

  @Test(
    "REL-246: rows that another writer has deleted are skipped, and changed ones are conflicts",
    arguments: [true, false])
  func otherWriter(_ isDeleted: Bool) throws {
    let stack = try TestStack(GraphModels.city(residents: .cascade))
    let context = stack.context
    let city = try filled(stack, 2)
    let residents = try context.all("Person", "homeTown != nil", sort: ["name"])
    for person in residents { _ = try person.string("name") }
    try context.delete(city)
    try context.processPendingChanges()
    let other = try stack.otherProcess()
    let theirs = try other.all("Person", "name == 'r0'")[0]
    if isDeleted { try other.delete(theirs) } else { try theirs.setValue("changed", forKey: "name") }
    try other.save()
    let error = failure { try context.save() }
    #expect(error?.code == (isDeleted ? nil : .mergeConflict))
    #expect(
      try stack.otherProcess().all("Person", "name BEGINSWITH 'r' OR name == 'changed'").count
        == (isDeleted ? 0 : 2))
    guard !isDeleted else { return }
    #expect(context.deletedObjects.count == 3)
    context.mergePolicy = .overwrite
    try context.save()
    #expect(try stack.otherProcess().all("Person", "name == 'changed'").isEmpty)
  }

  @Test(
    "REL-241, REL-423: who was moved away unsaved is spared by the cascade of a set that was resolved or not",
    arguments: [true, false])
  func movedAway(_ isResolved: Bool) throws {
    let stack = try TestStack(GraphModels.city(residents: .cascade))
    let city = try filled(stack, 3)
    let person = try stack.context.all("Person", "name == 'r1'")[0]
    try person.setValue(nil, forKey: "homeTown")
    if isResolved { #expect(try city.objects(forKey: "residents").count == 2) }
    try stack.context.delete(city)
    try stack.context.save()
    #expect(
      try stack.otherProcess().all("Person", "name BEGINSWITH 'r'").map { try $0.string("name") } == ["r1"])
  }

  @Test("REL-240, REL-426: a cascade goes on behind faults", arguments: [1, 3, 6])
  func behindFaults(_ depth: Int) throws {
    let stack = try TestStack(GraphModels.tree(.cascade))
    let context = stack.context
    let root = try context.insert("Node", ["name": "root"])
    var parents = [root]
    for level in 0..<depth {
      parents = try parents.flatMap { parent in
        try (0..<2).map { try context.insert("Node", ["name": "\(level) \($0)", "parent": parent]) }
      }
    }
    try context.save()
    let id = root.objectID
    context.reset()
    try context.delete(context.object(with: id))
    try context.save()
    #expect(try stack.otherProcess().all("Node").isEmpty)
  }
}
