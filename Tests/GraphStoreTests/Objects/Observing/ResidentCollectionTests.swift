import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Objects of a small entity in memory", .everyStore)
struct ResidentCollectionTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company())
    for (name, salary) in [("Zoe", 5), ("Bob", 7), ("Ann", 9)] {
      try stack.context.insert("Employee", ["name": name, "salary": salary])
    }
    try stack.context.insert("Manager", ["name": "Max"])
    try stack.context.save()
    stack.context.reset()
  }

  private func names(
    _ collection: ResidentCollection<ManagedObject>, _ predicate: String? = nil, _ sort: String = "name"
  ) throws -> [String?] {
    try collection.objects(
      matching: predicate.map { try QueryPredicate(parsing: $0) },
      sortedBy: QuerySortDescriptor.list(parsing: sort)
    ).map { try $0.string("name") }
  }

  @Test(
    "PAT-162: the objects are fetched once; searching and sorting them runs no statement", .needs(.statements)
  )
  func once() throws {
    let people = try ResidentCollection<ManagedObject>(entityName: "Employee", in: context)
    #expect(try stack.statements { try check(names(people).count == 4) } == 1)
    let statements = try stack.statements {
      try check(names(people, "salary > 5") == ["Ann", "Bob"])
      try check(names(people, "salary != 5", "-name") == ["Bob", "Ann"])
    }
    #expect(statements == 0)
  }

  @Test("PAT-162: it answers as a fetch does, after edits, undo, deletion, merges and a reset")
  func current() throws {
    let people = try ResidentCollection<ManagedObject>(entityName: "Employee", in: context)
    func expectAgreement(_ line: Int = #line) throws {
      for predicate in [nil, "salary > 5", "salary != 5", "name BEGINSWITH 'A'"] {
        #expect(
          try names(people, predicate)
            == context.all("Employee", predicate, sort: ["name"]).map { try $0.string("name") },
          "line \(line)")
      }
    }
    try expectAgreement()
    let ann = try #require(try context.all("Employee", "name == 'Ann'").first)
    try context.insert("Employee", ["name": "Amy", "salary": 20])
    try ann.setValue(1, forKey: "salary")
    try expectAgreement()
    try context.delete(ann)
    try expectAgreement()
    context.rollback()
    try expectAgreement()
    let other = stack.newContext()
    try other.insert("Manager", ["name": "Abe", "salary": 30])
    let bob = try #require(try other.all("Employee", "name == 'Bob'").first)
    try bob.setValue(99, forKey: "salary")
    try other.delete(try #require(try other.all("Employee", "name == 'Zoe'").first))
    try context.mergeChanges(fromContextDidSave: try other.saveTakingChanges())
    #expect(try names(people).contains("Abe") && !names(people).contains("Zoe"))
    try expectAgreement()
    context.reset()
    try expectAgreement()
  }

  @Test(
    "PAT-162, FET-280: above ten thousand objects it gives up with a warning, and each question is a fetch")
  func large() throws {
    var count = 0
    let request = BatchInsertRequest(entityName: "Employee") { (employee: ManagedObject) in
      count += 1
      try employee.setValue("p\(count)", forKey: "name")
      return count > 9_996
    }
    try context.execute(request)
    let people = try ResidentCollection<ManagedObject>(entityName: "Employee", in: context)
    #expect(try people.objects().count == 10_000 && people.isResident)
    try context.insert("Employee", ["name": "one more"])
    #expect(try people.objects().count == 10_001 && !people.isResident)
    #expect(try names(people, "name == 'one more'") == ["one more"])
  }
}
