import Foundation
import Testing

@testable import GraphStore

/// Entity migration policies.
struct MigrationPolicyTests {
  private static func numbered() throws -> ObjectMigration {
    let migration = try ObjectMigration(from: MoodModels.numbered, to: MoodModels.continents) { context in
      for (index, code) in [150, 142, nil, 150, 2, 150, nil].enumerated() {
        let country = try context.insert("Country", ["name": "c\(index)"])
        if let code { try country.setValue(code, forKey: "isoContinent") }
        try context.insert("Mood", ["text": "m\(index)"]).setValue(country, forKey: "country")
      }
    }
    migration.manager.batchSize = 2
    return migration
  }

  private static func country(_ policy: String) -> EntityMapping {
    EntityMapping(from: "Country", to: "Country", policyName: policy)
  }

  @Test(
    "MIG-196, MIG-188, MIG-194, MIG-207: a policy finds or makes one continent for each code and links it")
  func continents() throws {
    EntityMigrationPolicy.register(MoodModels.ContinentPolicy.self, named: "Continents")
    let migration = try Self.numbered()
    let context = try migration.migrate([Self.country("Continents")])
    let continents = try context.all("Continent", sort: ["numericISO3166Code"])
    #expect(try continents.map { try $0.value(forKey: "numericISO3166Code") as? Int16 } == [2, 142, 150])
    #expect(
      try continents.map { try $0.names("countries").sorted() } == [["c4"], ["c1"], ["c0", "c3", "c5"]])
    #expect(
      try context.all("Country", "continent == nil", sort: ["name"]).map { try $0.string("name") } == [
        "c2", "c6",
      ])
    #expect(try context.all("Mood", "country.name == \"c5\"").map { try $0.string("text") } == ["m5"])
  }

  /// Notes its calls.
  final class Recorder: EntityMigrationPolicy {
    private func note(_ text: String, _ manager: MigrationManager) {
      manager.userInfo["calls"] = (manager.userInfo["calls"] as? [String] ?? []) + [text]
    }

    private var calls = 0

    override func begin(_ mapping: CheckedEntityMapping, with manager: MigrationManager) throws {
      note("begin \(mapping.name)", manager)
      #expect(calls == 0, "MIG-182: one policy for each entity mapping")
      calls += 1
      #expect(try manager.currentEntityMapping?.name == mapping.name)
    }

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: CheckedEntityMapping, manager: MigrationManager
    ) throws {
      note("create", manager)
      #expect(type(of: source) == ManagedObject.self, "MIG-191")
      #expect(calls == 1, "MIG-182: it gets all calls")
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
    }

    override func endInstanceCreation(forMapping mapping: CheckedEntityMapping, manager: MigrationManager)
      throws
    {
      note("created \(mapping.name)", manager)
    }

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: CheckedEntityMapping, manager: MigrationManager
    ) throws {
      note("relate", manager)
      try super.createRelationships(forDestination: destination, in: mapping, manager: manager)
    }

    override func endRelationshipCreation(forMapping mapping: CheckedEntityMapping, manager: MigrationManager)
      throws
    {
      note("related \(mapping.name)", manager)
    }

    override func performCustomValidation(forMapping mapping: CheckedEntityMapping, manager: MigrationManager)
      throws
    {
      note("validate \(mapping.name)", manager)
    }

    override func end(_ mapping: CheckedEntityMapping, manager: MigrationManager) throws {
      note("end \(mapping.name)", manager)
      manager.userInfo["saved"] = try manager.destinationContext.count(
        for: FetchRequest(entityName: "Country"))
    }
  }

  @Test(
    "MIG-183, MIG-184, MIG-185, MIG-159, MIG-212: hooks run pass by pass in the order of the mappings, for empty ones too"
  )
  func order() throws {
    EntityMigrationPolicy.register(Recorder.self, named: "Recorder")
    let migration = try ObjectMigration(from: MoodModels.numbered, to: MoodModels.continents) { context in
      for name in ["a", "b"] { try context.insert("Country", ["name": name]) }
    }
    try migration.run([
      EntityMapping("Moods", from: "Mood", to: "Mood", policyName: "Recorder"),
      EntityMapping("Countries", from: "Country", to: "Country", policyName: "Recorder"),
      EntityMapping("Continents", from: nil, to: "Continent", policyName: "Recorder"),
    ])
    #expect(
      migration.manager.userInfo["calls"] as? [String] == [
        "begin Moods", "created Moods", "begin Countries", "create", "create", "created Countries",
        "begin Continents", "created Continents", "related Moods", "relate", "relate", "related Countries",
        "related Continents", "validate Moods", "validate Countries", "validate Continents", "end Moods",
        "end Countries", "end Continents",
      ])
    #expect(migration.manager.userInfo["saved"] as? Int == 2)
    try migration.manager.reset()
    #expect(migration.manager.userInfo.isEmpty, "MIG-208")
  }

  @Test("MIG-181: an unregistered policy is refused with near names before any file is made")
  func unregistered() throws {
    EntityMigrationPolicy.register(Recorder.self, named: "RecorderOfCalls")
    let migration = try Self.numbered()
    let error = try #require(try migration.failure([Self.country("RecorderOfCall")]))
    #expect(error.code == .migrationPolicy && error.number == 134_170)
    #expect(error.suggestions == ["RecorderOfCalls"])
    #expect(migration.names == ["old.db"])
  }

  /// Makes objects of its own, and gives what is mandatory only when all are related.
  final class Late: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: CheckedEntityMapping, manager: MigrationManager
    ) throws {
      let item = try manager.destinationContext.insert("Item", [:])
      #expect(type(of: item) == ManagedObject.self)
      #expect(try item.value(forKey: "count") as? Int64 == 7)
      try manager.associate(sourceInstance: source, withDestinationInstance: item, for: mapping)
    }

    override func endRelationshipCreation(forMapping mapping: CheckedEntityMapping, manager: MigrationManager)
      throws
    {
      let name = mapping.name
      for item in try manager.destinationInstances(forEntityMappingName: name, sourceInstances: nil) {
        try item.setValue("late", forKey: "name")
      }
    }
  }

  @Test(
    "MIG-192, MIG-211: new objects have the defaults of their entity, are plain, and are not validated before the end"
  )
  func defaults() throws {
    EntityMigrationPolicy.register(Late.self, named: "Late")
    let old = ModelDefinition.of(EntityDefinition("Item", attributes: [AttributeDefinition("name", .string)]))
    let new = ModelDefinition.of(
      EntityDefinition(
        "Item", className: "NoSuchClass",
        attributes: [
          AttributeDefinition("name", .string, isOptional: false),
          AttributeDefinition("count", .int64, isOptional: false, defaultValue: 7),
        ]))
    let migration = try ObjectMigration(from: old, to: new) { context in
      for _ in 0..<3 { try context.insert("Item", [:]) }
    }
    let mapping = EntityMapping(
      from: "Item", to: "Item", policyName: "Late", attributeMappings: [PropertyMapping("name", .none)])
    let context = try migration.migrate([mapping])
    #expect(try context.all("Item", "name == \"late\" AND count == 7").count == 3)
  }

  /// Fails at its second object.
  final class Failing: EntityMigrationPolicy {
    struct Reason: Error {}

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: CheckedEntityMapping, manager: MigrationManager
    ) throws {
      manager.userInfo["count"] = (manager.userInfo["count"] as? Int ?? 0) + 1
      if manager.userInfo["count"] as? Int == 2 { throw Reason() }
    }

    override func end(_ mapping: CheckedEntityMapping, manager: MigrationManager) throws {
      manager.userInfo["ended"] = true
    }
  }

  @Test("MIG-195, MIG-210: what a hook throws comes with mapping and hook, and no further hook runs")
  func failing() throws {
    EntityMigrationPolicy.register(Failing.self, named: "Failing")
    let migration = try Self.numbered()
    let error = try #require(try migration.failure([Self.country("Failing")]))
    #expect(error.number == 134_170 && error.underlying is Failing.Reason)
    #expect(
      error.message.contains("CountryToCountry") && error.message.contains("createDestinationInstances"))
    #expect(migration.manager.userInfo["ended"] == nil && migration.manager.userInfo["count"] as? Int == 2)
    #expect(migration.names == ["old.db"])
    // The manager can run again.
    migration.manager.keepsFailedDestination = true
    migration.manager.userInfo["count"] = 1
    #expect(try migration.failure([Self.country("Failing")])?.number == 134_170)
    #expect(migration.names.contains("new.db"))
  }

  /// Looks things up and tries what is not allowed.
  final class LookUps: EntityMigrationPolicy {
    required init() {
      super.init()
      registerFunction("shout:") { arguments in
        .value(.string((arguments.first?.value.shownText ?? "") + "!"))
      }
    }

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: CheckedEntityMapping, manager: MigrationManager
    ) throws {
      let name = mapping.name
      let all = try manager.destinationInstances(forEntityMappingName: name, sourceInstances: nil)
      #expect(all.count == 7, "MIG-204")
      #expect(try manager.destinationInstances(forEntityMappingName: name, sourceInstances: []).isEmpty)
      let sources = try manager.sourceInstances(
        forEntityMappingName: name, destinationInstances: [all[3], all[1], all[3]])
      #expect(try sources.map { try $0.string("name") } == ["c3", "c1"], "MIG-205")
      #expect(throws: GraphStoreError.self, "MIG-193") { try manager.sourceContext.save() }
      do {
        _ = try manager.destinationInstances(forEntityMappingName: "CountryToCountri", sourceInstances: [])
        Issue.record("an unknown mapping was found")
      } catch let error as GraphStoreError {
        #expect(error.suggestions == ["CountryToCountry"], "MIG-206")
      }
      #expect(try manager.sourceEntity(for: mapping)?.attribute(named: "isoContinent") != nil)
      #expect(try manager.destinationEntity(for: mapping)?.attribute(named: "isoContinent") == nil)
      #expect(throws: GraphStoreError.self, "MIG-208") { try manager.reset() }
      manager.userInfo["checked"] = (manager.userInfo["checked"] as? Int ?? 0) + 1
    }
  }

  @Test(
    "MIG-203 to MIG-206, MIG-175, MIG-187: look-ups, functions of policies, and relationships left to the policy"
  )
  func lookUps() throws {
    EntityMigrationPolicy.register(LookUps.self, named: "LookUps")
    let migration = try Self.numbered()
    var mapping = Self.country("LookUps")
    mapping.attributeMappings = [try .value("name", "FUNCTION($entityPolicy, \"shout:\", $source.name)")]
    // The names are those of the destination afterwards: the look-ups above go to the source.
    let context = try migration.migrate([mapping])
    #expect(migration.manager.userInfo["checked"] as? Int == 7)
    #expect(try context.all("Country", sort: ["name"]).first?.string("name") == "\"c0\"!")
  }

  /// Makes two objects for each.
  final class Splitting: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: CheckedEntityMapping, manager: MigrationManager
    ) throws {
      let context = try manager.destinationContext
      for suffix in ["left", "right"] {
        let name = "\(try source.string("name") ?? "") \(suffix)"
        let half = try context.insert("Country", ["name": name])
        try manager.associate(sourceInstance: source, withDestinationInstance: half, for: mapping)
      }
    }
  }

  @Test("MIG-189: objects made without super are related once they are associated; to-manys get all of them")
  func splitting() throws {
    EntityMigrationPolicy.register(Splitting.self, named: "Splitting")
    let migration = try Self.numbered()
    let error = try #require(try migration.failure([Self.country("Splitting")]))
    // A mood has one country, and finds two.
    #expect(error.number == 134_110 && error.property == "country")
    let mood = EntityMapping(
      from: "Mood", to: "Mood", relationshipMappings: [PropertyMapping("country", .none)])
    let second = try Self.numbered()
    let context = try second.migrate([Self.country("Splitting"), mood])
    #expect(try context.all("Country").count == 14)
    #expect(try context.all("Mood", "country == nil").count == 7)
  }
}
