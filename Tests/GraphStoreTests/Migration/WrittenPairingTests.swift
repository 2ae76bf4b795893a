import Foundation
import Synchronization
import Testing

@testable import GraphStore

/// Written mappings that statements over sets follow, which give what the way by objects gives.
struct WrittenPairingTests {
  /// A change of the company, and what somebody wrote for it.
  enum Change: String, CaseIterable {
    case copied, split, manyOfOne, renamed, constant, stated, oneToOne, converted, mandatory, unique, left

    /// The model afterwards.
    var model: ModelDefinition {
      var model = TestModels.company()
      func edit(_ name: String, _ body: (inout EntityDefinition) -> Void) {
        for index in model.entities.indices where model.entities[index].name == name {
          body(&model.entities[index])
        }
      }
      switch self {
      case .copied, .left, .renamed, .stated: break
      case .split, .manyOfOne:
        edit("Desk") {
          $0.attributes = []
          $0.relationships.append(
            RelationshipDefinition("label", to: "Label", inverse: "desk", isToMany: self == .manyOfOne))
        }
        model.entities.append(
          EntityDefinition(
            "Label", attributes: [AttributeDefinition("name", .string)],
            relationships: [RelationshipDefinition("desk", to: "Desk", inverse: "label")]))
      case .constant:
        edit("Desk") { $0.attributes.append(AttributeDefinition("legs", .decimal, isOptional: false)) }
      case .oneToOne:
        edit("Employee") { entity in
          for index in entity.relationships.indices where entity.relationships[index].name == "desk" {
            entity.relationships[index].name = "place"
          }
        }
        edit("Desk") { $0.relationships[0].inverse = "place" }
      case .converted: edit("Employee") { $0.attributes[1] = AttributeDefinition("salary", .decimal) }
      case .mandatory:
        edit("Employee") {
          $0.attributes[1] = AttributeDefinition("salary", .int64, isOptional: false, defaultValue: 9)
        }
      case .unique: edit("Desk") { $0.uniquenessConstraints = [["name"]] }
      }
      if self == .renamed { edit("Desk") { $0.attributes.append(AttributeDefinition("label", .string)) } }
      if self == .left { model.entities.removeAll { $0.name == "Project" } }
      if self == .left { edit("Employee") { $0.relationships.removeAll { $0.name == "projects" } } }
      return model
    }

    func mappings() throws -> [EntityMapping] {
      switch self {
      case .copied, .converted, .mandatory, .unique, .left:
        [EntityMapping(from: "Employee", to: "Employee")]
      case .split, .manyOfOne:
        [
          EntityMapping(
            from: "Desk", to: "Desk",
            relationshipMappings: [try .members("label", of: "DeskToLabel", from: "$source")]),
          EntityMapping(from: "Desk", to: "Label"),
        ]
      case .renamed:
        [EntityMapping(from: "Desk", to: "Desk", attributeMappings: [try .value("label", "$source.name")])]
      case .constant:
        [EntityMapping(from: "Desk", to: "Desk", attributeMappings: [try .value("legs", "4")])]
      case .stated:
        [
          EntityMapping(
            from: "Employee", to: "Employee",
            relationshipMappings: [
              try .members("department", of: "DepartmentToDepartment", from: "$source.department")
            ])
        ]
      case .oneToOne:
        try ["Employee", "Manager"].map {
          EntityMapping(
            from: $0, to: $0,
            relationshipMappings: [try .members("place", of: "DeskToDesk", from: "$source.desk")])
        } + [EntityMapping(from: "Desk", to: "Desk")]
      }
    }
  }

  private static func migration(
    _ new: ModelDefinition, _ mappings: [EntityMapping], seed: TestSeed
  ) throws -> (ObjectMigration, MigrationStep) {
    var random = seed.generator
    let migration = try ObjectMigration(from: TestModels.company(), to: new) {
      try BothWaysTests.fill($0, &random)
    }
    let step = try MigrationStep(
      from: ModelVersion(migration.sourceModel), to: ModelVersion(migration.destinationModel),
      written: [MappingModel(entityMappings: mappings)])
    return (migration, step)
  }

  private static func migrate(
    _ migration: ObjectMigration, _ step: MigrationStep, bySets: Bool
  ) throws -> [String] {
    var options = MigrationOptions()
    options.usesStoreSpecificMigrationManager = bySets
    options.batchSize = 7
    options.output = migration.folder.appending(path: "\(UUID().uuidString).db").path
    let plan = try MigrationPlan(fromStoreAt: migration.source.path, steps: [step])
    _ = try StoreMigration(plan, options: options).run()
    return try BothWaysTests.content(options.output ?? "", migration.destinationModel)
  }

