import Foundation
import Testing

@testable import GraphStore

/// Lists whose predicates, orders and sections read derived attributes, which saves change.
@Suite("Lists over derived attributes", .everyStore)
struct DerivedListTests {
  private let stack: TestStack
  private let context: ManagedObjectContext
  private let sibling: ManagedObjectContext

  init() throws {
    stack = try TestStack(CompanyWithDerivations.model)
    let first = stack.newContext()
    for (name, salary) in [("Lab", 5), ("Shop", 10), ("Yard", 20)] {
      let department = try first.insert("Department", ["name": name])
      try first.insert("Employee", ["name": "of \(name)", "salary": salary, "department": department])
    }
    try first.save()
    context = stack.newContext()
    sibling = stack.newContext()
  }

  private func list(_ predicate: String? = nil, sections: String? = nil) throws -> ReplayedList {
    try ReplayedList(
      FetchedResultsController(
        fetchRequest: FetchRequest(
          entityName: "Department", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
          sortDescriptors: try QuerySortDescriptor.list(parsing: "payroll,name")),
        context: context, sectionNameKeyPath: sections))
  }

  private func names(_ list: ReplayedList) throws -> [String?] {
    try list.objects.map { try $0.string("name") }
  }

  private func raise(_ employee: String, to salary: Int, in context: ManagedObjectContext) throws {
    let found = try context.all("Employee", "name == '\(employee)'")
    try #require(found.first).setValue(salary, forKey: "salary")
  }

  /// Checks a list by its events and by a new fetch.
  private func expect(
    _ list: ReplayedList, _ events: [String], _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(list.events == events, sourceLocation: location)
    #expect(list.findings == [] && list.failures.isEmpty, sourceLocation: location)
    #expect(list.controller.invariantViolation == nil, sourceLocation: location)
    #expect(try context.fetch(list.controller.fetchRequest) == list.objects, sourceLocation: location)
  }

  @Test(
    "FET-186, FET-293: derived values that a save of the context has changed move objects once it has ended")
  func ownSave() throws {
    let plain = try list()
    let sectioned = try list(sections: "payroll")
    try raise("of Lab", to: 15, in: context)
    try context.processPendingChanges()
    #expect(plain.events == [] && sectioned.events == [])
    try context.save()
    try expect(plain, ["move 0.0 0.1"])
    try expect(sectioned, ["delete section 5 0", "insert section 15 1", "move 0.0 1.0"])
    #expect(try names(plain) == ["Shop", "Lab", "Yard"])
    #expect(!context.hasChanges)
    plain.forget()
    try raise("of Lab", to: 16, in: context)
    try context.save()
    try expect(plain, ["update 0.1 0.1"])
  }

  @Test("FET-186, FET-293: a record that begins to match by a derived value appears, also if nothing held it")
  func beginsToMatch() throws {
    let list = try list("payroll > 12")
    #expect(try names(list) == ["Yard"])
    try raise("of Lab", to: 15, in: context)
    try context.save()
    try expect(list, ["insert - 0.0"])
    list.forget()
    try raise("of Yard", to: 1, in: context)
    try context.save()
    try expect(list, ["delete 0.1 -"])
    #expect(try names(list) == ["Lab"])
  }

  @Test(
    "FET-186, FET-293: within a transaction too, and what is taken back is not there in a new fetch"
  )
  func transaction() throws {
    struct Stop: Error {}
    let list = try list()
    #expect(throws: Stop.self) {
      try stack.coordinator.transaction { transaction in
        try transaction.join(context)
        try raise("of Lab", to: 30, in: context)
        try context.save()
        try expect(list, ["move 0.0 0.2"])
        throw Stop()
      }
    }
    // The context was reset.
    try list.controller.performFetch()
    list.begin()
    #expect(try names(list) == ["Lab", "Shop", "Yard"])
  }

  @Test(
    "CTX-279, FET-293: derived values that another context's save has changed come with its merge, into lists and held objects"
  )
  func merges() throws {
    let list = try list()
    let lab = try #require(list.objects.first)
    try raise("of Lab", to: 15, in: sibling)
    let saved = try sibling.saveTakingChanges()
    try context.mergeChanges(fromContextDidSave: saved)
    #expect(try lab.value(forKey: "payroll") as? Int64 == 15)
    try expect(list, ["move 0.0 0.1"])
  }

  @Test("CTX-276, FET-293: contexts that merge by themselves get derived values too")
  func automaticMerges() throws {
    let here = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    here.automaticallyMergesChangesFromParent = true
    nonisolated(unsafe) var held: [ManagedObject] = []
    func payrolls() throws -> [Int64?] {
      try here.performAndWait { try held.map { try $0.value(forKey: "payroll") as? Int64 } }
    }
    try here.performAndWait { held = try here.all("Department", sort: ["name"]) }
    #expect(try payrolls() == [5, 10, 20])
    try raise("of Lab", to: 15, in: sibling)
    try sibling.save()
    stack.coordinator.finishPendingWork()
    #expect(try payrolls() == [15, 10, 20])
    here.performAndWait { held = [] }
  }
}
