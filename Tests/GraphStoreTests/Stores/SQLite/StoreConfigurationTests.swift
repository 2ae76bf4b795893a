import Foundation
import Testing

@testable import GraphStore
@testable import GraphStoreSQLite

@Suite("A store with the entities of a configuration")
struct StoreConfigurationTests {
  private let folder: LayoutFolder
  private var path: String { folder.file("staff.db") }

  init() throws { folder = try LayoutFolder() }

  /// Staff with its tree, customers, and a project that both sides know.
  private static func definition() -> ModelDefinition {
    func entity(_ name: String, parent: String? = nil, _ relationships: [RelationshipDefinition] = [])
      -> EntityDefinition
    {
      EntityDefinition(
        name, parent: parent,
        attributes: [AttributeDefinition(parent == nil ? "name" : name.lowercased(), .string)],
        relationships: relationships)
    }
    return ModelDefinition(
      entities: [
        entity("Customer", [.init("agent", to: "Employee", inverse: "customers")]),
        entity("Department", [.init("staff", to: "Person", inverse: "department", isToMany: true)]),
        entity("Person", [.init("department", to: "Department", inverse: "staff")]),
        entity(
          "Employee", parent: "Person",
          [
            .init("customers", to: "Customer", inverse: "agent", isToMany: true),
            .init("projects", to: "Project", inverse: "members", isToMany: true),
            .init("desk", to: "Project"),
            .init("friends", to: "Employee", inverse: "friends", isToMany: true),
          ]),
        entity("Guest", parent: "Person"),
        entity("Project", [.init("members", to: "Employee", inverse: "projects", isToMany: true)]),
      ],
      configurations: [
        ConfigurationDefinition("Staff", entities: ["Person", "Employee", "Guest", "Department"]),
        ConfigurationDefinition("Sales", entities: ["Customer", "Project"]),
        ConfigurationDefinition("Part", entities: ["Employee", "Department"]),
      ])
  }

  private static func model(_ change: (inout ModelDefinition) -> Void = { _ in }) throws -> ManagedObjectModel
  {
    var definition = definition()
    change(&definition)
    return try ManagedObjectModel(definition)
  }

  private func create(
    _ configuration: String? = "Staff", model: ManagedObjectModel? = nil
  ) throws -> ManagedObjectContext {
    ManagedObjectContext(
      coordinator: try .create(
        storeAt: path, model: try model ?? Self.model(), options: StoreOptions(configuration: configuration)))
  }

  private func open(
    _ configuration: String? = nil, model: ManagedObjectModel? = nil
  ) throws -> ManagedObjectContext {
    ManagedObjectContext(
      coordinator: try .open(
        storeAt: path, options: StoreOptions(configuration: configuration), model: model))
  }

