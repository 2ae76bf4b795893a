import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Objects that are kept in order")
struct SortedObjectsTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company())
    for name in ["Zoe", "Ärmel", "Bob 10", "Bob 9", "bob 9"] {
      try stack.context.insert("Employee", ["name": name])
    }
    try stack.context.insert("Manager", ["name": "Max"])
    try stack.context.insert("Department", ["name": "Aaa"])
    try stack.context.save()
  }

  private func list(_ key: String = "name", locale: String = "de_DE") throws -> SortedObjects {
    try SortedObjects(context, entityName: "Employee", sortKey: key, locale: Locale(identifier: locale))
  }

  private func names(_ list: SortedObjects) throws -> [String?] {
    try list.objects().map { try $0.string("name") }
  }

  private func employee(_ name: String) throws -> ManagedObject {
    try #require(try context.all("Employee", "name == '\(name)'").first)
  }

  @Test("PRD-270, PRD-271, PAT-094: nothing is read before the first use, and one statement then")
  func lazy() throws {
    let list = try list()
    try context.insert("Employee", ["name": "Anna"])
    #expect(!list.isFilled)
    #expect(try stack.statements { _ = try list.objects() } == 1)
    #expect(try stack.statements { _ = try list.objects() } == 0)
    #expect(try names(list) == ["Anna", "Ärmel", "bob 9", "Bob 9", "Bob 10", "Max", "Zoe"])
  }

  @Test("PRD-266: the locale decides")
  func locale() throws {
    #expect(try names(list(locale: "sv_SE")) == ["bob 9", "Bob 9", "Bob 10", "Max", "Zoe", "Ärmel"])
  }

  @Test(
    "PAT-093, PAT-097, PAT-098: names of towns stand as their languages order them, and by bytes where a fetch sorts by a plain key",
    arguments: [
      ("de_DE", ["Köln", "Kyllburg"], ["Kyllburg", "Köln"]),
      ("sv_SE", ["Sundsvall", "Södertälje"], ["Sundsvall", "Södertälje"]),
      ("da_DK", ["Viborg", "Ølstykke-Stenløse", "Aarhus"], ["Aarhus", "Viborg", "Ølstykke-Stenløse"]),
    ])
  func towns(_ locale: String, _ ordered: [String], _ byBytes: [String]) throws {
    for name in ordered.reversed() { try context.insert("Department", ["name": name]) }
    try context.delete(try #require(try context.all("Department", "name == 'Aaa'").first))
    try context.save()
    let towns = try SortedObjects(
      context, entityName: "Department", sortKey: "name", locale: Locale(identifier: locale))
    #expect(try names(towns) == ordered)
    #expect(try context.all("Department", sort: ["name"]).map { try $0.string("name") } == byBytes)
  }

  @Test("PRD-270, PAT-094: inserted, changed and deleted objects take their places without another fetch")
  func current() throws {
    let list = try list()
    _ = try list.objects()
    let added = try context.insert("Employee", ["name": "Carl"])
    let moved = try employee("Zoe")
    let gone = try employee("Max")
    try moved.setValue("Adam", forKey: "name")
    try context.delete(gone)
    // Deleting reads what its rules concern.
    try context.processPendingChanges()
    #expect(try stack.statements { _ = try list.objects() } == 0)
    #expect(try names(list) == ["Adam", "Ärmel", "bob 9", "Bob 9", "Bob 10", "Carl"])
    try added.setValue(nil, forKey: "name")
    #expect(try names(list).first == .some(nil))
    try context.delete(added)
    #expect(try names(list) == ["Adam", "Ärmel", "bob 9", "Bob 9", "Bob 10"])
  }

  @Test("PRD-270: what a save writes between two looks is there")
  func saved() throws {
    let list = try list()
    _ = try list.objects()
    try context.insert("Employee", ["name": "Carl"])
    try context.delete(employee("Max"))
    try employee("Zoe").setValue("Adam", forKey: "name")
    try context.save()
    #expect(list.isFilled)
    #expect(try stack.statements { _ = try list.objects() } == 0)
    #expect(try names(list) == ["Adam", "Ärmel", "bob 9", "Bob 9", "Bob 10", "Carl"])
  }

  @Test(
    "PRD-270, PAT-095: refreshing an object of the entity, rolling back and resetting invalidate it; others do not"
  )
  func invalidation() throws {
    let list = try list()
    _ = try list.objects()
    let department = try #require(try context.all("Department").first)
    try context.refresh(department, mergeChanges: false)
    #expect(list.isFilled)
    try context.refresh(try employee("Zoe"), mergeChanges: false)
    try context.processPendingChanges()
    #expect(!list.isFilled)
    try context.insert("Employee", ["name": "Carl"])
    #expect(try names(list).count == 7)
    context.rollback()
    #expect(list.isFilled)
    #expect(try names(list).count == 6)
    try employee("Zoe").setValue("Adam", forKey: "name")
    context.rollback()
    #expect(!list.isFilled)
    #expect(try names(list).count == 6)
    context.reset()
    #expect(!list.isFilled)
    #expect(try names(list).count == 6)
  }

  @Test("PRD-270, PAT-095: it listens to its own context only")
  func otherContexts() throws {
    let list = try list()
    _ = try list.objects()
    let other = stack.newContext()
    try other.insert("Employee", ["name": "Carl"])
    try other.save()
    #expect(try names(list).count == 6)
    list.invalidate()
    #expect(try names(list).count == 7)
  }

  @Test("PRD-270: a sort key behind a to-one follows changes of the other object")
  func path() throws {
    let list = try list("department.name")
    let first = try #require(try context.all("Department").first)
    let second = try context.insert("Department", ["name": "Mmm"])
    try employee("Zoe").setValue(first, forKey: "department")
    try employee("Max").setValue(second, forKey: "department")
    #expect(try names(list).suffix(2) == ["Zoe", "Max"])
    try first.setValue("Zzz", forKey: "name")
    #expect(try names(list).suffix(2) == ["Max", "Zoe"])
  }

  @Test(
    "PRD-270: random changes leave it in the order of a fetch", arguments: TestSeed.sequence(1, from: 270))
  func random(seed: TestSeed) throws {
    var random = seed.generator
    let list = try list()
    _ = try list.objects()
    var request = FetchRequest(entityName: "Employee")
    request.sortDescriptors = try QuerySortDescriptor.list(parsing: "name:localizedStandard")
    request.locale = Locale(identifier: "de_DE")
    for step in 0..<60 {
      let objects = try list.objects()
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        try context.insert("Employee", ["name": PlannerValues.texts.randomElement(using: &random) ?? ""])
      case 1: try objects.randomElement(using: &random).map { try context.delete($0) }
      case 2 where step % 5 == 0: try context.save()
      default:
        let text = PlannerValues.texts.randomElement(using: &random)
        try objects.randomElement(using: &random)?.setValue(text, forKey: "name")
      }
      #expect(try list.objects() == context.fetch(request), "step \(step)")
    }
  }

  @Test("A key that is no text, and an entity that is none, are refused")
  func unfit() throws {
    #expect(throws: QueryPredicateError.self) { try list("salary") }
    #expect(throws: QueryPredicateError.self) { try list("nothing") }
    #expect(throws: GraphStoreError.self) {
      try SortedObjects(context, entityName: "Nobody", sortKey: "name")
    }
  }
}
