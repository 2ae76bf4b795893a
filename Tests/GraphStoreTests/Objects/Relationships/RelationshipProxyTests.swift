import Foundation
import OrderedCollections
import Testing

@testable import GraphStore

@Suite("Live views and mutable proxies of to-manys", .everyStore)
struct RelationshipProxyTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }
  private let tools: ManagedObject
  private let people: [ManagedObject]
  /// What one statement counts as in the store that is tested.
  private var one: Int { stack.has(.statements) ? 1 : 0 }

  /// Employees of a department in order, of whom two are friends.
  init() throws {
    stack = try TestStack(TestModels.company(isOrdered: true))
    tools = try stack.context.insert("Department", ["name": "Tools"])
    people = try ["Ada", "Bob", "Cas", "Dan"].map { [context = stack.context] in
      try context.insert("Employee", ["name": $0])
    }
    try tools.setValue(Array(people[..<3]), forKey: "employees")
    try people[0].setValue([people[1]], forKey: "friends")
    try stack.context.save()
  }

  private func refault() {
    for object in people + [tools] { try? context.refresh(object, mergeChanges: false) }
  }

  private func staff() throws -> MutableRelationshipOrderedSet {
    try tools.mutableOrderedSetValue(forKey: "employees")
  }

  private func names() throws -> [String?] {
    try tools.objects(forKey: "employees").map { try $0.string("name") }
  }

  @Test(
    "REL-004, FLT-037, FLT-031: a view and a proxy are made without a statement; the first use reads once")
  func lazy() throws {
    refault()
    var view: RelationshipOrderedSet?
    var proxy: MutableRelationshipOrderedSet?
    #expect(
      try stack.statements {
        view = try tools.value(forKey: "employees") as? RelationshipOrderedSet
        proxy = try staff()
      } == 0)
    #expect(tools.isFault)
    let live = try #require(view)
    #expect(try stack.statements { try check(live.count == 3) } == one)
    #expect(try stack.statements { try check(live.contains(people[0]) && proxy?.count == 3) } == 0)
    #expect(try stack.statements { try check(Array(live) == Array(people[..<3])) } == 0)
  }

  @Test("REL-004: views show later changes, wherever they are made; a set that was taken does not")
  func live() throws {
    let view = try #require(try people[0].value(forKey: "friends") as? RelationshipSet)
    let taken = view.objects
    #expect(taken == [people[1]])
    try people[2].setValue([people[0]], forKey: "friends")
    #expect(view.objects == [people[1], people[2]] && view.contains(people[2]) && view.count == 2)
    try context.delete(people[1])
    try context.save()
    #expect(view.objects == [people[2]] && !view.contains(people[1]) && !view.isEmpty)
    context.rollback()
    #expect(taken.count == 1)
    let again = try #require(try people[0].value(forKey: "friends") as? RelationshipSet)
    #expect(again == view && again.hashValue == view.hashValue)
    #expect(try view != people[2].value(forKey: "friends") as? RelationshipSet)
  }

  @Test("REL-023, REL-024, REL-025: what a set proxy does, with the other ends in step")
  func unordered() throws {
    let friends = try people[0].mutableSetValue(forKey: "friends")
    try friends.insert(people[2])
    try friends.insert(people[2])
    #expect(friends.objects == [people[1], people[2]])
    #expect(try people[2].mutableSetValue(forKey: "friends").contains(people[0]))
    try friends.remove(people[1])
    try friends.formUnion([people[1], people[3]])
    #expect(friends.objects == [people[1], people[2], people[3]])
    try friends.subtract([people[1]])
    try friends.formIntersection([people[1], people[3]])
    #expect(friends.objects == [people[3]])
    #expect(try people[2].mutableSetValue(forKey: "friends").isEmpty)
    try friends.setSet([people[0], people[1]])
    #expect(friends.objects == [people[0], people[1]])
    try friends.removeAll()
    #expect(friends.isEmpty && friends.count == 0)
    try context.save()
    let other = stack.newContext()
    #expect(try other.object(with: people[0].objectID).objects(forKey: "friends").isEmpty)
    try friends.remove(people[1])
    #expect(!people[0].hasChanges && !people[1].hasChanges)
  }

  @Test("REL-023, REL-106, REL-111, REL-113, REL-114: what an ordered proxy does")
  func ordered() throws {
    let staff = try staff()
    try staff.append(people[0])
    #expect(try names() == ["Ada", "Bob", "Cas"])
    #expect(!tools.hasChanges)
    try staff.insert(people[3], at: 1)
    #expect(try names() == ["Ada", "Dan", "Bob", "Cas"])
    #expect(try people[3].object(forKey: "department") === tools)
    try staff.move(from: 0, to: 2)
    #expect(try names() == ["Dan", "Bob", "Ada", "Cas"])
    try staff.move([people[2], people[3]], to: 1)
    #expect(try names() == ["Bob", "Dan", "Cas", "Ada"])
    try staff.sort { try ($0.string("name") ?? "") < ($1.string("name") ?? "") }
    #expect(try names() == ["Ada", "Bob", "Cas", "Dan"])
    try staff.sort(using: [QuerySortDescriptor(key: "name", ascending: false)])
    #expect(try names() == ["Dan", "Cas", "Bob", "Ada"])
    #expect(staff.firstIndex(of: people[2]) == 1 && staff.firstIndex(of: tools) == nil)
    #expect(try staff.object(at: 3) === people[0])
    try context.save()
    try staff.move(from: 3, to: 0)
    #expect(tools.isUpdated && !people[0].hasChanges)
    try context.save()
    let other = try stack.newContext().object(with: tools.objectID)
    #expect(
      try other.objects(forKey: "employees").map { try $0.string("name") } == ["Ada", "Dan", "Cas", "Bob"])
    try staff.remove(at: 1)
    try staff.remove(people[2])
    #expect(try names() == ["Ada", "Bob"])
    try staff.replace(at: 0, with: people[3])
    #expect(try names() == ["Dan", "Bob"])
    try staff.replace(at: 0, with: people[1])
    #expect(try names() == ["Bob"])
    try staff.append(contentsOf: [people[0], people[1], people[2]])
    #expect(try names() == ["Bob", "Ada", "Cas"])
    try staff.insert(contentsOf: [people[3], people[0]], at: 0)
    #expect(try names() == ["Dan", "Bob", "Ada", "Cas"])
    try staff.subtract([people[1], people[2]])
    try staff.removeAll()
    #expect(staff.isEmpty)
    #expect(try people[0].object(forKey: "department") == nil)
  }

  @Test("DGN-241, REL-113: a place beyond the end throws, and nothing has changed")
  func places() throws {
    let staff = try staff()
    let calls: [(String, () throws -> Void)] = [
      ("insert", { try staff.insert(people[3], at: 4) }), ("insert", { try staff.insert(people[3], at: -1) }),
      ("remove", { try staff.remove(at: 3) }), ("replace", { try staff.replace(at: 3, with: people[3]) }),
      ("move", { try staff.move(from: 3, to: 0) }), ("move", { try staff.move(from: 0, to: 3) }),
      ("move all", { try staff.move([people[0]], to: 3) }), ("object", { _ = try staff.object(at: 3) }),
    ]
    for (name, call) in calls {
      #expect(failure { try call() }?.code == .indexOutOfRange, "\(name)")
      #expect(!tools.hasChanges && !people[3].hasChanges, "\(name)")
    }
    #expect(try names() == ["Ada", "Bob", "Cas"])
  }

  @Test("REL-106: appending reads nothing, what has to do with places does")
  func economy() throws {
    refault()
    let staff = try staff()
    #expect(try stack.statements { try staff.append(people[3]) } <= one)
    #expect(try tools.hasFault(forRelationshipNamed: "employees"))
    try staff.move(from: 0, to: 1)
    #expect(try names() == ["Bob", "Ada", "Cas", "Dan"])
  }

  @Test("DGN-240, REL-027: a proxy of another kind is refused")
  func kinds() throws {
    for key in ["employees", "name"] {
      #expect(failure { _ = try tools.mutableSetValue(forKey: key) }?.code == .wrongPropertyKind)
    }
    for key in ["friends", "department", "salary"] {
      #expect(failure { _ = try people[0].mutableOrderedSetValue(forKey: key) }?.code == .wrongPropertyKind)
    }
    #expect(failure { _ = try people[0].mutableSetValue(forKey: "department") }?.code == .wrongPropertyKind)
    #expect(failure { _ = try people[0].mutableSetValue(forKey: "nothing") }?.code == .unknownKey)
  }

  @Test("REL-028: iterating runs over the members at its start")
  func iteration() throws {
    let staff = try staff()
    var seen: [ManagedObject] = []
    for person in staff {
      seen.append(person)
      try staff.remove(person)
      try staff.append(people[3])
    }
    #expect(seen == Array(people[..<3]))
    #expect(try names() == ["Dan"])
  }

  @Test("REL-029, REL-030: many members in one call are one change, undone as one")
  func asOne() throws {
    try context.setUndoManager(GraphUndoManager())
    var reports: [KeyChange] = []
    let observation = try tools.observe("employees") { reports.append($0) }
    defer { observation.cancel() }
    let more = try (0..<50).map { try context.insert("Employee", ["name": "N\($0)"]) }
    try context.processPendingChanges()
    reports = []
    try staff().append(contentsOf: more)
    try context.processPendingChanges()
    #expect(reports.map(\.inserted.count) == [50])
    #expect(try tools.changedValues()["employees"] as? [ManagedObject] == Array(people[..<3]) + more)
    #expect(
      try tools.committedValues(forKeys: ["employees"])["employees"] as? Set<ManagedObject>
        == Set(people[..<3]))
    try context.undo()
    #expect(try names() == ["Ada", "Bob", "Cas"])
  }

  @Test("REL-022, OBJ-150: an ordered to-many takes an ordered set, of a subclass too, and no plain set")
  func setting() throws {
    try tools.setValue(OrderedSet([people[2], people[0]]), forKey: "employees")
    #expect(try names() == ["Cas", "Ada"])
    try tools.setValue(try staff(), forKey: "employees")
    #expect(try names() == ["Cas", "Ada"])
    #expect(failure { try tools.setValue(Set(people), forKey: "employees") }?.code == .valueType)
    let friends = try #require(try people[0].value(forKey: "friends") as? RelationshipSet)
    #expect(failure { try tools.setValue(friends, forKey: "employees") }?.code == .valueType)
    try people[2].setValue(friends, forKey: "friends")
    #expect(try people[2].objects(forKey: "friends") == [people[1]])
    #expect(failure { try tools.setValue(people[0], forKey: "employees") }?.code == .wrongCardinality)
  }

  @Test("REL-004: a view of an object that left its context throws, or reads as empty and keeps the error")
  func gone() throws {
    let friends = try people[0].mutableSetValue(forKey: "friends")
    context.reset()
    #expect(failure { _ = try friends.members() }?.code == .objectInvalidated)
    #expect(failure { try friends.insert(people[1]) }?.code == .objectInvalidated)
    #expect(friends.isEmpty && friends.count == 0 && !friends.contains(people[1]))
    #expect(failure { _ = try people[0].value(forKey: "friends") }?.code == .objectInvalidated)
  }

  @Test("REL-023: typed keys move and sort ordered members too")
  func typed() throws {
    let key = ToManyKey<ManagedObject, OrderedSet<ManagedObject>>("employees")
    tools.move(from: 2, to: 0, in: key)
    #expect(try names() == ["Cas", "Ada", "Bob"])
    tools.sort(key) { try ($0.string("name") ?? "") < ($1.string("name") ?? "") }
    #expect(try names() == ["Ada", "Bob", "Cas"])
    tools.move(from: 5, to: 0, in: key)
    #expect(failure { try context.save() }?.code == .indexOutOfRange)
    _ = context.takeDeferredErrors()
    try context.save()
  }
}
