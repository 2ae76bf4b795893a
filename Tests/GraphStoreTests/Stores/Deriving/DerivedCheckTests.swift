import Foundation
import GraphStoreContextTestSupport
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Derived values under check")
struct DerivedCheckTests {
  @Test("MDL-174: check finds values that are not the derived ones, and repairing computes them")
  func repair() throws {
    let stack = try TestStack(CompanyWithDerivations.model)
    let lab = try stack.context.insert("Department", ["name": "Lab"])
    for name in ["Ada", "Bob"] {
      try stack.context.insert("Employee", ["name": name, "salary": 4, "department": lab])
    }
    try stack.context.save()
    stack.coordinator.close()
    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings) == [])
    let raw = try SQLiteConnection(path: stack.path, mode: .readWrite)
    try raw.execute(
      "UPDATE ZDEPARTMENT SET ZHEADCOUNT = 7; UPDATE ZEMPLOYEE SET ZLOWERNAME = NULL WHERE Z_PK = 1")
    raw.close()
    let found = try StoreCheck.run(path: stack.path).flatMap(\.findings)
    #expect(Set(found.map(\.subject)) == ["Department.headcount", "Employee.lowerName"])
    #expect(found.allSatisfy { $0.name == "derived values" && $0.count == 1 && $0.severity == .failure })
    #expect(found.first { $0.subject == "Employee.lowerName" }?.objects == ["Employee/p1"])
    let result = try StoreRepair(path: stack.path).run()
    #expect(result.steps.count == 2 && FileManager.default.fileExists(atPath: result.backup))
    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings) == [])
    #expect(try StoreCheck.run(path: result.backup).flatMap(\.findings).count == 2)
  }

  @Test("MDL-174: check takes no decimal for another one, and finds values of a wrong type")
  func decimals() throws {
    let stack = try TestStack(CompanyWithDerivations.model)
    let lab = try stack.context.insert("Department", ["name": "Lab"])
    let empty = try stack.context.insert("Employee", ["name": "Ada"])
    for text in ["0.1", "1.1", "100.01", "-0.1", "1e-10"] {
      try stack.context.insert("Employee", ["bonus": try #require(Decimal(string: text)), "department": lab])
      try stack.context.save()
      #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings) == [], "\(text)")
    }
    stack.coordinator.close()
    let raw = try SQLiteConnection(path: stack.path, mode: .readWrite)
    try raw.execute(
      "UPDATE ZDEPARTMENT SET ZBONUSES = x'00ff'; UPDATE ZEMPLOYEE SET ZSITENAME = x'00' WHERE Z_PK = \(empty.key)"
    )
    raw.close()
    _ = try StoreRepair(path: stack.path).run()
    #expect(try StoreCheck.run(path: stack.path).flatMap(\.findings) == [])
  }

  @Test("MDL-174: the statements that compute derived values do not grow with the rows of a save")
  func cost() throws {
    let stack = try TestStack(CompanyWithDerivations.model)
    let lab = try stack.context.insert("Department", ["name": "Lab"])
    let people = try (1...40).map { try stack.context.insert("Employee", ["salary": $0, "department": lab]) }
    try stack.context.save()
    // One statement for the rows of each entity, keys and versions aside; the derived ones do not grow with
    // the rows.
    let one = try stack.statements {
      try people[0].setValue(1000, forKey: "salary")
      try stack.context.save()
    }
    let many = try stack.statements {
      for person in people { try person.setValue(2000, forKey: "salary") }
      try stack.context.save()
    }
    #expect(many - one <= 39 && one < 12, "\(one) \(many)")
  }
}
