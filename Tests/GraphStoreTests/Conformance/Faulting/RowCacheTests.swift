import Dispatch
import Testing

@testable import GraphStore

@Suite("The row cache", .everyStore)
struct RowCacheTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  /// What one statement counts as in the store that is tested.
  private var one: Int { stack.has(.statements) ? 1 : 0 }

  /// Tools, of which Ada and Bob are members, Ada being Bob's manager.
  init() throws {
    stack = try TestStack(TestModels.company())
    let tools = try stack.context.insert("Department", ["name": "Tools"])
    let ada = try stack.context.insert("Employee", ["name": "Ada", "salary": 1, "department": tools])
    try stack.context.insert("Employee", ["name": "Bob", "salary": 2, "department": tools, "manager": ada])
    try stack.context.save()
    stack.context.reset()
  }

  private func cachedRow(_ object: ManagedObject) -> Row? {
    let cache = stack.coordinator.mounts[0].store.rowCache
    return cache.row(object.layout.rootIndex, object.key, in: .committed)
  }

  @Test(
    "FLT-052: contexts of a coordinator share the cache of each store, and another coordinator has its own")
  func shared() throws {
    let people = try context.all("Employee")
    let second = stack.newContext()
    let mine = try people.map { try second.object(with: $0.objectID) }
    #expect(try stack.statements { for person in mine { _ = try person.string("name") } } == 0)
    let other = try stack.otherProcess()
    let theirs = try other.object(with: people[0].objectID)
    let before = other.coordinator.statementCount
    #expect(try theirs.string("name") == "Ada")
    #expect(!stack.has(.statements) || other.coordinator.statementCount == before + one)
    try theirs.setValue("Eve", forKey: "name")
    try other.save()
    #expect(try stack.newContext().existingObject(with: people[0].objectID).string("name") == "Ada")
  }

  @Test("FLT-052: each store has one", .needs(.files))
  func perStore() throws {
    let stores = try SeveralStores()
    for number in 0..<2 { try stores.insert("Employee", ["name": "\(number)"], into: number) }
    try stores.context.save()
    stores.context.reset()
    let caches = stores.coordinator.mounts.map(\.store.rowCache)
    #expect(caches[0] !== caches[1] && caches.map(\.count) == [0, 0])
    let all = try stores.context.all("Employee")
    #expect(all.count == 2 && caches.map(\.count) == [1, 1])
  }

  @Test(
    "FLT-053, FLT-063: an entry has every attribute, the to-one destinations and the version, and no membership"
  )
  func contents() throws {
    let bob = try context.all("Employee", "name == 'Bob'")[0]
    let row = try #require(cachedRow(bob))
    let layout = bob.layout
    let salary = try #require(layout.property(named: "salary"))
    #expect(try bob.value(of: salary, in: row) == .int(2))
    for key in ["manager", "department"] {
      let relationship = try bob.toOneRelationship(forKey: key)
      #expect(row.reference(relationship.slot)?.key == 1)
    }
    // Other links are stored meanwhile; the entry of the department has nothing of them.
    let tools = try context.all("Department")[0]
    #expect(try tools.objects(forKey: "employees").count == 2)
    let other = try stack.otherProcess()
    try other.all("Employee", "name == 'Bob'")[0].setValue(nil, forKey: "department")
    try other.save()
    let again = stack.newContext()
    #expect(try again.existingObject(with: tools.objectID).names("employees") == ["Ada"])
    // The version goes with the values: by the old one a save conflicts.
    let stale = try again.object(with: bob.objectID)
    try stale.setValue(3, forKey: "salary")
    #expect(code { try again.save() } == .mergeConflict)
  }

  @Test("FLT-054: fetches, misses, prefetches, saves and conflicts each leave the rows that they have read")
  func sources() throws {
    #expect(stack.cachedRows == 0)
    var held = try context.all("Employee", "name == 'Ada'")
    #expect(stack.cachedRows == 1)
    let manager = try context.object(
      with: try #require(stack.coordinator.managedObjectID(forShortForm: "Employee/p2")))
    #expect(stack.cachedRows == 1)
    _ = try manager.string("name")
    #expect(stack.cachedRows == 2)
    var request = FetchRequest(entityName: "Employee")
    request.relationshipKeyPathsForPrefetching = ["department"]
    held = try context.fetch(request)
    #expect(stack.cachedRows == 3)
    let new = try context.insert("Employee", ["name": "Cas"])
    #expect(stack.cachedRows == 3)
    try context.save()
    #expect(stack.cachedRows == 4 && cachedRow(new) != nil)
    let other = try stack.otherProcess()
    try other.existingObject(with: held[0].objectID).setValue(9, forKey: "salary")
    try other.save()
    try held[0].setValue(8, forKey: "salary")
    #expect(code { try context.save() } == .mergeConflict)
    let salary = try #require(held[0].layout.property(named: "salary"))
    #expect(try held[0].value(of: salary, in: #require(cachedRow(held[0]))) == .int(9))
  }

  @Test("FLT-055: counts, identifiers and the members of a to-many leave none")
  func nothing() throws {
    let request = FetchRequest(entityName: "Employee")
    #expect(try context.count(for: request) == 2 && context.fetchIdentifiers(request).count == 2)
    #expect(stack.cachedRows == 0)
    let tools = try context.all("Department")[0]
    #expect(stack.cachedRows == 1)
    #expect(try tools.objects(forKey: "employees").count == 2 && stack.cachedRows == 1)
    #expect(try tools.objectIDs(forRelationshipNamed: "employees").count == 2 && stack.cachedRows == 1)
  }

  @Test(
    "FLT-063, FLT-183, FLT-056, FET-027: a newer row touches neither the values of a realised object nor its snapshot"
  )
  func immutable() throws {
    let second = stack.newContext()
    let mine = try second.all("Employee", "name == 'Ada'")[0]
    #expect(try mine.string("name") == "Ada")
    let row = try #require(cachedRow(mine))
    let theirs = try context.existingObject(with: mine.objectID)
    try theirs.setValue("Eve", forKey: "name")
    #expect(try mine.string("name") == "Ada" && cachedRow(mine)?.block === row.block)
    try context.save()
    // The cache has another row now; the object and its snapshot stay.
    let name = try #require(mine.layout.property(named: "name"))
    #expect(try mine.value(of: name, in: #require(cachedRow(mine))) == .string("Eve"))
    #expect(try mine.value(of: name, in: row) == .string("Ada"))
    #expect(try second.all("Employee", "name == 'Eve'")[0] === mine)
    #expect(try mine.string("name") == "Ada")
    try mine.setValue("Zoe", forKey: "name")
    #expect(try mine.committedValues(forKeys: ["name"])["name"] as? String == "Ada")
    #expect(code { try second.save() } == .mergeConflict)
  }

  @Test("FLT-064: rows are used from several queues, each wholly old or wholly new")
  func severalQueues() throws {
    let ids = try context.all("Employee").map(\.objectID)
    for id in ids { try context.existingObject(with: id).setValue("0", forKey: "name") }
    for id in ids { try context.existingObject(with: id).setValue(0, forKey: "salary") }
    try context.save()
    let coordinator = stack.coordinator
    DispatchQueue.concurrentPerform(iterations: 3) { thread in
      do {
        let context = ManagedObjectContext(coordinator: coordinator)
        for round in 1...60 {
          if thread == 0 {
            for id in ids {
              let person = try context.existingObject(with: id)
              try person.setValue("\(round)", forKey: "name")
              try person.setValue(round, forKey: "salary")
            }
            try context.save()
          } else {
            for id in ids {
              let person = try context.object(with: id)
              let name = try person.string("name")
              let salary = try person.value(forKey: "salary") as? Int64
              if name != salary.map(String.init) { Issue.record("\(name ?? "nil") and \(salary ?? -1)") }
            }
            context.reset()
          }
        }
      } catch { Issue.record(error) }
    }
  }

  @Test(
    "FLT-186, FLT-012: a cached row answers however many there are, and however old it is",
    .needs(.statements))
  func manyRows() throws {
    for number in 0..<2_000 { try context.insert("Project", ["name": "\(number)"]) }
    try context.save()
    context.reset()
    let projects = try context.all("Project")
    let others = try context.all("Employee")
    #expect(stack.cachedRows == 2_002)
    #expect(try stack.statements { for project in projects { _ = try project.string("name") } } == 0)
    let second = stack.newContext()
    let mine = try projects.map { try second.object(with: $0.objectID) }
    #expect(try stack.statements { for project in mine { _ = try project.string("name") } } == 0)
    _ = others
  }

  @Test(
    "FLT-187, FLT-057: a row outlives the context that has read it as long as another has the object, and no longer"
  )
  func owners() throws {
    var first: ManagedObjectContext? = ManagedObjectContext(coordinator: stack.coordinator)
    var people = try first?.all("Employee") ?? []
    var held: ManagedObject? = try context.object(with: people[0].objectID)
    people = []
    first = nil
    let rows = stack.cachedRows
    let statements = try stack.statements { _ = try held?.string("name") }
    #expect(rows == 1 && statements == 0)
    held = nil
    #expect(stack.cachedRows == 0)
  }

  @Test("FLT-060: an entry goes with the save that deletes its record, whoever holds the object")
  func deleted() throws {
    let second = stack.newContext()
    let held = try second.all("Employee")
    for person in held { _ = try person.string("name") }
    try context.delete(context.all("Employee", "name == 'Bob'")[0])
    try context.save()
    #expect(stack.cachedRows == 1 && held.count == 2 && cachedRow(held[1]) == nil)
    #expect(try held[1].string("name") == "Bob")
  }

  @Test("FLT-060: the entries of a store that is removed go with it", .needs(.files))
  func removed() throws {
    let stores = try SeveralStores()
    try stores.insert("Employee", ["name": "a"], into: 0)
    try stores.context.save()
    let held = try stores.context.all("Employee")
    let cache = stores.coordinator.mounts[0].store.rowCache
    #expect(held.count == 1 && cache.count == 1)
    try stores.coordinator.remove(stores.coordinator.persistentStores[0])
    #expect(cache.count == 0)
  }

  @Test(
    "FLT-205, FLT-207, FLT-058: ten thousand objects refreshed at once, and let go of, leave no row",
    .needs(.files))
  func tenThousand() throws {
    for number in 0..<10_000 { try context.insert("Desk", ["name": "\(number)"]) }
    try context.save()
    context.reset()
    do {
      let desks = try context.all("Desk")
      for desk in desks { _ = try desk.string("name") }
      #expect(stack.cachedRows == 10_000)
      #expect(try stack.statements { try context.refreshAllObjects() } == 0)
      #expect(desks.allSatisfy(\.isFault) && stack.cachedRows == 10_000)
    }
    #expect(stack.cachedRows == 0 && context.registeredCount == 0)
  }
}