  private func code(_ body: () throws -> Void) -> GraphStoreError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? GraphStoreError)?.code
    }
  }

  private func rows(_ sql: String) throws -> [String] {
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    defer { connection.close() }
    return try SQLiteSchemaCopy.rows(connection, sql, columns: 1).map { $0[0] ?? "NULL" }
  }

  private func check() throws { #expect(try StoreCheck.run(path: path).flatMap(\.findings) == []) }

  @Test("MDL-254, STO-226: only the configuration's entities have tables, numbers and hashes")
  func layout() throws {
    let context = try create()
    context.coordinator.close()
    #expect(
      try rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") == [
        "ZDEPARTMENT", "ZPERSON", "Z_3FRIENDS", "Z_METADATA", "Z_PRIMARYKEY",
      ])
    #expect(
      try rows("SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT") == [
        "1 Department 0", "2 Person 0", "3 Employee 2", "4 Guest 2",
      ])
    let columns = try rows("SELECT name FROM pragma_table_info('ZPERSON')")
    #expect(Set(columns) == ["Z_PK", "Z_ENT", "Z_OPT", "ZDEPARTMENT", "ZNAME", "ZEMPLOYEE", "ZGUEST"])
    let metadata = try open().coordinator.metadata()
    guard case .dictionary(let hashes)? = metadata["NSStoreModelVersionHashes"] else {
      Issue.record("no hashes")
      return
    }
    #expect(Set(hashes.keys) == ["Department", "Person", "Employee", "Guest"])
    let model = try Self.model()
    #expect(try model.isConfiguration(withName: "Staff", compatibleWithStoreMetadata: metadata))
    #expect(try !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    try check()
  }

  @Test("MDL-254: its objects are saved, related and fetched; a store opens again with what it carries")
  func objects() throws {
    let context = try create()
    let department = try context.insert("Department", ["name": "D"])
    let ada = try context.insert("Employee", ["name": "Ada", "department": department])
    let bob = try context.insert("Employee", ["name": "Bob", "department": department])
    try ada.addObjects([bob], forKey: "friends")
    try context.insert("Guest", ["name": "Gus"])
    try context.save()
    context.coordinator.close()
    let later = try open()
    #expect(later.coordinator.storeConfiguration == "Staff")
    #expect(try later.all("Person", sort: ["name"]).map { try $0.string("name") } == ["Ada", "Bob", "Gus"])
    #expect(try later.all("Person", "department.name == 'D'").count == 2)
    #expect(try later.all("Employee", "ANY friends.name == 'Ada'").map { try $0.string("name") } == ["Bob"])
    try later.all("Guest")[0].setValue("Gil", forKey: "name")
    try later.delete(later.all("Employee", "name == 'Bob'")[0])
    try later.save()
    later.coordinator.close()
    try check()
  }

  @Test("MDL-254, STO-143: a new object of another entity is refused at save, before anything is written")
  func refused() throws {
    let context = try create()
    try context.insert("Department", ["name": "D"])
    let customer = try context.insert("Customer", ["name": "C"])
    do {
      try context.save()
      Issue.record("saved")
    } catch let error as GraphStoreError {
      #expect(error.code == .noStoreForObject && error.number == 136027 && error.entity == "Customer")
      #expect(error.objectID == customer.objectID)
      #expect(error.details.count == 1 && error.details[0].contains("Staff"))
    }
    #expect(try rows("SELECT count(*) FROM ZDEPARTMENT") == ["0"])
    try context.delete(customer)
    try context.save()
    #expect(try rows("SELECT count(*) FROM ZDEPARTMENT") == ["1"])
  }

  @Test("FET-035: a store is not asked for entities that it does not hold")
  func notAsked() throws {
    let context = try create()
    let ada = try context.insert("Employee", ["name": "Ada"])
    try context.save()
    let statements = context.coordinator.statementCount
    let request = FetchRequest(entityName: "Customer", predicate: try QueryPredicate(parsing: "name == 'x'"))
    #expect(try context.fetch(request).isEmpty)
    #expect(try context.count(for: request) == 0)
    #expect(try context.fetchIdentifiers(request).isEmpty)
    try context.enumerateFields(request, keyPaths: ["name"]) { _ in Issue.record("there is a row") }
    #expect(context.coordinator.statementCount == statements)
    let explanation = try context.explain(request)
    #expect(explanation.statements.isEmpty && explanation.notes.first?.contains("Customer") == true)
    #expect(try context.analyze(request).analysis?.objects == 0)
    let id = try #require(context.coordinator.managedObjectID(forShortForm: "Customer/p1"))
    #expect(code { _ = try context.existingObject(with: id) } == .objectNotFound)
    let pending = try context.insert("Customer", ["name": "x"])
    #expect(try context.fetch(request) == [pending])
    _ = ada
  }

  @Test(
    "MDL-255: a relationship to entities that the store does not hold is empty, and stays out of its tables")
  func crossing() throws {
    let context = try create()
    let ada = try context.insert("Employee", ["name": "Ada"])
    try context.save()
    context.reset()
    let again = try context.all("Employee")[0]
    #expect(try again.value(forKey: "desk") == nil)
    #expect(try again.objects(forKey: "projects").isEmpty && again.objects(forKey: "customers").isEmpty)
    #expect(try context.all("Employee", "desk == nil AND projects.@count == 0").count == 1)
    #expect(try context.all("Employee", "desk.name == 'x' OR ANY customers.name == 'x'").isEmpty)
    var request = FetchRequest(entityName: "Employee")
    request.relationshipKeyPathsForPrefetching = ["desk", "projects", "customers", "department"]
    #expect(try context.fetch(request).count == 1)
    #expect(try context.explain(request).statements.isEmpty == false)
    try again.setValue(try context.insert("Project", ["name": "P"]), forKey: "desk")
    #expect(code { try context.save() } == .noStoreForObject)
    _ = ada
  }

  @Test("MDL-254: any model fits whose configuration of that name has the same hashes")
  func compatible() throws {
    try create().coordinator.close()
    let other = try Self.model {
      $0.entities[0].attributes.append(AttributeDefinition("phone", .string))
      $0.entities.append(EntityDefinition("Invoice"))
      $0.entities[1].userInfo = ["note": "outside the hash"]
    }
    let context = try open("Staff", model: other)
    try context.insert("Guest", ["name": "G"])
    try context.save()
    context.coordinator.close()
    let carried = try open().coordinator.managedObjectModel
    #expect(carried.entitiesByName["Invoice"] != nil, "the model travels as a whole")
    try check()
  }

  @Test(
    "MDL-254, MDL-325, STO-020: other hashes and another configuration do not fit, and the file stays as it is; without a configuration the one is found that does"
  )
  func incompatible() throws {
    try create().coordinator.close()
    let before = try folder.state()
    let model = try Self.model()
    let changed = try Self.model { $0.entities[4].attributes.append(AttributeDefinition("badge", .int32)) }
    let wider = try Self.model { $0.configurations[0].entities.append("Project") }
    #expect(code { _ = try open("Staff", model: changed) } == .incompatibleModel)
    #expect(code { _ = try open("Staff", model: wider) } == .incompatibleModel)
    #expect(code { _ = try open("Sales", model: model) } == .incompatibleModel)
    #expect(code { _ = try open("Sales") } == .incompatibleModel)
    do {
      _ = try open("Sales", model: model)
      Issue.record("opened")
    } catch let error as GraphStoreError {
      #expect(error.number == 134100 && error.remedy.contains("Staff"))
      #expect(error.message.contains("added: ") && error.message.contains("removed: "))
    }
    #expect(try folder.state() == before)
    let found = try open(model: model).coordinator
    #expect(found.storeConfiguration == "Staff")
    found.close()
  }

  @Test("MDL-252, STO-020, DGN-132: an unknown configuration is refused before any file is touched")
  func unknown() throws {
    do {
      _ = try create("Stuff")
      Issue.record("made")
    } catch let error as GraphStoreError {
      #expect(error.code == .unknownConfiguration && error.number == 136008)
      #expect(error.suggestions == ["Staff"] && error.remedy.contains("Staff, Sales, Part"))
    }
    #expect(code { _ = try open("Stuff", model: try Self.model()) } == .unknownConfiguration)
    #expect(try folder.state().isEmpty)
  }

  @Test("STO-128: a part of a tree lies in the root's table with the columns of its ancestors")
  func partOfTree() throws {
    let context = try create("Part")
    let department = try context.insert("Department", ["name": "D"])
    for name in ["Ada", "Bob"] { try context.insert("Employee", ["name": name, "department": department]) }
    try context.save()
    try context.insert("Employee", ["name": "Cy"])
    try context.save()
    context.reset()
    #expect(
      try rows("SELECT Z_ENT || ' ' || Z_NAME || ' ' || Z_SUPER || ' ' || Z_MAX FROM Z_PRIMARYKEY") == [
        "1 Department 0 1", "2 Employee 0 3",
      ])
    let columns = try rows("SELECT name FROM pragma_table_info('ZPERSON')")
    #expect(Set(columns) == ["Z_PK", "Z_ENT", "Z_OPT", "ZDEPARTMENT", "ZNAME", "ZEMPLOYEE"])
    #expect(
      try context.all("Person", sort: ["name"]).map(\.entity.name) == ["Employee", "Employee", "Employee"])
    #expect(try context.all("Department")[0].objects(forKey: "staff").count == 2)
    #expect(try context.all("Person", "entity.name == 'Employee'").count == 3)
    var narrow = FetchRequest(entityName: "Person")
    narrow.includesSubentities = false
    #expect(try context.fetch(narrow).isEmpty && context.count(for: narrow) == 0)
    #expect(try context.all("Guest").isEmpty)
    try context.insert("Person", ["name": "P"])
    #expect(code { try context.save() } == .noStoreForObject)
    context.coordinator.close()
    try check()
  }

  @Test("MDL-254: a configuration of all entities makes the store that no configuration makes, name aside")
  func all() throws {
    let model = try Self.model {
      $0.configurations.append(ConfigurationDefinition("All", entities: $0.entities.map(\.name)))
    }
    try create("All", model: model).coordinator.close()
    let configured = try rows("SELECT sql FROM sqlite_schema ORDER BY name")
    try FileManager.default.removeItem(atPath: path)
    try create(nil, model: model).coordinator.close()
    #expect(try rows("SELECT sql FROM sqlite_schema ORDER BY name") == configured)
    #expect(try open("All", model: model).coordinator.storeConfiguration == "All")
  }
}
