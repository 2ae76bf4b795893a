import Foundation
import Testing

@testable import GraphStore

/// Inferred steps by statements over sets and object by object, which give stores of equal content.
struct BothWaysTests {
  /// A change of the model that is inferred.
  enum Change: String, CaseIterable {
    case added, removed, renamedAttribute, renamedEntity, ordered, unordered, toMany, removedEntity,
      inverseAdded
    case movedUp, mandatory, widened, newParent, constraint

    /// The models before and after.
    var models: (old: ModelDefinition, new: ModelDefinition) {
      var (old, new) = (TestModels.company(), TestModels.company())
      func edit(_ name: String, _ body: (inout EntityDefinition) -> Void) {
        for index in new.entities.indices where new.entities[index].name == name {
          body(&new.entities[index])
        }
      }
      switch self {
      case .added:
        edit("Employee") {
          $0.attributes.append(AttributeDefinition("grade", .int16, isOptional: false, defaultValue: 7))
          $0.relationships.append(RelationshipDefinition("mentor", to: "Employee"))
        }
      case .removed:
        edit("Employee") { entity in
          entity.attributes.removeAll { $0.name == "salary" }
          entity.relationships.removeAll { $0.name == "friends" || $0.name == "spouse" }
        }
      case .renamedAttribute:
        edit("Employee") {
          $0.attributes[0].name = "fullName"
          $0.attributes[0].renamingIdentifier = "name"
        }
      case .renamedEntity:
        edit("Desk") {
          $0.name = "Table"
          $0.renamingIdentifier = "Desk"
        }
        edit("Employee") { entity in
          for index in entity.relationships.indices where entity.relationships[index].destination == "Desk" {
            entity.relationships[index].destination = "Table"
          }
        }
      case .ordered: new = TestModels.company(isOrdered: true)
      case .unordered: old = TestModels.company(isOrdered: true)
      case .toMany:
        edit("Employee") { entity in
          for index in entity.relationships.indices where entity.relationships[index].name == "department" {
            entity.relationships[index].isToMany = true
          }
        }
      case .removedEntity:
        new.entities.removeAll { $0.name == "Project" }
        edit("Employee") { entity in entity.relationships.removeAll { $0.name == "projects" } }
      case .inverseAdded:
        for index in old.entities.indices where old.entities[index].name == "Employee" {
          old.entities[index].relationships.append(RelationshipDefinition("office", to: "Desk"))
        }
        edit("Employee") {
          $0.relationships.append(RelationshipDefinition("office", to: "Desk", inverse: "users"))
        }
        edit("Desk") {
          $0.relationships.append(
            RelationshipDefinition("users", to: "Employee", inverse: "office", isToMany: true))
        }
      case .movedUp:
        edit("Manager") { $0.attributes = [] }
        edit("Employee") { $0.attributes.append(AttributeDefinition("budget", .decimal)) }
      case .mandatory:
        edit("Employee") {
          $0.attributes[1] = AttributeDefinition("salary", .int64, isOptional: false, defaultValue: 12)
        }
      case .widened:
        edit("Employee") { $0.attributes[1] = AttributeDefinition("salary", .decimal) }
      case .newParent:
        new.entities.append(EntityDefinition("Thing", isAbstract: true))
        edit("Desk") { $0.parent = "Thing" }
      case .constraint:
        edit("Desk") { $0.uniquenessConstraints = [["name"]] }
      }
      return (old, new)
    }
  }

