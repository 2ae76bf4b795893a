import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

@Suite("Batch requests and histories", .everyStore, .needs(.files))
struct BatchHistoryTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(TestModels.company(employees: .cascade))
    try stack.coordinator.enableHistoryTracking(of: stack.coordinator.persistentStores[0])
    let department = try context.insert("Department", ["name": "a"])
    for number in 0..<40 {
      try context.insert(
        number % 4 == 0 ? "Manager" : "Employee",
        ["name": "e\(number)", "salary": number, "department": department])
    }
    try context.save()
  }

  private func transaction(_ body: () throws -> Void) throws -> PersistentHistoryTransaction {
    let token = try stack.coordinator.currentPersistentHistoryToken()
    try body()
    let found = try context.execute(.fetchHistory(after: token)).transactions
    #expect(found.count == 1)
    return try #require(found.first)
  }

  @Test(
    "FET-217, CTX-391: each batch request is one transaction of its author, with one change for each record")
  func transactions() throws {
    context.transactionAuthor = "nightly"
    var count = 0
    let inserted = try transaction {
      let request = BatchInsertRequest(entityName: "Employee") { (employee: ManagedObject) in
        count += 1
        try employee.setValue("n\(count)", forKey: "name")
        return count > 3_000
      }
      try context.execute(request)
    }
    #expect(inserted.author == "nightly")
    #expect(inserted.changes?.count == 3_000)
    #expect(inserted.changes?.allSatisfy { $0.changeType == .insert } == true)
    let updated = try transaction {
      try context.execute(
        BatchUpdateRequest(
          entityName: "Employee", propertiesToUpdate: ["salary": 1],
          predicate: QueryPredicate(parsing: "salary < 10")))
    }
    #expect(updated.changes?.count == 10)
    #expect(updated.changes?.allSatisfy { $0.updatedProperties?.map(\.name) == ["salary"] } == true)
    let computed = try transaction {
      try context.execute(
        BatchUpdateRequest(
          entityName: "Manager", propertiesToUpdate: ["salary": QueryExpression(parsing: "salary + 1")]))
    }
    #expect(computed.changes?.count == 10)
    let deleted = try transaction {
      try context.execute(BatchDeleteRequest(FetchRequest(entityName: "Department")))
    }
    #expect(deleted.changes?.count == 41)
    #expect(deleted.changes?.allSatisfy { $0.changeType == .delete } == true)
  }

  @Test("CTX-383, FET-217: who loses members by a batch delete has changed, by whatever they were members")
  func losses() throws {
    let department = try #require(try context.all("Department").first)
    let project = try context.insert("Project", ["name": "p"])
    let employees = try context.all("Employee", "name IN {'e1', 'e2', 'e3'}", sort: ["name"])
    let (first, second, third) = (employees[0], employees[1], employees[2])
    try first.setValue(second, forKey: "manager")
    try first.setValue(third, forKey: "spouse")
    try project.setValue([first, third], forKey: "members")
    try first.setValue(Set([third]), forKey: "friends")
    try context.save()
    let deleted = try transaction {
      try context.execute(
        BatchDeleteRequest(
          FetchRequest(entityName: "Employee", predicate: QueryPredicate(parsing: "name == 'e1'"))))
    }
    #expect(
      TrackedStore.lines(deleted).sorted()
        == [
          "delete \(first.objectID)", "update \(department.objectID) employees",
          "update \(second.objectID) reports", "update \(third.objectID) friends spouse",
          "update \(project.objectID) members",
        ].sorted())
    let gone = try transaction {
      try context.execute(BatchDeleteRequest(FetchRequest<ManagedObject>(entityName: "Project")))
    }
    #expect(
      TrackedStore.lines(gone).sorted() == [
        "delete \(project.objectID)", "update \(third.objectID) projects",
      ])
  }

  @Test("FET-217: a request that is taken back, or touches nothing, leaves no transaction")
  func nothing() throws {
    let token = try stack.coordinator.currentPersistentHistoryToken()
    var dry = BatchDeleteRequest(FetchRequest(entityName: "Department"))
    dry.isDryRun = true
    try context.execute(dry)
    try context.execute(
      BatchUpdateRequest(
        entityName: "Employee", propertiesToUpdate: ["salary": 1],
        predicate: QueryPredicate(parsing: "salary < 0")))
    #expect(try context.execute(.fetchHistory(after: token)).transactions.isEmpty)
  }
}
