#if PostgreSQL
import Foundation
import GraphStoreContextTestSupport
import GraphStorePredicates
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Care of stores on a PostgreSQL server", .enabled(if: TestStores.areThere))
struct PostgreSQLCareTests {
  private let stores = TestStores()

  private func makeStaff(_ number: Int = 0, model: ManagedObjectModel = StaffModel.model) throws {
    let coordinator = try stores.coordinator(model, number)
    let context = ManagedObjectContext(coordinator: coordinator)
    let department = try context.insert(entityNamed: "Department")
    try department.setValue("Sales", forKey: "name")
    for number in 0..<5 {
      let employee = try context.insert(entityNamed: "Employee")
      try employee.setValue("e\(number)", forKey: "name")
      try employee.setValue(department, forKey: "department")
      let project = try context.insert(entityNamed: "Project")
      try project.setValue("p\(number)", forKey: "title")
      try employee.setValue(Set([project]), forKey: "projects")
    }
    try context.save()
    coordinator.close()
  }

  private func findings(_ number: Int = 0) throws -> [StoreCheckFinding] {
    try StoreCheck.run(path: stores.address(number)).flatMap(\.findings)
  }

  /// Writes what no foreign key lets in.
  private func damage(_ statements: String..., number: Int = 0) throws {
    let all = ["SET session_replication_role TO replica"] + statements
    try stores.run(
      "DO $do$ BEGIN \(all.map { "EXECUTE $x$\($0)$x$;" }.joined(separator: " ")) END $do$", number)
  }

  @Test("STO-414: nothing is wrong with a store that only the library has written")
  func sound() throws {
    try makeStaff()
    let results = try StoreCheck.run(path: stores.address())
    #expect(results.flatMap(\.findings) == [])
    #expect(results.map(\.name).contains("references") && results.count == 15)
    #expect(try StoreCheck.run(path: stores.address(), isQuick: true).count == 5)
    let repair = try StoreRepair(path: stores.address())
    #expect(repair.steps.isEmpty && repair.unrepaired.isEmpty)
  }

  @Test(
    "STO-414, STO-415: what others have damaged is found, and mended where that loses nothing; the rest is told"
  )
  func mended() throws {
    try makeStaff()
    try damage(
      "UPDATE employee SET department_id = 77 WHERE name = 'e1'",
      "INSERT INTO employee_projects VALUES (1, 99)",
      "UPDATE employee SET object_version = -1 WHERE name = 'e2'",
      "UPDATE department SET headcount = 40", "DROP INDEX department_name_key",
      "UPDATE graphstore_entities SET last_key = 1 WHERE name = 'Project'")
    let found = try findings()
    #expect(
      Set(found.map(\.name)).isSuperset(
        of: ["references", "join rows", "row versions", "derived values", "tables", "key counters"]),
      "\(found)")
    let dangling = try #require(found.first { $0.name == "references" })
    #expect(dangling.subject == "Employee.department" && dangling.objects.count == 1)
    let repair = try StoreRepair(path: stores.address())
    // Looking has changed nothing.
    #expect(try Set(findings()) == Set(found))
    let result = try repair.run()
    #expect(result.steps == repair.steps && result.unrepaired.isEmpty, "\(result)")
    #expect(try findings() == [])
    let counts = try stores.run("SELECT headcount FROM department")
    _ = try counts.step()
    #expect(counts.int64(at: 0) == 4)
    // The store as it was is another schema, which opens.
    let former = try PersistentStoreCoordinator.open(storeAt: result.backup)
    let context = ManagedObjectContext(coordinator: former)
    #expect(try context.count(for: FetchRequest<ManagedObject>(entityName: "Employee")) == 5)
    former.close()
    #expect(try StoreCheck.run(path: result.backup).flatMap(\.findings).contains { $0.name == "references" })
    try PersistentStoreCoordinator.destroyPersistentStore(at: #require(URL(string: result.backup)))
  }

  @Test("STO-415: who has read a record before it was mended does not write over it")
  func versions() throws {
    try makeStaff()
    let coordinator = try stores.coordinator(StaffModel.model)
    let context = ManagedObjectContext(coordinator: coordinator)
    var request = FetchRequest<ManagedObject>(entityName: "Employee")
    request.predicate = try QueryPredicate("name == 'e1'")
    request.returnsObjectsAsFaults = false
    let employee = try #require(try context.fetch(request).first)
    try damage("UPDATE employee SET department_id = 77 WHERE name = 'e1'")
    _ = try StoreRepair(path: stores.address()).run()
    try employee.setValue("other", forKey: "name")
    #expect(code { try context.save() } == .mergeConflict)
    for schema in try backups() {
      try stores.run("DROP SCHEMA \(schema) CASCADE")
    }
  }