  /// A random company, with everything that the entities have.
  static func fill(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
    func few<Element>(_ elements: [Element]) -> [Element] {
      elements.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }.shuffled(using: &random)
    }
    let departments = try (0..<4).map { try context.insert("Department", ["name": "d\($0)"]) }
    let employees = try (0..<25).map { index in
      let employee = try context.insert(index % 5 == 0 ? "Manager" : "Employee", ["name": "e\(index)"])
      if index % 3 != 0 { try employee.setValue(Int64(index - 12), forKey: "salary") }
      if index % 5 == 0 { try employee.setValue(Decimal(index) / 4, forKey: "budget") }
      return employee
    }
    let desks = try (0..<6).map { try context.insert("Desk", ["name": "k\($0)"]) }
    for employee in employees {
      try employee.setValue(departments.randomElement(using: &random), forKey: "department")
      try employee.setValue(few(employees).first, forKey: "manager")
      try employee.addObjects(few(employees), forKey: "friends")
      if employee.entity.relationship(named: "office") != nil {
        try employee.setValue(few(desks).first, forKey: "office")
      }
    }
    for (desk, employee) in zip(desks, employees.shuffled(using: &random)) {
      try desk.setValue(employee, forKey: "owner")
    }
    for pair in stride(from: 0, to: 10, by: 2) {
      try employees[pair].setValue(employees[pair + 1], forKey: "spouse")
    }
    for index in 0..<3 {
      try context.insert("Project", ["name": "p\(index)"]).setValue(few(employees), forKey: "members")
    }
    for department in departments where try department.relationship(forKey: "employees").isOrdered {
      try department.setValue(
        department.objects(forKey: "employees").shuffled(using: &random), forKey: "employees")
    }
  }

  /// Everything that a store holds, as lines.
  static func content(_ path: String, _ model: ManagedObjectModel) throws -> [String] {
    let coordinator = try PersistentStoreCoordinator.open(storeAt: path, model: model)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    return try model.entities.filter { $0.superentity == nil }.flatMap { root in
      try context.all(root.name, sort: ["objectID"]).flatMap { object in
        try object.entity.properties.compactMap { property -> String? in
          let head = "\(object.objectID.shortForm).\(property.name)"
          if let relationship = property as? RelationshipDescription {
            let ids = try object.objectIDs(forRelationshipNamed: property.name).map(\.shortForm)
            return "\(head): \((relationship.isOrdered ? ids : ids.sorted()).joined(separator: " "))"
          }
          return "\(head) = \(try object._operand(forKey: _PropertyKey(property.name)).value.shownText)"
        }
      }
    }
  }

  @Test(
    "MIG-216: both ways give stores of equal content", arguments: Change.allCases,
    TestSeed.sequence(1, from: 216))
  func equalContent(change: Change, seed: TestSeed) throws {
    var random = seed.generator
    let (old, new) = change.models
    let migration = try ObjectMigration(from: old, to: new) { try Self.fill($0, &random) }
    let plan = try MigrationPlan(
      fromStoreAt: migration.source.path, to: ModelVersion(migration.destinationModel))
    #expect(plan.steps.map(\.kind) == [.inferred])
    let contents = try [true, false].map { isBySets in
      var options = MigrationOptions()
      options.usesStoreSpecificMigrationManager = isBySets
      options.batchSize = 7
      options.output = migration.folder.appending(path: isBySets ? "sets.db" : "objects.db").path
      _ = try StoreMigration(plan, options: options).run()
      return try Self.content(options.output ?? "", migration.destinationModel)
    }
    #expect(contents[0].count > 100)
    let differences = Set(contents[0]).symmetricDifference(contents[1]).sorted()
    #expect(differences.isEmpty, "\(differences.prefix(10))")
  }

  /// A policy that leaves everything to the base version.
  final class BasePolicy: EntityMigrationPolicy {}

  @Test(
    "MIG-186: the base policy, over objects, makes what is made without one", arguments: Change.allCases,
    TestSeed.sequence(1, from: 186))
  func basePolicy(change: Change, seed: TestSeed) throws {
    EntityMigrationPolicy.register(BasePolicy.self, named: "BasePolicy")
    var random = seed.generator
    let (old, new) = change.models
    let migration = try ObjectMigration(from: old, to: new) { try Self.fill($0, &random) }
    let inferred = try CheckedMapping(
      mapping: nil, from: migration.sourceModel, to: migration.destinationModel)
    let contents = try [nil, "BasePolicy"].map { policy in
      let manager = MigrationManager(
        sourceModel: migration.sourceModel, destinationModel: migration.destinationModel)
      manager.batchSize = 6
      let mappings = inferred.entityMappings.compactMap { mapping -> EntityMapping? in
        guard let source = mapping.source, let destination = mapping.destination else { return nil }
        return EntityMapping(from: source.name, to: destination.name, policyName: policy)
      }
      let url = migration.folder.appending(path: "\(policy ?? "none").db")
      try manager.migrateStore(
        from: migration.source, mapping: MappingModel(entityMappings: mappings), to: url)
      return try Self.content(url.path, migration.destinationModel)
    }
    let differences = Set(contents[0]).symmetricDifference(contents[1]).sorted()
    #expect(contents[0].count > 100 && differences.isEmpty, "\(differences.prefix(10))")
  }
}
