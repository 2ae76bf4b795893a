import Foundation
import Testing

@testable import GraphStore

/// Inferred mappings carried out object by object.
struct InferredObjectMigrationTests {
  private static func added(to model: ModelDefinition) -> ModelDefinition {
    var model = model
    for index in model.entities.indices where model.entities[index].parent == nil {
      model.entities[index].attributes.append(
        AttributeDefinition("added", .string, isOptional: false, defaultValue: "new"))
    }
    return model
  }

  @Test("MIG-219, MIG-217, MIG-075: values of every type come out as they went in, under the same keys")
  func values() throws {
    var old = TestModels.types
    old.entities[0].attributes.append(AttributeDefinition("photo", .binary, externalStorage: true))
    let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let moment = Date(timeIntervalSinceReferenceDate: 700_000_000.000_000_1)
    let digits = try #require(Decimal(string: "12345678901234567890.123456789"))
    let migration = try ObjectMigration(from: old, to: Self.added(to: old)) { context in
      try context.insert(
        "Thing",
        [
          "small": -32768, "medium": 2_147_483_647, "large": Int64.min, "money": digits, "ratio": -0.0,
          "single": Float(1.1), "text": "ä\u{0}z", "flag": true, "moment": moment,
          "tag": UUID(uuidString: "00000000-0000-0000-0000-0000000000FF") ?? UUID(),
          "link": URL(string: "https://a.example/?q=1") ?? URL(fileURLWithPath: "/"),
          "bytes": Data([0, 255]),
          "photo": large,
        ])
      try context.insert("Thing", ["money": Decimal(string: "0.1") ?? 0, "text": "", "bytes": Data()])
      let gone = try context.insert(entityNamed: "Thing")
      try context.save()
      try context.delete(gone)
      try context.insert("Thing", ["money": Decimal(7), "photo": Data([1])])
    }
    migration.manager.batchSize = 2
    let new = try migration.migrate()
    let before = try migration.open(migration.source).all("Thing", sort: ["objectID"])
    let after = try new.all("Thing", sort: ["objectID"])
    #expect(after.map(\.objectID.key) == [1, 2, 4])
    #expect(before.map(\.objectID.key) == [1, 2, 4])
    for (old, new) in zip(before, after) {
      for property in old.entity.attributes {
        let values = try (old.attributeValue(property.name), new.attributeValue(property.name))
        #expect(values.0 == values.1, "\(property.name) of \(old.objectID.shortForm)")
      }
      #expect(try new.string("added") == "new")
    }
    // Keys that were ever given are not given again.
    let added = try new.insert("Thing", ["added": "x"])
    try new.save()
    #expect(added.objectID.key > 4)
  }

  /// Links of all objects as text.
  private static func links(_ context: ManagedObjectContext) throws -> [String] {
    try ["Department", "Employee", "Project", "Desk"].flatMap { try context.all($0, sort: ["objectID"]) }
      .flatMap {
        object in
        try object.entity.relationships.map { relationship in
          let ids = try object.objectIDs(forRelationshipNamed: relationship.name).map(\.shortForm)
          return "\(object.objectID.shortForm).\(relationship.name): "
            + (relationship.isOrdered ? ids : ids.sorted()).joined(separator: " ")
        }
      }
  }

  private static func fillCompany(_ context: ManagedObjectContext) throws {
    let departments = try (0..<3).map { try context.insert("Department", ["name": "d\($0)"]) }
    let employees = try (0..<11).map { index in
      try context.insert(index % 4 == 0 ? "Manager" : "Employee", ["name": "e\(index)", "salary": index])
    }
    let projects = try (0..<2).map { try context.insert("Project", ["name": "p\($0)"]) }
    for (index, employee) in employees.enumerated() where index > 0 {
      try employee.setValue(departments[index % 3], forKey: "department")
      try employee.setValue(employees[index / 2], forKey: "manager")
      try employee.addObjects([employees[(index + 3) % 11]], forKey: "friends")
    }
    try employees[1].setValue(employees[2], forKey: "spouse")
    let desk = try context.insert("Desk", ["name": "desk"])
    try employees[5].setValue(desk, forKey: "desk")
    try projects[0].setValue(Array(employees.reversed()), forKey: "members")
    try projects[1].setValue([employees[3], employees[9], employees[1]], forKey: "members")
    let listed = [10, 1, 7, 4].map { employees[$0] }
    if try departments[1].relationship(forKey: "employees").isOrdered {
      try departments[1].setValue(listed, forKey: "employees")
    } else {
      try departments[1].setValue(Set(listed), forKey: "employees")
    }
  }