  @Test(
    "MIG-216, MIG-161, MIG-168, MIG-177: statements over sets give what the way by objects gives",
    arguments: Change.allCases, TestSeed.sequence(1, from: 216))
  func equalContent(change: Change, seed: TestSeed) throws {
    let (migration, step) = try Self.migration(change.model, change.mappings(), seed: seed)
    #expect(WrittenPairing(step.mappings) != nil)
    let contents = try [true, false].map { try Self.migrate(migration, step, bySets: $0) }
    #expect(contents[0].count > 100)
    let differences = Set(contents[0]).symmetricDifference(contents[1]).sorted()
    #expect(differences.isEmpty, "\(differences.prefix(10))")
  }

  /// What statements over sets cannot follow.
  enum Exception: String, CaseIterable {
    case filter, policy, expression, rule, sameTree, severalSources, ofManagersAlone, several, noMember

    func edit(_ model: inout ModelDefinition) {
      let employee = model.entities.firstIndex { $0.name == "Employee" } ?? 0
      switch self {
      case .rule: model.entities[employee].attributes[0].maxLength = 100
      case .ofManagersAlone:
        for index in model.entities[employee].relationships.indices
        where model.entities[employee].relationships[index].name == "desk" {
          model.entities[employee].relationships[index].name = "place"
        }
        let desk = model.entities.firstIndex { $0.name == "Desk" } ?? 0
        model.entities[desk].relationships[0].inverse = "place"
      case .noMember: model.entities[employee].relationships[0].isOptional = false
      default: break
      }
    }

    func mappings() throws -> [EntityMapping] {
      switch self {
      case .filter:
        [EntityMapping(from: "Desk", to: "Desk", filter: try QueryPredicate(parsing: "name != 'k1'"))]
      case .policy:
        [EntityMapping(from: "Desk", to: "Desk", policyName: "BasePolicy")]
      case .expression:
        [
          EntityMapping(
            from: "Desk", to: "Desk", attributeMappings: [try .value("name", "$source.owner.name")])
        ]
      case .rule, .noMember: [EntityMapping(from: "Desk", to: "Desk")]
      case .sameTree:
        [EntityMapping(from: "Employee", to: "Employee"), EntityMapping(from: "Employee", to: "Manager")]
      case .severalSources:
        [EntityMapping(from: "Manager", to: "Employee"), EntityMapping(from: "Employee", to: "Employee")]
      case .ofManagersAlone:
        [
          EntityMapping(
            from: "Manager", to: "Manager",
            relationshipMappings: [try .members("place", of: "DeskToDesk", from: "$source.desk")]),
          EntityMapping(from: "Desk", to: "Desk"),
        ]
      case .several:
        [
          EntityMapping(
            from: "Employee", to: "Employee",
            relationshipMappings: [
              try .members("manager", of: "EmployeeToEmployee", from: "$source.manager.manager")
            ])
        ]
      }
    }
  }

  @Test(
    "MIG-157, MIG-163, MIG-214: what asks for more goes object by object, with equal results and errors",
    arguments: Exception.allCases, TestSeed.sequence(1, from: 217))
  func exceptions(exception: Exception, seed: TestSeed) throws {
    EntityMigrationPolicy.register(BothWaysTests.BasePolicy.self, named: "BasePolicy")
    var model = TestModels.company()
    exception.edit(&model)
    let (migration, step) = try Self.migration(model, exception.mappings(), seed: seed)
    #expect((WrittenPairing(step.mappings) == nil) == (exception != .noMember))
    let outcomes = [true, false].map { bySets -> Result<[String], GraphStoreError> in
      do { return .success(try Self.migrate(migration, step, bySets: bySets)) } catch let error
        as GraphStoreError
      {
        return .failure(error)
      } catch {
        return .failure(GraphStoreError(.migrationFailed, "\(error)", remedy: ""))
      }
    }
    switch (outcomes[0], outcomes[1]) {
    case (.success(let left), .success(let right)): #expect(left == right)
    case (.failure(let left), .failure(let right)):
      #expect(left.code == right.code && left.message == right.message)
      #expect([.noMember, .sameTree].contains(exception), "\(left)")
    default: Issue.record("\(outcomes)")
    }
  }

  @Test("MIG-216: how many statements run depends on the models, not on the objects")
  func statements() throws {
    let counts = try [1, 30].map { count in
      let migration = try ObjectMigration(from: TestModels.company(), to: Change.split.model) { context in
        for index in 0..<count { try context.insert("Desk", ["name": "k\(index)"]) }
      }
      let step = try MigrationStep(
        from: ModelVersion(migration.sourceModel), to: ModelVersion(migration.destinationModel),
        written: [MappingModel(entityMappings: Change.split.mappings())])
      var options = MigrationOptions()
      options.output = migration.folder.appending(path: "output.db").path
      let lines = Mutex(0)
      options.log = MigrationLog(level: .statements) { _ in lines.withLock { $0 += 1 } }
      let plan = try MigrationPlan(fromStoreAt: migration.source.path, steps: [step])
      _ = try StoreMigration(plan, options: options).run()
      return lines.withLock { $0 }
    }
    #expect(counts[0] == counts[1] && counts[0] > 10)
  }
}
