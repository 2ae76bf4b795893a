import Foundation
import Testing

@testable import GraphStore

/// Employees who are married, and two writers that change them: what several suites of conflicts begin with.
protocol ConflictCouples {}

extension ConflictCouples {
  func couples(_ writer: OtherWriter, _ policy: PolicyCase) throws -> TwoWriters {
    try TwoWriters(TestModels.company(), writer, policy.policy) { context in
      for name in ["A", "B", "C"] { try context.insert("Employee", ["name": name, "salary": 1]) }
      try context.insert("Desk", ["name": "desk"])
    }
  }

  func employee(_ name: String, _ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.all("Employee", "name == '\(name)'").first)
  }

  func pairs(_ context: ManagedObjectContext) throws -> [String] {
    try context.all("Employee", sort: ["name"]).map { employee in
      let spouse = try employee.object(forKey: "spouse")?.string("name") ?? "-"
      return "\(try employee.string("name")!)\(spouse)"
    }
  }

  func realize(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    let all = try context.all("Employee") + context.all("Desk")
    for object in all { _ = try object.value(forKey: "name") }
    return all
  }

  /// The couples are those in the store, and in memory once everything is read anew.
  func expect(_ expected: [String], in writers: TwoWriters, holding held: [ManagedObject]) throws {
    #expect(try pairs(writers.stored()) == expected)
    #expect(!writers.mine.hasChanges)
    _ = try writers.mine.all("Employee")
    for object in held { try writers.mine.refresh(object, mergeChanges: false) }
    #expect(try pairs(writers.mine) == expected)
    try writers.mine.checkInvariants()
  }
}