  @Test(
    "MIG-177, MIG-213, MIG-219: links of every shape and their order stay, whatever the batches",
    arguments: [2, 1000])
  func links(batchSize: Int) throws {
    let old = TestModels.company(isOrdered: true)
    let migration = try ObjectMigration(from: old, to: Self.added(to: old), Self.fillCompany)
    migration.manager.batchSize = batchSize
    let after = try Self.links(migration.migrate())
    #expect(try after == Self.links(migration.open(migration.source)))
    #expect(after.contains { $0.hasPrefix("Project/p1.members: Employee/p11") })
  }

  @Test("MIG-202: objects go from a store in memory to one in memory")
  func memory() throws {
    let old = TestModels.company()
    let (sourceModel, destinationModel) = try (
      ManagedObjectModel(old), ManagedObjectModel(Self.added(to: old))
    )
    let source = try PersistentStoreCoordinator.inMemory(model: sourceModel)
    let destination = try PersistentStoreCoordinator.inMemory(model: destinationModel)
    defer {
      source.close()
      destination.close()
    }
    let filled = ManagedObjectContext(coordinator: source)
    try Self.fillCompany(filled)
    try filled.save()
    let manager = MigrationManager(sourceModel: sourceModel, destinationModel: destinationModel)
    try manager.migrate(from: source, to: destination)
    let result = ManagedObjectContext(coordinator: destination)
    #expect(try Self.links(result) == Self.links(filled))
    #expect(try result.all("Employee").allSatisfy { try $0.string("added") == "new" })
    #expect(manager.migrationProgress == 1)
  }

  @Test("MIG-273: the user's metadata go with the objects")
  func metadata() throws {
    let old = TestModels.company()
    let migration = try ObjectMigration(from: old, to: Self.added(to: old))
    try PersistentStoreCoordinator.changeMetadata(["note": .string("kept")], at: migration.source.path)
    try migration.run()
    let metadata = try PersistentStoreCoordinator.metadataForPersistentStore(at: migration.destination)
    #expect(metadata["note"] == .string("kept"))
  }

  // MARK: Data checks

  private static func numbers(_ type: AttributeType, isOptional: Bool = true, unique: Bool = false)
    -> ModelDefinition
  {
    ModelDefinition(
      name: "Numbers",
      entities: [
        EntityDefinition(
          "Item", attributes: [AttributeDefinition("number", type, isOptional: isOptional)],
          uniquenessConstraints: unique ? [["number"]] : [])
      ])
  }

  @Test(
    "MIG-080, MIG-121, MIG-122: a number that does not convert is refused with its count and ten examples")
  func inexact() throws {
    let migration = try ObjectMigration(from: Self.numbers(.int64), to: Self.numbers(.int16)) { context in
      for number in [300, 70_000] + Array(100_000..<100_020) {
        try context.insert("Item", ["number": number])
      }
    }
    let error = try #require(try migration.failure())
    #expect(error.code == .migrationConstraint)
    #expect(error.number == 134_111)
    #expect(error.message.contains("21 objects"))
    #expect(error.details.count == 11)
    #expect(error.details[0].hasSuffix("Item/p2: 70000"))
    #expect(migration.names == ["old.db"], "MIG-210: the failed destination is removed")
    // MIG-123: rounding does not help what is out of range.
    migration.manager.allowsInexactConversion = true
    #expect(try migration.failure()?.code == .migrationConstraint)
  }

  @Test("MIG-123: inexact numbers are rounded to nearest where that is allowed")
  func rounding() throws {
    let migration = try ObjectMigration(from: Self.numbers(.double), to: Self.numbers(.int32)) { context in
      for number in [1.0, 2.6, -7.4] { try context.insert("Item", ["number": number]) }
    }
    #expect(try migration.failure()?.message.contains("2 objects") == true)
    migration.manager.allowsInexactConversion = true
    let values = try migration.migrate().all("Item", sort: ["objectID"]).map {
      try $0.attributeValue("number")
    }
    #expect(values == [.int(1), .int(3), .int(-7)])
  }

