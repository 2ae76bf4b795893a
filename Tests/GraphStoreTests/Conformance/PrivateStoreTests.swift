import Foundation
import Testing

@testable import GraphStore

@Suite("SQLite stores at /dev/null")
struct PrivateStoreTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(TestModels.company(), factory: .privateSQLite)
    for name in ["Ada", "Bob", "Cy"] { try stack.context.insert("Employee", ["name": name, "salary": 1]) }
    try stack.context.save()
  }

  private struct Visitor: FieldVisitor {
    var texts: [String] = []

    mutating func null() { texts.append("nil") }
    mutating func boolean(_ value: Bool) {}
    mutating func integer(_ value: Int64) { texts.append("\(value)") }
    mutating func double(_ value: Double, isSingle: Bool) {}
    mutating func decimal(_ value: Decimal) {}
    mutating func decimal(whole: Int64) {}
    mutating func decimal(double: Double) {}
    mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {
      texts.append(String(decoding: utf8, as: UTF8.self))
    }
    mutating func date(_ seconds: Double) {}
    mutating func uuid(_ bytes: UnsafeBufferPointer<UInt8>) {}
    mutating func uri(_ utf8: UnsafeBufferPointer<UInt8>) {}
    mutating func data(_ bytes: UnsafeBufferPointer<UInt8>) {}
    mutating func reference(_ entityName: String, _ key: Int64) {}
    mutating func beginList() {}
    mutating func endList() {}
  }

  @Test("STO-082: it is a database in memory, which all contexts of its coordinator share and no other sees")
  func sharing() throws {
    #expect(stack.coordinator.storePath == nil)
    #expect(try stack.newContext().all("Employee", "name BEGINSWITH 'A'").count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: stack.folder.path).isEmpty)
    let twin = try TestStack(TestModels.company(), factory: .privateSQLite)
    #expect(try twin.context.all("Employee").isEmpty)
    #expect(twin.coordinator.storeIdentifier != stack.coordinator.storeIdentifier)
    try stack.coordinator.mounts[0].store.write { try $0.setMetadata(["note": .string("x")]) }
    #expect(try stack.coordinator.metadata()["note"] == .string("x"))
    #expect(try stack.coordinator.indexDifference().isEmpty)
    #expect(!stack.coordinator.isReadOnly)
  }

  @Test("STO-082, STO-267: the program may use the store while it is handed what a request reads")
  func nested() throws {
    let request = FetchRequest(
      entityName: "Employee", sortDescriptors: try QuerySortDescriptor.list(parsing: "name"))
    var seen: [String] = []
    let other = stack.newContext()
    try stack.context.enumerateFields(request, keyPaths: ["name", "salary"]) { row in
      var visitor = Visitor()
      row.visit(0, &visitor)
      row.visit(1, &visitor)
      seen += visitor.texts + [row.entityName, "\(row.key)"]
      _ = try other.all("Employee")
      try other.insert("Department", ["name": "D"])
      try other.save()
    }
    #expect(
      seen == ["Ada", "1", "Employee", "1", "Bob", "1", "Employee", "2", "Cy", "1", "Employee", "3"])
    #expect(try stack.context.all("Department").count == 3)
  }

  @Test("STO-082, FET-059: what is judged in memory may read more within one request")
  func corrected() throws {
    let department = try stack.context.insert("Department", ["name": "D"])
    try stack.context.all("Employee")[0].setValue(department, forKey: "department")
    try stack.context.save()
    stack.context.reset()
    try stack.context.insert("Employee", ["name": "New"])
    #expect(try stack.context.all("Employee", "department.name == 'D'").count == 1)
    #expect(try stack.context.all("Department", "ANY employees.name == 'Ada'").count == 1)
  }

  @Test(
    "STO-046: it has one connection: who waits for a transaction longer than the time-out gets store-timeout")
  func turns() throws {
    let coordinator = try PersistentStoreCoordinator.create(
      storeAt: "/dev/null", model: ManagedObjectModel(TestModels.company()),
      options: StoreOptions(timeout: .milliseconds(20)))
    defer { coordinator.close() }
    let (writer, other) = (
      ManagedObjectContext(coordinator: coordinator), ManagedObjectContext(coordinator: coordinator)
    )
    try coordinator.transaction(with: writer) { _ in
      try writer.insert("Department", ["name": "D"])
      try writer.save()
      #expect(try writer.all("Department").count == 1)
      #expect { try other.all("Department") } throws: { ($0 as? GraphStoreError)?.code == .storeTimeout }
    }
    #expect(try other.all("Department").count == 1)
  }
}
