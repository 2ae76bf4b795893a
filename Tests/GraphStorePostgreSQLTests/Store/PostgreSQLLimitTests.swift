#if PostgreSQL
import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Limits of PostgreSQL stores", .enabled(if: TestStores.areThere))
struct PostgreSQLLimitTests {
  @Test("STO-384: a value that is too long for an index is refused, and nothing is written")
  func indexedText() throws {
    let stores = TestStores()
    let context = ManagedObjectContext(coordinator: try stores.coordinator(StaffModel.model))
    var random = SeededGenerator(seed: 384)
    let scalars = (0..<12_000).map { _ in Unicode.Scalar(UInt8.random(in: 33...126, using: &random)) }
    let long = String(String.UnicodeScalarView(scalars))
    // The name of an employee is in no index.
    let employee = try context.insert(entityNamed: "Employee")
    try employee.setQueryValue(.string(long), forKey: "name")
    try context.save()
    let department = try context.insert(entityNamed: "Department")
    try department.setQueryValue(.string(long), forKey: "name")
    #expect(code { try context.save() } == .valueTooLarge)
    try department.setQueryValue(.string("Sales"), forKey: "name")
    try context.save()
    #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Department")) == 1)
  }
}
#endif
