import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Rows that no store has")
struct DamagedRowTests {
  /// A store with an employee 1, her manager 2 and two ordered departments' worth of members, damaged by a
  /// statement.
  private func damaged(_ sql: String) throws -> (LayoutFolder, ManagedObjectContext) {
    let folder = try LayoutFolder()
    try folder.makeStore("s") { connection in
      try connection.execute(
        """
        INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'R');
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBADGE, ZMANAGER, Z3_MANAGER, ZSALARY1, ZDEPARTMENT1,
          Z_FOK_DEPARTMENT1) VALUES (1, 5, 1, 'Ada', 1, 2, 5, 12.5, 1, 2048), (2, 5, 1, 'Bob', 2, NULL, NULL, 3, 1, 3072);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT IN (1, 3);
        """)
      try connection.execute(sql)
    }
    let coordinator = try PersistentStoreCoordinator.open(storeAt: folder.file("s"))
    return (folder, ManagedObjectContext(coordinator: coordinator))
  }

  private func failure(_ body: () throws -> Void) -> GraphStoreError? {
    do {
      try body()
      return nil
    } catch { return error as? GraphStoreError }
  }

  /// Reads the employees as objects, as fields and as identifiers.
  private func read(_ context: ManagedObjectContext, _ keyPaths: [String]) -> [GraphStoreError?] {
    let request = FetchRequest(entityName: "Employee")
    return [
      failure { _ = try context.fetch(request) },
      failure { try context.enumerateFields(request, keyPaths: keyPaths) { _ in } },
    ]
  }

  @Test(
    "STO-237: a reference beside which no entity of its destination is named leads to the object of its key",
    arguments: ["NULL", "99", "1", "4"])
  func missingReferenceTag(_ tag: String) throws {
    let (folder, context) = try damaged(
      "UPDATE ZPERSON SET Z_ENT = 6 WHERE Z_PK = 2; UPDATE ZPERSON SET Z3_MANAGER = \(tag) WHERE Z_PK = 1")
    defer { withExtendedLifetime(folder) {} }
    let ada = try #require(try context.all("Employee", "name == 'Ada'").first)
    let manager = try #require(try ada.object(forKey: "manager"))
    #expect(manager.entity.name == "Manager")
    #expect(try manager.string("name") == "Bob")
    context.reset()
    let again = try context.existingObject(with: ada.objectID)
    #expect(try again.object(forKey: "manager")?.string("name") == "Bob")
    var names: [String?] = []
    let request = FetchRequest(
      entityName: "Employee", predicate: try QueryPredicate(parsing: "name == 'Ada'"))
    try context.enumerateFields(request, keyPaths: ["manager"]) { row in
      var collector = ValueCollector(ada.objectID.scope)
      row.visit(0, &collector)
      guard case .object(let reference) = collector.value else { return }
      names.append(reference.identifier(as: ManagedObjectID.self)?.shortForm)
    }
    #expect(names == ["Manager/p2"])
  }

  @Test("STO-259: members without an order key come first, by their keys")
  func missingOrderKeys() throws {
    let (folder, context) = try damaged("UPDATE ZPERSON SET Z_FOK_DEPARTMENT1 = NULL WHERE Z_PK = 2")
    defer { withExtendedLifetime(folder) {} }
    #expect(try context.all("Department")[0].names("employees") == ["Bob", "Ada"])
  }

