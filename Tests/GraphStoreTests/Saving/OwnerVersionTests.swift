import Foundation
import GraphStoreSQLite
import Synchronization
import Testing

@testable import GraphStore

/// The version of a record whose members change: it rises, and makes no conflict.
@Suite("Row versions of owners")
struct OwnerVersionTests {
  private let stack: TestStack
  private let department: ManagedObject
  private let employee: ManagedObject
  private let project: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company())
    department = try stack.context.insert("Department", ["name": "R&D"])
    employee = try stack.context.insert("Employee", ["name": "Ada"])
    project = try stack.context.insert("Project", ["name": "P"])
    try stack.context.save()
  }

  private func version(_ table: String, _ key: Int = 1) throws -> Int64? {
    let raw = try SQLiteConnection(path: stack.path, mode: .readOnly)
    defer { raw.close() }
    return try raw.int64("SELECT Z_OPT FROM \(table) WHERE Z_PK = \(key)")
  }

  @Test("The version of the owner rises with each save in which its members change, wherever the key lies")
  func rises() throws {
    try employee.setValue(department, forKey: "department")
    try stack.context.save()
    #expect(try version("ZDEPARTMENT") == 2)
    #expect(try version("ZEMPLOYEE") == 2)
    try department.addObjects([try stack.context.insert("Employee", [:])], forKey: "employees")
    try department.setValue("D", forKey: "name")
    try stack.context.save()
    #expect(try version("ZDEPARTMENT") == 3)
    try employee.setValue(nil, forKey: "department")
    try stack.context.save()
    #expect(try version("ZDEPARTMENT") == 4)
    try project.addObjects([employee], forKey: "members")
    try stack.context.save()
    #expect(try version("ZPROJECT") == 2)
    #expect(try version("ZEMPLOYEE") == 4)
    try stack.context.delete(employee)
    try stack.context.save()
    #expect(try version("ZPROJECT") == 3)
    #expect(try version("ZDEPARTMENT") == 4)
  }

  @Test("REL-317, CTX-174: two writers who only add members do not conflict, and both raise the version")
  func twoWriters() throws {
    let other = try stack.otherProcess()
    let theirs = try other.all("Department")[0]
    #expect(try theirs.string("name") == "R&D")
    for (context, owner) in [(stack.context, department), (other, theirs), (stack.context, department)] {
      try context.insert("Employee", ["department": owner])
      try context.save()
    }
    #expect(try version("ZDEPARTMENT") == 4)
    try theirs.setValue("theirs", forKey: "name")
    try other.save()
    try department.setValue("mine", forKey: "name")
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .mergeConflict }
    #expect(try stack.otherProcess().all("Department")[0].string("name") == "theirs")
  }

  @Test("The saver knows the new version: the next change of the owner is one statement")
  func known() throws {
    func change(_ name: String) throws -> Int {
      try stack.statements {
        try department.setValue(name, forKey: "name")
        try stack.context.save()
      }
    }
    let plain = try change("a")
    try employee.setValue(department, forKey: "department")
    let statements = try stack.recordedStatements { try stack.context.save() }
    #expect(statements.filter { $0.hasPrefix("UPDATE") }.count == 2)
    #expect(try change("b") == plain)
    #expect(try department.string("name") == "b")
  }

  @Test("A version that rises inside a transaction that is taken back makes nobody overlook a change")
  func takenBack() throws {
    struct Stop: Error {}
    let other = stack.newContext()
    let theirs = try other.all("Department")[0]
    #expect(try theirs.string("name") == "R&D")
    #expect(throws: Stop.self) {
      try stack.coordinator.transaction(with: stack.context) { _ in
        try employee.setValue(department, forKey: "department")
        try stack.context.save()
        throw Stop()
      }
    }
    #expect(try version("ZDEPARTMENT") == 1)
    let third = try stack.otherProcess()
    try third.all("Department")[0].setValue("third", forKey: "name")
    try third.save()
    try theirs.setValue("theirs", forKey: "name")
    #expect { try other.save() } throws: { ($0 as? GraphStoreError)?.code == .mergeConflict }
  }

  @Test("Owners are read by other threads while their versions rise")
  func readMeanwhile() throws {
    let names = (0..<40).map { "\($0) " + String(repeating: "x", count: 300) }
    let context = stack.context
    let new = try names.map { name in
      try context.insert(
        "Employee", ["name": "E", "department": context.insert("Department", ["name": name])])
    }
    try context.save()
    let (members, owners) = (
      new.map(\.objectID), try new.compactMap { try $0.object(forKey: "department")?.objectID }
    )
    let reader = stack.newContext()
    let isDone = Atomic(false)
    let misread = Mutex<Set<String>>([])
    DispatchQueue.concurrentPerform(iterations: 2) { number in
      if number == 0 {
        for round in 0..<50 {
          try? context.performAndWait {
            for (position, member) in members.enumerated() {
              let owner = try context.object(with: owners[(position + round) % owners.count])
              try context.object(with: member).setValue(owner, forKey: "department")
            }
            try context.save()
          }
        }
        return isDone.store(true, ordering: .releasing)
      }
      while !isDone.load(ordering: .acquiring) {
        let read = try? reader.performAndWait {
          defer { reader.reset() }
          return try owners.map { try reader.object(with: $0).string("name") ?? "none" }
        }
        misread.withLock { $0.formUnion(Set(read ?? ["nothing"]).subtracting(names)) }
      }
    }
    #expect(misread.withLock(\.self) == [])
    #expect(try version("ZDEPARTMENT", Int(owners[7].key)) ?? 0 > 40)
  }

  @Test("A stale owner whose members change stays stale: its next change conflicts")
  func stale() throws {
    let other = try stack.otherProcess()
    try other.all("Department")[0].setValue("theirs", forKey: "name")
    try other.save()
    try employee.setValue(department, forKey: "department")
    try stack.context.save()
    #expect(try version("ZDEPARTMENT") == 3)
    try department.setValue("mine", forKey: "name")
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .mergeConflict }
  }
}
