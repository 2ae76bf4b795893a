import Foundation
import GraphStoreContextTestSupport
import GraphStoreModel
import Testing

@testable import GraphStore

@Suite("Derived attributes", .everyStore)
struct DerivedAttributeTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws { stack = try TestStack(CompanyWithDerivations.model) }

  private func value(_ object: ManagedObject, _ key: String) throws -> AnyHashable? {
    try object.value(forKey: key) as? AnyHashable
  }

  /// The value that another process reads.
  private func stored(_ object: ManagedObject, _ key: String) throws -> AnyHashable? {
    try value(try stack.otherProcess().existingObject(with: object.objectID), key)
  }

  @Test(
    "MDL-172, MDL-175, OBJ-299, OBJ-300: each form of derivation has its value after the save, in the saving context and elsewhere",
    arguments: [
      ("copyOfName", "Zoë"), ("canonicalName", "zoe"), ("normalName", "zoe"), ("lowerName", "zoë"),
      ("upperName", "ZOË"), ("departmentName", "Lab"), ("companyName", "ACME"),
    ])
  func text(_ key: String, _ expected: String) throws {
    let company = try context.insert("Company", ["name": "Acme"])
    let department = try context.insert("Department", ["name": "Lab", "company": company])
    let zoe = try context.insert("Employee", ["name": "Zoë", "department": department])
    #expect(try zoe.value(forKey: key) == nil)
    try context.save()
    #expect(try value(zoe, key) == AnyHashable(expected))
    #expect(try stored(zoe, key) == AnyHashable(expected))
    try zoe.setValue("Max", forKey: "name")
    #expect(try value(zoe, key) == AnyHashable(expected))
  }

  @Test("MDL-174, MDL-178: counts and sums follow members that come, change, move and go")
  func members() throws {
    let (lab, shop) = (
      try context.insert("Department", ["name": "Lab"]), try context.insert("Department", [:])
    )
    func expect(_ counts: [Int32], _ sums: [Int64], _ line: SourceLocation = #_sourceLocation) throws {
      for (department, (count, sum)) in zip([lab, shop], zip(counts, sums)) {
        #expect(try value(department, "headcount") == AnyHashable(count), sourceLocation: line)
        #expect(try value(department, "payroll") == AnyHashable(sum), sourceLocation: line)
        #expect(try stored(department, "headcount") == AnyHashable(count), sourceLocation: line)
        #expect(try stored(department, "payroll") == AnyHashable(sum), sourceLocation: line)
      }
    }
    try context.save()
    try expect([0, 0], [0, 0])
    let ada = try context.insert("Employee", ["salary": 10, "department": lab])
    let bob = try context.insert("Manager", ["salary": 5, "department": lab])
    try context.save()
    try expect([2, 0], [15, 0])
    try bob.setValue(7, forKey: "salary")
    try context.save()
    try expect([2, 0], [17, 0])
    try bob.setValue(shop, forKey: "department")
    try context.save()
    try expect([1, 1], [10, 7])
    try ada.setValue(nil, forKey: "salary")
    try bob.setValue(nil, forKey: "department")
    try context.save()
    try expect([1, 0], [0, 0])
    try shop.setValue([ada, bob], forKey: "employees")
    try context.save()
    try expect([0, 2], [0, 7])
    try context.delete(bob)
    try context.save()
    try expect([0, 1], [0, 0])
  }

  @Test("MDL-172: decimals are summed up exactly, doubles as predicates sum them up")
  func sums() throws {
    let lab = try context.insert("Department", [:])
    for (bonus, rating) in [("0.1", 0.1), ("0.2", 0.2), ("12345678901234567890.5", 1e9)] {
      try context.insert(
        "Employee", ["bonus": Decimal(string: bonus) ?? 0, "rating": rating, "department": lab])
    }
    try context.save()
    let sum = try #require(Decimal(string: "12345678901234567890.8"))
    #expect(try value(lab, "bonuses") == AnyHashable(sum))
    #expect(try stored(lab, "bonuses") == AnyHashable(sum))
    #expect(try stored(lab, "ratings") == AnyHashable(1_000_000_000.3))
  }

  @Test("MDL-174: a table of pairs counts and sums from both ends, also where records are deleted")
  func pairs() throws {
    let people = try (1...3).map { try context.insert("Employee", ["salary": $0]) }
    let project = try context.insert("Project", ["staff": Set(people)])
    let other = try context.insert("Project", [:])
    try context.save()
    #expect(
      try [value(project, "staffCount"), value(project, "cost")] == [
        AnyHashable(Int64(3)), AnyHashable(Int64(6)),
      ])
    try people[0].setValue(Set([other]), forKey: "projects")
    try people[1].setValue(20, forKey: "salary")
    try context.save()
    #expect(
      try [value(project, "staffCount"), value(project, "cost")] == [
        AnyHashable(Int64(2)), AnyHashable(Int64(23)),
      ])
    #expect(
      try [stored(other, "staffCount"), stored(other, "cost")] == [
        AnyHashable(Int64(1)), AnyHashable(Int64(1)),
      ])
    try context.delete(people[1])
    try context.save()
    #expect(
      try [value(project, "staffCount"), stored(project, "cost")] == [
        AnyHashable(Int64(1)), AnyHashable(Int64(3)),
      ])
  }

  @Test(
    "MDL-174, OBJ-300: a value follows what lies several to-one steps away, also for objects that the save does not touch"
  )
  func paths() throws {
    let (acme, best) = (
      try context.insert("Company", ["name": "Acme"]), try context.insert("Company", ["name": "Best"])
    )
    let lab = try context.insert("Department", ["name": "Lab", "company": acme])
    let ada = try context.insert("Employee", ["name": "Ada", "department": lab])
    try context.save()
    try acme.setValue("Apex", forKey: "name")
    try context.save()
    #expect(try value(ada, "companyName") == AnyHashable("APEX"))
    try lab.setValue(best, forKey: "company")
    try context.save()
    #expect(try value(ada, "companyName") == AnyHashable("BEST"))
    #expect(try stored(ada, "companyName") == AnyHashable("BEST"))
    try context.delete(lab)
    try context.save()
    #expect(try ada.value(forKey: "departmentName") == nil && ada.value(forKey: "companyName") == nil)
    #expect(try stored(ada, "companyName") == nil)
  }

  @Test("MDL-174: a to-one without inverse is followed too; what is deleted has no value")
  func oneWay() throws {
    let site = try context.insert("Site", ["name": "Rome"])
    let ada = try context.insert("Employee", ["name": "Ada", "site": site])
    try context.save()
    try site.setValue("Oslo", forKey: "name")
    try context.save()
    #expect(try value(ada, "siteName") == AnyHashable("Oslo"))
    #expect(try stored(ada, "siteName") == AnyHashable("Oslo"))
    let other = stack.newContext()
    try other.delete(other.existingObject(with: site.objectID))
    try other.save()
    #expect(try stored(ada, "siteName") == nil)
  }

  @Test("MDL-176: now() is the time of the save, the same for all objects of it")
  func now() throws {
    let people = try (1...3).map { try context.insert("Employee", ["salary": $0]) }
    let before = Date()
    try context.save()
    let first = try #require(people[0].value(forKey: "changed") as? Date)
    #expect(first >= before && first <= Date())
    #expect(try people.map { try $0.value(forKey: "changed") as? Date } == [first, first, first])
    #expect(try stored(people[1], "changed") == AnyHashable(first))
    try people[0].setValue(9, forKey: "salary")
    try context.save()
    #expect(try #require(people[0].value(forKey: "changed") as? Date) > first)
    #expect(try people[1].value(forKey: "changed") as? Date == first)
  }

  @Test(
    "MDL-177, OBJ-301, CTX-169, CTX-176: a derived value alone raises no version, makes nothing dirty and is no conflict"
  )
  func versions() throws {
    let acme = try context.insert("Company", ["name": "Acme"])
    let lab = try context.insert("Department", ["name": "Lab", "company": acme])
    let ada = try context.insert("Employee", ["name": "Ada", "department": lab])
    try context.save()
    let version = ada.currentRow?.version
    let other = try stack.otherProcess()
    let theirs = try other.existingObject(with: ada.objectID)
    #expect(try theirs.string("companyName") == "ACME")
    try acme.setValue("Apex", forKey: "name")
    try context.save()
    #expect(!ada.hasChanges && !context.hasChanges && ada.currentRow?.version == version)
    try theirs.setValue("Eve", forKey: "name")
    try other.save()
    #expect(try theirs.string("companyName") == "ACME" || theirs.string("companyName") == "APEX")
    #expect(try stored(ada, "companyName") == AnyHashable("APEX"))
    try context.refresh(ada, mergeChanges: false)
    #expect(try ada.string("companyName") == "APEX")
    #expect(try stored(ada, "copyOfName") == AnyHashable("Eve"))
  }

  @Test("FLT-062: what the row cache has of records whose derived values changed is read anew")
  func rowCache() throws {
    let acme = try context.insert("Company", ["name": "Acme"])
    let lab = try context.insert("Department", ["name": "Lab", "company": acme])
    let ada = try context.insert("Employee", ["name": "Ada", "department": lab])
    try context.save()
    let reader = stack.newContext()
    let held = try reader.existingObject(with: ada.objectID)
    let writer = stack.newContext()
    try writer.existingObject(with: acme.objectID).setValue("Apex", forKey: "name")
    try writer.save()
    try reader.refresh(held, mergeChanges: false)
    #expect(try held.string("companyName") == "APEX")
    #expect(try stack.newContext().existingObject(with: ada.objectID).string("companyName") == "APEX")
  }

  @Test("FLT-062: values that a primitive accessor has written do not reach others with a derived value")
  func primitives() throws {
    let lab = try context.insert("Department", ["name": "Lab"])
    let ada = try context.insert("Employee", ["name": "Ada", "department": lab])
    try context.save()
    try ada.setPrimitiveValue("Bob", forKey: "name")
    try lab.setValue("Shop", forKey: "name")
    try context.save()
    #expect(try ada.string("name") == "Bob" && ada.string("departmentName") == "Shop")
    let other = stack.newContext()
    let theirs = try other.existingObject(with: ada.objectID)
    #expect(try theirs.string("name") == "Ada" && theirs.string("departmentName") == "Shop")
    try ada.addObjects([try context.insert("Project", [:])], forKey: "projects")
    try context.save()
    #expect(try stored(ada, "name") == AnyHashable("Bob"))
    #expect(try ada.string("departmentName") == "Shop")
  }

  @Test(
    "FLT-062: an object that is behind what is stored takes no old value into the row cache with a derived one"
  )
  func staleObject() throws {
    let lab = try context.insert("Department", ["name": "Lab"])
    let ada = try context.insert("Employee", ["name": "Ada", "department": lab])
    try context.save()
    let other = stack.newContext()
    try other.existingObject(with: ada.objectID).setValue("Eve", forKey: "name")
    try other.save()
    try lab.setValue("Shop", forKey: "name")
    try context.save()
    let third = try stack.newContext().existingObject(with: ada.objectID)
    #expect(try third.string("name") == "Eve" && third.string("departmentName") == "Shop")
    try stack.coordinator.transaction(with: context, other) { _ in
      try other.existingObject(with: ada.objectID).setValue("Ida", forKey: "name")
      try other.save()
      try lab.setValue("Yard", forKey: "name")
      try context.save()
    }
    let fourth = try stack.newContext().existingObject(with: ada.objectID)
    #expect(try fourth.string("name") == "Ida" && fourth.string("departmentName") == "Yard")
  }

  @Test("CTX-102: a transaction that is taken back leaves derived values as they were")
  func transaction() throws {
    struct Stop: Error {}
    let lab = try context.insert("Department", ["name": "Lab"])
    try context.save()
    try? stack.coordinator.transaction(with: context) { _ in
      try context.insert("Employee", ["salary": 5, "department": lab])
      try context.save()
      #expect(try value(lab, "payroll") == AnyHashable(Int64(5)))
      throw Stop()
    }
    #expect(try stored(lab, "payroll") == AnyHashable(Int64(0)))
    let again = stack.newContext()
    #expect(try value(again.existingObject(with: lab.objectID), "headcount") == AnyHashable(Int32(0)))
  }

  @Test(
    "MDL-180, MDL-181, FET-068, PRD-261: they are fetched and sorted by like stored ones, by the value of the last save"
  )
  func fetching() throws {
    for (name, count) in [("A", 3), ("B", 1), ("C", 2)] {
      let department = try context.insert("Department", ["name": name])
      for _ in 0..<count { try context.insert("Employee", ["name": "Zoë", "department": department]) }
    }
    try context.save()
    #expect(
      try context.all("Department", "headcount > 1", sort: ["headcount:desc"]).map { try $0.string("name") }
        == ["A", "C"])
    #expect(
      try context.count(
        for: FetchRequest(
          entityName: "Employee", predicate: QueryPredicate("canonicalName == canonical:(%@)", "ZOE"))) == 6)
    try context.insert("Employee", ["name": "Zoë"])
    #expect(try context.all("Employee", "copyOfName == 'Zoë'").count == 6)
    #expect(try context.all("Employee", "name == 'Zoë'").count == 7)
  }

  @Test(
    "MDL-181: a condition on one may stand anywhere",
    arguments: [
      "headcount > 1", "name == 'A' AND NOT headcount == 0", "ANY employees.departmentName == 'A'",
      "SUBQUERY(employees, $e, $e.department.headcount > 1).@count > 0",
      "employees.@max.department.headcount == 2",
    ])
  func conditions(_ text: String) throws {
    for (name, count) in [("A", 2), ("B", 1), ("C", 0)] {
      let department = try context.insert("Department", ["name": name])
      for _ in 0..<count { try context.insert("Employee", ["department": department]) }
    }
    try context.save()
    #expect(try context.all("Department", text).map { try $0.string("name") } == ["A"])
    let all = try context.all("Department").filtered(by: QueryPredicate(parsing: text))
    #expect(try all.map { try $0.string("name") } == ["A"])
  }

  @Test(
    "MDL-171, OBJ-156: setting one throws, and so does a sum that its attribute cannot hold when it is saved")
  func refusals() throws {
    let company = try context.insert("Company", ["name": "Acme"])
    let error = #expect(throws: GraphStoreError.self) { try company.setValue(1, forKey: "departmentCount") }
    #expect(error?.code == .readOnlyProperty)
    let lab = try context.insert("Department", [:])
    for _ in 0..<2 { try context.insert("Employee", ["salary": Int64.max, "department": lab]) }
    let overflow = #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(overflow?.code == .valueOutOfRange && overflow?.property == "payroll")
    #expect(context.hasChanges)
  }
}