  @Test("MIG-092, MIG-121: duplicates under a new constraint are counted")
  func duplicates() throws {
    let migration = try ObjectMigration(from: Self.numbers(.int64), to: Self.numbers(.int64, unique: true)) {
      context in
      for number in [1, 2, 1, 3, 2, 1] { try context.insert("Item", ["number": number]) }
    }
    let error = try #require(try migration.failure())
    #expect(error.code == .migrationConstraint)
    #expect(error.message.contains("3 objects"))
    #expect(error.details.map { $0.suffix(7) } == ["Item/p3", "Item/p5", "Item/p6"])
  }

  @Test(
    "MIG-104, MIG-121: values that are missing where they became mandatory are found, if the data are to decide"
  )
  func missingValues() throws {
    let migration = try ObjectMigration(
      from: Self.numbers(.int64), to: Self.numbers(.int64, isOptional: false)
    ) {
      try $0.insert("Item", ["number": 1])
      try $0.insert("Item", [:])
    }
    let checked = try CheckedMapping(
      mapping: nil, from: migration.sourceModel, to: migration.destinationModel, allowsMissingValues: true)
    do {
      try migration.manager.migrateStore(
        at: migration.source.path, parts: [checked], to: migration.destination.path)
      Issue.record("a missing value was taken")
    } catch let error as GraphStoreError {
      #expect(error.code == .migrationConstraint)
      #expect(
        error.details == [
          try migration.open(migration.source).all("Item", "number == nil")[0].objectID.shortForm
        ])
    }
  }

  private static func teams(isToMany: Bool) -> ModelDefinition {
    ModelDefinition(
      name: "Teams",
      entities: [
        EntityDefinition(
          "Team", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("leads", to: "Person", inverse: "leading", isToMany: isToMany)
          ]),
        EntityDefinition(
          "Person", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("leading", to: "Team", inverse: "leads")]),
      ])
  }

  @Test("MIG-082, MIG-123: several members of what becomes to-one are refused, or the first is kept")
  func severalMembers() throws {
    let migration = try ObjectMigration(from: Self.teams(isToMany: true), to: Self.teams(isToMany: false)) {
      context in
      let people = try ["a", "b", "c"].map { try context.insert("Person", ["name": $0]) }
      try context.insert("Team", ["name": "one"]).setValue(Set(people[1...]), forKey: "leads")
      try context.insert("Team", ["name": "two"]).setValue(Set(people[..<1]), forKey: "leads")
    }
    let error = try #require(try migration.failure())
    #expect(error.code == .migrationConstraint)
    #expect(error.property == "leads" || error.property == "leading")
    migration.manager.allowsInexactConversion = true
    let context = try migration.migrate()
    let teams = try context.all("Team", sort: ["name"])
    #expect(try teams.map { try $0.object(forKey: "leads")?.string("name") } == ["b", "a"])
    #expect(try context.all("Person", "leading == nil").map { try $0.string("name") } == ["c"])
  }

  @Test("MIG-090, MIG-121: objects of an entity that is abstract now are refused")
  func abstract() throws {
    let migration = try ObjectMigration(
      from: ModelDefinition(
        name: "M", entities: [EntityDefinition("Animal"), EntityDefinition("Dog", parent: "Animal")]),
      to: ModelDefinition(
        name: "M",
        entities: [EntityDefinition("Animal", isAbstract: true), EntityDefinition("Dog", parent: "Animal")])
    ) { context in
      try context.insert(entityNamed: "Dog")
      try context.insert(entityNamed: "Animal")
    }
    let error = try #require(try migration.failure())
    #expect(error.code == .migrationConstraint)
    #expect(error.details.count == 1)
  }
}

extension ManagedObject {
  /// The value of an attribute as predicates see it.
  fileprivate func attributeValue(_ key: String) throws -> Value {
    try _operand(forKey: _PropertyKey(key)).value
  }
}