  @Test(
    "A uniqueness failure that the model does not know of says what it is",
    arguments: [
      (
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 3", GraphStoreError.Code.storeCorrupt,
        "the key 2 of a new Employee is taken, for the store's key counter lies below it.", "Repair the store"
      ),
      (
        "CREATE UNIQUE INDEX theirs ON ZPERSON (ZNAME, ZDEPARTMENT1)", .constraintConflict,
        "Employee: there is another object with", "Change one"
      ),
    ])
  func unknownConstraint(sql: String, code: GraphStoreError.Code, message: String, remedy: String) throws {
    let (folder, context) = try damaged(sql)
    defer { withExtendedLifetime(folder) {} }
    let department = try context.all("Department")[0]
    let new = try context.insert("Employee", ["name": "Ada", "department": department])
    let error = #expect(throws: GraphStoreError.self) { try context.save() }
    #expect(error?.code == code)
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    #expect(error?.remedy.contains(remedy) == true)
    if code == .constraintConflict {
      #expect(
        error?.message.contains("name \"Ada\"") == true
          && error?.message.contains("department Department/p1") == true)
      #expect(
        error?.details == [
          "a unique index of the file over ZNAME, ZDEPARTMENT1 forbids it, which the model does not have"
        ])
    }
    #expect(new.objectID.isTemporaryID)
  }

  @Test(
    "A key, version, reference, decimal or entity number that none can have is told, never shown as another",
    arguments: [
      ("UPDATE ZPERSON SET Z_PK = -9223372036854775808 WHERE Z_PK = 1", "-9223372036854775808"),
      ("UPDATE ZPERSON SET Z_PK = 9223372036854775807 WHERE Z_PK = 1", "9223372036854775807"),
      ("UPDATE ZPERSON SET Z_PK = -1 WHERE Z_PK = 1", "key -1"),
      ("UPDATE ZPERSON SET Z_PK = 0 WHERE Z_PK = 1", "key 0"),
      ("UPDATE ZPERSON SET ZMANAGER = -9223372036854775808 WHERE Z_PK = 1", "-9223372036854775808"),
      ("UPDATE ZPERSON SET ZMANAGER = 0 WHERE Z_PK = 1", "key 0"),
      ("UPDATE ZPERSON SET ZMANAGER = 140737488355328 WHERE Z_PK = 1", "140737488355328"),
      ("UPDATE ZPERSON SET ZSALARY1 = CAST('12x' AS BLOB) WHERE Z_PK = 1", "salary"),
      ("UPDATE ZPERSON SET ZSALARY1 = CAST('abc' AS BLOB) WHERE Z_PK = 1", "salary"),
      ("UPDATE ZPERSON SET ZSALARY1 = x'' WHERE Z_PK = 1", "salary"),
      ("UPDATE ZPERSON SET ZSALARY1 = CAST('1e400' AS BLOB) WHERE Z_PK = 1", "salary"),
      ("UPDATE ZPERSON SET ZSALARY1 = CAST('1,5' AS BLOB) WHERE Z_PK = 1", "salary"),
      (
        "UPDATE ZPERSON SET ZSALARY1 = CAST('1234567890123456789012345678901234567890' AS BLOB) WHERE Z_PK = 1",
        "salary"
      ),
      ("UPDATE ZPERSON SET ZSALARY1 = 1e200 WHERE Z_PK = 1", "1e+200"),
      ("UPDATE ZPERSON SET ZSALARY1 = 9e999 WHERE Z_PK = 1", "infinite"),
      ("UPDATE ZPERSON SET Z_ENT = 1 WHERE Z_PK = 1", "entity number 1"),
      ("UPDATE ZPERSON SET Z_ENT = 99 WHERE Z_PK = 1", "entity number 99"),
    ])
  func refused(_ sql: String, _ part: String) throws {
    let (folder, context) = try damaged(sql)
    let isOfAnotherEntity = sql.contains("Z_ENT")
    for error in read(context, ["name", "salary", "manager"]) where !isOfAnotherEntity {
      #expect(
        error?.code == .storeCorrupt && error?.message.contains(part) == true, "\(sql): \(error as Any)")
    }
    context.coordinator.close()
    #expect(try StoreCheck.run(path: folder.file("s")).contains { !$0.isOK }, "\(sql)")
  }

  @Test("Rows of entities of other tables end a fetch of the whole tree", arguments: [1, 99])
  func otherEntity(number: Int) throws {
    let (_, context) = try damaged("UPDATE ZPERSON SET Z_ENT = \(number) WHERE Z_PK = 1")
    let request = FetchRequest(entityName: "Person")
    #expect(failure { _ = try context.fetch(request) }?.code == .storeCorrupt)
    #expect(
      failure { try context.enumerateFields(request, keyPaths: ["name"]) { _ in } }?.code == .storeCorrupt)
    context.coordinator.close()
  }

  @Test("Other columns of a damaged row can be read")
  func otherColumns() throws {
    let (_, context) = try damaged("UPDATE ZPERSON SET ZSALARY1 = 9e999, ZMANAGER = -5 WHERE Z_PK = 1")
    var count = 0
    try context.enumerateFields(FetchRequest(entityName: "Employee"), keyPaths: ["name", "badge"]) { _ in
      count += 1
    }
    #expect(count == 2)
    context.coordinator.close()
  }

  @Test(
    "A condition or an order over a decimal that is none is told, never answered as if it were missing",
    arguments: [
      "salary > 5", "salary < 5", "salary <= 1e30", "salary > 12345678901234567890", "salary + 1 > 3",
      "abs:(salary) > 0", "salary > manager.salary", "manager.salary < salary", "salary BETWEEN {1, 5}",
      "NOT (salary > 5)", "reports.@sum.salary > 1", "SUBQUERY(reports, $r, $r.salary > 5).@count == 0",
    ], ["12x", "abc", ""])
  func conditions(_ text: String, _ damage: String) throws {
    let (folder, context) = try damaged(
      "UPDATE ZPERSON SET ZSALARY1 = CAST('\(damage)' AS BLOB), ZMANAGER = 1, Z3_MANAGER = 5 WHERE Z_PK = 1")
    let request = FetchRequest(entityName: "Employee", predicate: try QueryPredicate(parsing: text))
    for error in [
      failure { _ = try context.count(for: request) }, failure { _ = try context.fetch(request) },
      failure {
        try context.coordinator.transaction(with: context) { _ in _ = try context.count(for: request) }
      },
    ] { #expect(error?.code == .storeCorrupt, "\(text): \(error as Any)") }
    // Other conditions, and changes, go on.
    #expect(
      try context.count(
        for: FetchRequest(
          entityName: "Employee", predicate: try QueryPredicate(parsing: "name == 'Bob' AND salary > 2")))
        == 1)
    try context.insert(entityNamed: "Department").setValue("S", forKey: "name")
    try context.save()
    context.coordinator.close()
    #expect(try StoreCheck.run(path: folder.file("s")).first { $0.name == "values" }?.isOK == false)
  }

  @Test("An order over a decimal that is none is told")
  func order() throws {
    let (_, context) = try damaged("UPDATE ZPERSON SET ZSALARY1 = CAST('12x' AS BLOB) WHERE Z_PK = 1")
    let request = FetchRequest(
      entityName: "Employee", sortDescriptors: [try QuerySortDescriptor(parsing: "salary")])
    #expect(
      failure { try context.enumerateFields(request, keyPaths: ["name"]) { _ in } }?.code == .storeCorrupt)
    context.coordinator.close()
  }

  @Test("A version that cannot rise is told before anything is written")
  func version() throws {
    let (folder, context) = try damaged("UPDATE ZPERSON SET Z_OPT = 9223372036854775807 WHERE Z_PK = 1")
    let error = failure { _ = try context.fetch(FetchRequest(entityName: "Employee")) }
    #expect(error?.code == .storeCorrupt && error?.message.contains("version") == true)
    context.coordinator.close()
    #expect(try StoreCheck.run(path: folder.file("s")).first { $0.name == "row versions" }?.isOK == false)
  }

  @Test("Key counters and order values at the ends are told, not overflowed")
  func ends() throws {
    let (folder, context) = try damaged(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_ENT = 1;
      UPDATE ZPERSON SET Z_FOK_DEPARTMENT1 = 9223372036854775807 WHERE Z_PK = 2
      """)
    try context.insert(entityNamed: "Department").setValue("S", forKey: "name")
    #expect(failure { try context.save() }?.code == .storeCorrupt)
    context.rollback()
    let department = try context.fetch(FetchRequest(entityName: "Department"))[0]
    let employee = try context.insert(entityNamed: "Employee")
    try employee.setValue("Cyd", forKey: "name")
    try employee.setValue(department, forKey: "department")
    let error = failure { try context.save() }
    #expect(error == nil || error?.code == .storeCorrupt)
    context.coordinator.close()
    let results = try StoreCheck.run(path: folder.file("s"))
    for name in ["key counters", "order keys"] where name == "key counters" || error != nil {
      #expect(results.first { $0.name == name }?.isOK == false, "\(name)")
    }
  }

  @Test("An entity number takes no memory in proportion", arguments: [100_000_000, Int64.max])
  func entityNumber(number: Int64) throws {
    let (folder, context) = try damaged("")
    context.coordinator.close()
    let connection = try SQLiteConnection(path: folder.file("s"), mode: .readWrite)
    try connection.execute(
      "UPDATE Z_PRIMARYKEY SET Z_ENT = \(number) WHERE Z_NAME = 'Department'; UPDATE ZDEPARTMENT SET Z_ENT = \(number)"
    )
    connection.close()
    let coordinator = try PersistentStoreCoordinator.open(storeAt: folder.file("s"))
    let other = ManagedObjectContext(coordinator: coordinator)
    let objects = try other.fetch(FetchRequest(entityName: "Department"))
    #expect(try objects.map { try $0.value(forKey: "name") as? String } == ["R"])
    coordinator.close()
    #expect(try !StoreCheck.run(path: folder.file("s")).isEmpty)
  }

  @Test("Long decimals that can be held are read to the last digit")
  func longDecimals() throws {
    for text in [
      "12345678901234567890.25", "-0.00000000000000000001", "1e100", "12345678901234567890123456789012345678",
    ] {
      let value = try #require(StoredDecimal.decimal(text: Array(text.utf8)), "\(text)")
      #expect(value == Decimal(string: text))
    }
    #expect(StoredDecimal.isDecimal(0) && StoredDecimal.isDecimal(-1e99) && StoredDecimal.isDecimal(1e120))
    #expect(!StoredDecimal.isDecimal(1e200) && !StoredDecimal.isDecimal(.infinity))
    #expect(!StoredDecimal.isDecimal(1e-300))
  }
}