  private func backups() throws -> [String] {
    let cursor = try stores.run(
      "SELECT nspname FROM pg_namespace WHERE nspname LIKE current_schema() || '_backup%'")
    var names: [String] = []
    while try cursor.step() { names.append(cursor.string(at: 0)) }
    return names
  }

  @Test("STO-415: values that are to be unique, mandatory or by a rule are left to a person")
  func left() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(
        name: "Rules",
        entities: [
          EntityDefinition(
            "Item",
            attributes: [
              AttributeDefinition("code", .string, isOptional: false),
              AttributeDefinition("number", .int64),
            ], uniquenessConstraints: [["number"]])
        ]))
    let coordinator = try stores.coordinator(model)
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<3 {
      let item = try context.insert(entityNamed: "Item")
      try item.setValue("i\(number)", forKey: "code")
      try item.setValue(Int64(number), forKey: "number")
    }
    try context.save()
    coordinator.close()
    try stores.run("DROP INDEX item_number_key")
    try stores.run("UPDATE item SET number = 1, code = NULL")
    let repair = try StoreRepair(path: stores.address())
    #expect(repair.steps.isEmpty, "\(repair.steps)")
    #expect(
      Set(repair.unrepaired.map(\.finding.name)) == ["required values", "uniqueness", "tables"],
      "\(repair.unrepaired)")
  }

  @Test("STO-414: places of members, one-to-one ends and entities of references are checked and mended")
  func links() throws {
    let model = try ManagedObjectModel(
      ModelDefinition(
        name: "Links",
        entities: [
          EntityDefinition(
            "List", attributes: [AttributeDefinition("name", .string)],
            relationships: [
              RelationshipDefinition(
                "items", to: "Item", inverse: "list", isToMany: true, isOrdered: true),
              RelationshipDefinition("cover", to: "Item", inverse: "coverOf"),
            ]),
          EntityDefinition(
            "Item", attributes: [AttributeDefinition("name", .string)],
            relationships: [
              RelationshipDefinition("list", to: "List", inverse: "items"),
              RelationshipDefinition("coverOf", to: "List", inverse: "cover"),
            ]),
          EntityDefinition("Special", parent: "Item"),
        ]))
    let coordinator = try stores.coordinator(model)
    let context = ManagedObjectContext(coordinator: coordinator)
    let list = try context.insert(entityNamed: "List")
    let items = try (0..<3).map { number in
      let item = try context.insert(entityNamed: number == 2 ? "Special" : "Item")
      try item.setValue("i\(number)", forKey: "name")
      return item
    }
    try list.setValue(OrderedSet(items), forKey: "items")
    try list.setValue(items[2], forKey: "cover")
    try context.save()
    coordinator.close()
    #expect(try findings() == [])
    try stores.run("UPDATE item SET list_position = 5")
    try stores.run("UPDATE item SET cover_of_id = NULL")
    try stores.run("UPDATE list SET cover_entity = (SELECT max(number) + 1 FROM graphstore_entities)")
    let found = try findings()
    #expect(
      Set(found.map(\.name)).isSuperset(of: ["order keys", "one-to-one", "entity tags"]), "\(found)")
    let result = try StoreRepair(path: stores.address()).run()
    #expect(result.unrepaired.isEmpty, "\(result)")
    #expect(try findings() == [])
    try PersistentStoreCoordinator.destroyPersistentStore(at: #require(URL(string: result.backup)))
  }

  @Test("STO-416: statistics say what rows and columns hold, as those of the same store in a file")
  func statistics() throws {
    try makeStaff()
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).db")
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try StoreBackup.make(ofStoreAt: stores.address(), at: file.path)
    let onServer = try StoreStatistics.read(path: stores.address())
    let inFile = try StoreStatistics.read(path: file.path)
    #expect(onServer.map(\.name) == inFile.map(\.name) && onServer.map(\.rows) == inFile.map(\.rows))
    for (server, file) in zip(onServer, inFile) {
      #expect(Set(server.properties.map(\.name)) == Set(file.properties.map(\.name)))
      for property in server.properties {
        let other = try #require(file.properties.first { $0.name == property.name })
        #expect(
          property.distinct == other.distinct && property.missing == other.missing,
          "\(server.name).\(property.name)")
      }
      #expect((server.fileBytes ?? 0) > 0)
    }
    let department = try #require(onServer.first { $0.name == "Department" })
    #expect(department.properties.first { $0.name == "name" }?.indexes == ["department_name_key"])
    #expect(try StoreStatistics.read(path: stores.address(), entity: "Project").count == 1)
    #expect(code { try StoreStatistics.read(path: stores.address(), entity: "Nobody") } == .unknownEntity)
  }
}
#endif
