import Foundation
import GraphStore
import GraphStoreSQLite
import Testing

@Suite(.everyKindOfStore, .needs(.files))
struct FailedSaveTests {
  /// Runs a body while a table is missing, so that what needs it fails.
  static func without(_ table: String, _ path: String, _ body: () throws -> Void) throws {
    let other = try SQLiteConnection(path: path, mode: .readWrite)
    defer { other.close() }
    try other.execute("ALTER TABLE \"\(table)\" RENAME TO hidden")
    try body()
    try other.execute("ALTER TABLE hidden RENAME TO \"\(table)\"")
  }

  static func joinTable(_ path: String) throws -> String {
    let other = try SQLiteConnection(path: path, mode: .readOnly)
    defer { other.close() }
    return try #require(
      try other.string(
        "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c "
          + "WHERE m.type = 'table' AND m.name GLOB 'Z_[0-9]*' AND c.name LIKE '%MEMBERS%' LIMIT 1"))
  }

  @Test("CTX-119, OBJ-112: a save that fails at its last statement leaves ids, flags, links and order alone")
  func everythingAsBefore() throws {
    let stack = try TestStack(TestModels.company(isOrdered: true))
    let context = stack.context
    let department = try context.insert("Department", ["name": "R&D"])
    let ada = try context.insert("Employee", ["name": "Ada", "department": department])
    let gone = try context.insert("Employee", ["name": "Gone", "department": department])
    try context.save()
    let bob = try context.insert("Employee", ["name": "Bob", "department": department])
    let project = try context.insert("Project", ["name": "P"])
    try project.addObjects([bob, ada], forKey: "members")
    try ada.setValue(7, forKey: "salary")
    try context.delete(gone)
    try context.processPendingChanges()
    try Self.without(Self.joinTable(stack.path), stack.path) {
      #expect(throws: GraphStoreError.self) { try context.save() }
    }
    #expect(bob.objectID.isTemporaryID && bob.isInserted && project.isInserted)
    #expect(ada.isUpdated && ada.changedKeys.contains("salary") && gone.isDeleted)
    #expect(context.insertedObjects == [bob, project] && context.deletedObjects == [gone])
    let members = try department.names("employees")
    #expect(members == ["Ada", "Bob"])
    #expect(try stack.otherProcess().all("Employee").count == 2)
    try context.save()
    let other = try stack.otherProcess()
    #expect(try other.all("Department")[0].names("employees") == ["Ada", "Bob"])
    #expect(try other.all("Project")[0].names("members") == ["Bob", "Ada"])
    #expect(try other.all("Employee", "name == 'Ada'")[0].value(forKey: "salary") as? Int64 == 7)
  }

  @Test("CTX-119, REL-110: order values of a failed save are not taken for stored ones")
  func orderAfterFailure() throws {
    let stack = try TestStack(TestModels.company(isOrdered: true))
    let context = stack.context
    let department = try context.insert("Department", ["name": "R&D"])
    let names = ["A", "B", "C"]
    let people = try names.map { try context.insert("Employee", ["name": $0, "department": department]) }
    try context.save()
    let late = try context.insert("Employee", ["name": "D", "department": department])
    let project = try context.insert("Project", ["name": "P"])
    try project.addObjects([late], forKey: "members")
    try Self.without(Self.joinTable(stack.path), stack.path) {
      #expect(throws: GraphStoreError.self) { try context.save() }
    }
    try late.setValue(nil, forKey: "department")
    try context.save()
    try late.setValue(department, forKey: "department")
    try context.save()
    let members = try stack.otherProcess().all("Department")[0].names("employees")
    #expect(members == ["A", "B", "C", "D"])
    _ = people
  }

  @Test("REL-242, REL-211: a read that fails while rules are applied loses none of the cascade")
  func failedPropagation() throws {
    let stack = try TestStack(TestModels.company(employees: .cascade))
    let context = stack.context
    let department = try context.insert("Department", ["name": "R&D"])
    for name in ["Ada", "Bob"] {
      try context.insert(
        "Employee",
        ["name": name, "department": department, "desk": try context.insert("Desk", ["name": name])])
    }
    try context.save()
    context.reset()
    try context.delete(context.all("Department")[0])
    try Self.without("ZEMPLOYEE", stack.path) {
      #expect(throws: GraphStoreError.self) { try context.processPendingChanges() }
    }
    try Self.without(Self.joinTable(stack.path), stack.path) {
      #expect(throws: GraphStoreError.self) { try context.save() }
    }
    try context.save()
    let other = try stack.otherProcess()
    for entity in ["Department", "Employee", "Desk"] { #expect(try other.all(entity).isEmpty, "\(entity)") }
  }

  @Test("REL-330: a preview that fails leaves no trace")
  func failedPreview() throws {
    let stack = try TestStack(TestModels.company(employees: .cascade))
    let context = stack.context
    let department = try context.insert("Department", ["name": "R&D"])
    try context.insert("Employee", ["name": "Ada", "department": department])
    try context.save()
    context.reset()
    let stored = try context.all("Department")[0]
    let employees = try stored.objects(forKey: "employees")
    try Self.without(Self.joinTable(stack.path), stack.path) {
      #expect(throws: GraphStoreError.self) { try context.deletionPreview(of: [stored]) }
    }
    try Self.without("ZDESK", stack.path) { _ = try? context.deletionPreview(of: [stored]) }
    try context.delete(stored)
    try context.save()
    #expect(try stack.otherProcess().all("Employee").isEmpty)
    _ = employees
  }

  @Test("OBJ-141, REL-105: setting a link that cannot be read changes nothing")
  func failedLink() throws {
    let stack = try TestStack(TestModels.company())
    let context = stack.context
    let desks = try ["one", "two"].map { try context.insert("Desk", ["name": $0]) }
    let ada = try context.insert("Employee", ["name": "Ada", "desk": desks[0]])
    try context.save()
    let ids = desks.map(\.objectID)
    let adaID = ada.objectID
    context.reset()
    let employee = try context.existingObject(with: adaID)
    let first = try context.existingObject(with: ids[0])
    let second = try context.object(with: ids[1])
    try Self.without("ZDESK", stack.path) {
      #expect(throws: GraphStoreError.self) { try employee.setValue(second, forKey: "desk") }
    }
    #expect(try employee.object(forKey: "desk") === first)
    #expect(try first.object(forKey: "owner") === employee)
    #expect(!context.hasChanges)
  }
}
