import Foundation
import Testing

@testable import GraphStore

/// Written mappings: expressions, look-ups, and what they may not give.
struct WrittenMappingTests {
  private static func continents(
    to new: ModelDefinition, _ fill: (ManagedObjectContext) throws -> Void = MoodModels.fillContinents
  ) throws -> ObjectMigration {
    try ObjectMigration(from: MoodModels.continents, to: new, fill)
  }

  @Test("MIG-178, MIG-163: an attribute comes from a related object; nil on the way gives nil")
  func attributeOfRelated() throws {
    let migration = try Self.continents(to: MoodModels.numbered)
    let context = try migration.migrate([
      EntityMapping(
        from: "Country", to: "Country",
        attributeMappings: [.value("isoContinent", "$source.continent.numericISO3166Code")])
    ])
    let countries = try context.all("Country", sort: ["name"])
    #expect(
      try countries.map { try $0.value(forKey: "isoContinent") as? Int16 } == [150, 142, 150, 142, nil])
    #expect(try countries.map { try $0.objects(forKey: "moods").count } == [2, 2, 2, 2, 2])
  }

  private static let direct = """
    FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "ContinentToContinent", \
    $source.country.continent)
    """
  private static let inverse = """
    FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "MoodToMood", \
    $source.countries.@distinctUnionOfSets.moods)
    """

  private static func moods(_ text: String?) throws -> EntityMapping {
    EntityMapping(
      from: "Mood", to: "Mood", relationshipMappings: try text.map { [try .value("continent", $0)] } ?? [])
  }

  private static func continents(_ text: String?) throws -> EntityMapping {
    EntityMapping(
      from: "Continent", to: "Continent",
      relationshipMappings: try text.map { [try .value("moods", $0)] } ?? [])
  }

  private static func links(_ context: ManagedObjectContext) throws -> [String] {
    let fromMoods = try context.all("Mood", sort: ["text"]).map { mood in
      let code = try mood.object(forKey: "continent")?.value(forKey: "numericISO3166Code")
      return "\(try mood.string("text") ?? "") in \(code ?? "nowhere")"
    }
    let fromContinents = try context.all("Continent", sort: ["numericISO3166Code"]).map { continent in
      try continent.objects(forKey: "moods").compactMap { try $0.string("text") }.sorted().joined(
        separator: " ")
    }
    return fromMoods + fromContinents
  }

  @Test(
    "MIG-178, MIG-176, MIG-168, MIG-164: one side, the other or both give the same links, in any order of mappings"
  )
  func eitherSide() throws {
    var found: [[String]] = []
    for (one, other) in [(Self.direct, nil), (nil, Self.inverse), (Self.direct, Self.inverse)]
      as [(String?, String?)]
    {
      for isReversed in [false, true] {
        let migration = try Self.continents(to: MoodModels.moodsOfContinents)
        migration.manager.batchSize = 3
        var mappings = [try Self.moods(one), try Self.continents(other)]
        if isReversed { mappings.reverse() }
        found.append(try Self.links(migration.migrate(mappings)))
      }
    }
    #expect(found[0].contains("c1.0 in 142") && found[0].contains("c4.1 in nowhere"))
    #expect(found[0].last == "c0.0 c0.1 c2.0 c2.1")
    for links in found { #expect(links == found[0]) }
  }

  @Test(
    "MIG-176, MIG-265: where only the other end of an ordered relationship is stated, members have places by their keys"
  )
  func orderOfInverse() throws {
    func model(_ attributes: String...) -> ModelDefinition {
      .of(
        EntityDefinition(
          "P", attributes: [AttributeDefinition("n", .string)],
          relationships: [
            RelationshipDefinition("kids", to: "K", inverse: "p", isToMany: true, isOrdered: true)
          ]),
        EntityDefinition(
          "K", attributes: attributes.map { AttributeDefinition($0, .string) },
          relationships: [RelationshipDefinition("p", to: "P", inverse: "kids")]))
    }
    for isReversed in [false, true] {
      let migration = try ObjectMigration(from: model("t"), to: model("t", "u")) { context in
        let kids = try (1...5).map { try context.add("K", ["t": "k\($0)"]) }
        for name in ["a", "b"] { try context.insert("P", ["n": name]) }
        let owners = try context.all("P", sort: ["n"])
        try owners[0].setValue([kids[3], kids[0], kids[4]], forKey: "kids")
        try owners[1].setValue([kids[2]], forKey: "kids")
      }
      migration.manager.batchSize = 2
      let child = EntityMapping(
        from: "K", to: "K", relationshipMappings: [try .members("p", of: "PToP", from: "$source.p")])
      let parent = EntityMapping(from: "P", to: "P")
      let context = try migration.migrate(isReversed ? [parent, child] : [child, parent])
      let names = try context.all("P", sort: ["n"]).map { owner in
        try owner.objects(forKey: "kids").compactMap { try $0.string("t") }
      }
      #expect(names == [["k1", "k4", "k5"], ["k3"]])
      #expect(try StoreCheck.run(path: migration.destination.path).flatMap(\.findings).isEmpty)
    }
  }

  @Test("MIG-170: mapping and from mean the same as the look-up")
  func mappingAndFrom() throws {
    let migration = try Self.continents(to: MoodModels.moodsOfContinents)
    let mood = EntityMapping(
      from: "Mood", to: "Mood",
      relationshipMappings: [
        try .members("continent", of: "ContinentToContinent", from: "$source.country.continent")
      ])
    let links = try Self.links(migration.migrate([mood]))
    #expect(links.contains("c1.0 in 142") && links.last == "c0.0 c0.1 c2.0 c2.1")
  }

  @Test("MIG-176: both sides stated and not agreeing end the migration with both objects named")
  func disagreement() throws {
    let migration = try Self.continents(to: MoodModels.moodsOfContinents)
    let other = """
      FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "MoodToMood", \
      SUBQUERY($source.countries, $c, $c.name == "c0").@distinctUnionOfSets.moods)
      """
    let error = try #require(try migration.failure([Self.moods(Self.direct), Self.continents(other)]))
    #expect(error.code == .migrationFailed)
    #expect(error.number == 134_110)
    #expect(error.message.contains("do not agree"))
    #expect(error.entity == "Continent" && error.property == "moods")
  }

  @Test("MIG-173: a to-one with several objects ends the migration")
  func severalForToOne() throws {
    let several = EntityMapping(
      from: "Mood", to: "Mood",
      relationshipMappings: [
        try .members("country", of: "CountryToCountry", from: "$source.country.continent.countries")
      ])
    let first = try #require(try Self.continents(to: MoodModels.moodsOfContinents).failure([several]))
    #expect(first.number == 134_110 && first.property == "country")
    #expect(first.message.contains("2 objects"))
  }

  @Test("MIG-171, MIG-174: nil gives no object, never all; what no mapping took drops out")
  func nothing() throws {
    let migration = try Self.continents(to: MoodModels.moodsOfContinents)
    let countries = EntityMapping(
      from: "Continent", to: "Continent", filter: try QueryPredicate(parsing: "numericISO3166Code == 150"))
    let context = try migration.migrate([countries, Self.moods(Self.direct)])
    #expect(try context.all("Continent").count == 1)
    #expect(try Self.links(context).filter { $0.hasSuffix("nowhere") }.count == 6)
    #expect(try context.all("Country", "continent == nil").count == 3)
  }

  @Test("MIG-155, MIG-217: one entity may feed two mappings; the first keeps the keys")
  func split() throws {
    let old = ModelDefinition(
      name: "M", entities: [EntityDefinition("Person", attributes: [AttributeDefinition("name", .string)])])
    let new = ModelDefinition(
      name: "M",
      entities: [
        EntityDefinition("Party", isAbstract: true, attributes: [AttributeDefinition("name", .string)]),
        EntityDefinition("Person", parent: "Party"), EntityDefinition("Shadow", parent: "Party"),
      ])
    let migration = try ObjectMigration(from: old, to: new) { context in
      for name in ["a", "b", "c"] { try context.insert("Person", ["name": name]) }
    }
    migration.manager.batchSize = 2
    let context = try migration.migrate([
      EntityMapping(from: "Person", to: "Person", attributeMappings: [.value("name", "$source.name")]),
      EntityMapping(
        from: "Person", to: "Shadow",
        attributeMappings: [.value("name", "FUNCTION($source.name, \"uppercaseString\")")]),
    ])
    #expect(try context.all("Person", sort: ["objectID"]).map(\.objectID.key) == [1, 2, 3])
    let shadows = try context.all("Shadow", sort: ["name"])
    #expect(try shadows.map { try $0.string("name") } == ["A", "B", "C"])
    #expect(shadows.allSatisfy { $0.objectID.key > 3 })
  }

  // MARK: Values

  private static func value(_ expression: String, _ type: AttributeType) throws -> ObjectMigration {
    let old = ModelDefinition(
      name: "M",
      entities: [
        EntityDefinition(
          "Item", attributes: [AttributeDefinition("number", .int64), AttributeDefinition("name", .string)])
      ])
    let new = ModelDefinition(
      name: "M",
      entities: [
        EntityDefinition("Item", attributes: [AttributeDefinition("value", type, defaultValue: nil)])
      ])
    let migration = try ObjectMigration(from: old, to: new) { context in
      try context.insert("Item", ["number": 3, "name": "x"])
      try context.insert("Item", [:])
    }
    migration.mappings = [
      EntityMapping(from: "Item", to: "Item", attributeMappings: [try .value("value", expression)])
    ]
    return migration
  }

  @Test(
    "MIG-165, MIG-166: expressions compute, and numbers convert exactly",
    arguments: [
      ("$source.number * 2 + 1", AttributeType.int16, "7, nil"),
      ("TERNARY($source.number == 3, \"three\", \"other\")", .string, "\"three\", \"other\""),
      ("CAST($source.number, \"NSString\")", .string, "\"3\", nil"),
      ("$source.number / 2.0", .decimal, "1.5, nil"), ("$source.number", .double, "3.0, nil"),
    ])
  func computed(expression: String, type: AttributeType, expected: String) throws {
    let migration = try Self.value(expression, type)
    let items = try migration.migrate(migration.mappings).all("Item", sort: ["objectID"])
    let values = try items.map { try $0._operand(forKey: _PropertyKey("value")).value.shownText }
    #expect(values.joined(separator: ", ") == expected)
  }

  @Test(
    "MIG-166: a value that the attribute does not hold ends the migration with mapping, property and object",
    arguments: [
      ("$source.number * 100000", AttributeType.int16),
      ("$source.number / 2.0", .int64),
    ])
  func refused(expression: String, type: AttributeType) throws {
    let migration = try Self.value(expression, type)
    let error = try #require(try migration.failure(migration.mappings))
    #expect(error.number == 134_110)
    #expect(error.property == "value" && error.message.contains("ItemToItem"))
    #expect(error.objectID?.key == 1)
    #expect(migration.names == ["old.db"])
  }

  @Test(
    "MIG-167, MIG-214: nil does not become the default; validation then finds it, with all failures underneath"
  )
  func nilStaysNil() throws {
    let old = ModelDefinition(
      name: "M", entities: [EntityDefinition("Item", attributes: [AttributeDefinition("name", .string)])])
    let new = ModelDefinition(
      name: "M",
      entities: [
        EntityDefinition(
          "Item",
          attributes: [
            AttributeDefinition("name", .string, isOptional: false, defaultValue: "none", minLength: 3)
          ])
      ])
    func migration() throws -> ObjectMigration {
      try ObjectMigration(from: old, to: new) { context in
        for name in ["long enough", "ab"] { try context.insert("Item", ["name": name]) }
        try context.insert("Item", [:])
      }
    }
    // Inferred: nil becomes the default, and lengths are not looked at (MIG-079, MIG-124).
    let inferred = try migration()
    let names = try inferred.migrate().all("Item", sort: ["objectID"]).map { try $0.string("name") }
    #expect(names == ["long enough", "ab", "none"])
    let stated = EntityMapping(
      from: "Item", to: "Item", attributeMappings: [try .value("name", "$source.name")])
    let error = try #require(try migration().failure([stated]))
    #expect(error.number == 134_110)
    #expect(error.errors.map(\.number).sorted() == [1570, 1670])
    #expect(error.errors.compactMap(\.objectID?.key).sorted() == [2, 3])
  }

  @Test("MIG-140: in a complete mapping what is not mentioned is left behind or takes its default")
  func complete() throws {
    let migration = try Self.continents(to: MoodModels.continents)
    let context = try migration.migrate(
      [EntityMapping(from: "Country", to: "Country", isComplete: true)], isComplete: true)
    #expect(try context.all("Country", "name == nil").count == 5)
    #expect(try context.all("Mood").isEmpty && context.all("Continent").isEmpty)
  }

  @Test("MIG-201, DGN-210: an existing destination is refused, and stays")
  func existingDestination() throws {
    let migration = try Self.continents(to: MoodModels.numbered)
    try Data("other".utf8).write(to: migration.destination)
    let error = try #require(try migration.failure())
    #expect(error.code == .migrationDestination && error.number == 134_160)
    #expect(try Data(contentsOf: migration.destination) == Data("other".utf8))
  }

  @Test("MIG-209, DGN-210: a source that cannot be opened is told with its cause")
  func missingSource() throws {
    let migration = try Self.continents(to: MoodModels.numbered)
    try FileManager.default.removeItem(at: migration.source)
    let error = try #require(try migration.failure())
    #expect(error.code == .migrationSource && error.number == 134_150)
    #expect((error.underlying as? GraphStoreError)?.code == .storeNotFound)
  }

  @Test("MIG-293: a cancelled migration ends with the given error underneath, and leaves nothing")
  func cancelling() throws {
    struct Reason: Error {}
    let migration = try Self.continents(to: MoodModels.continents)
    migration.manager.batchSize = 1
    migration.manager.onProgress = { part in
      if part > 0.2 { migration.manager.cancelMigration(with: Reason()) }
    }
    let error = try #require(try migration.failure())
    #expect(error.code == .migrationCancelled && error.underlying is Reason)
    #expect(migration.names == ["old.db"])
    #expect(migration.manager.migrationProgress < 1)
  }

  @Test("MIG-227: the mappings of a step run into one store, and later ones know what earlier ones made")
  func parts() throws {
    let migration = try Self.continents(to: MoodModels.moodsOfContinents)
    let first = MappingModel(entityMappings: [EntityMapping(from: "Continent", to: "Continent")])
    let second = MappingModel(entityMappings: [try Self.moods(Self.direct)])
    let parts = try CheckedMapping.parts(
      [first, second], from: migration.sourceModel, to: migration.destinationModel)
    let counts = try migration.manager.migrateStore(
      at: migration.source.path, parts: parts, to: migration.destination.path)
    #expect(counts == ["Continent": 2, "Country": 5, "Mood": 10])
    let links = try Self.links(migration.open(migration.destination))
    #expect(links.contains("c1.0 in 142") && links.last == "c0.0 c0.1 c2.0 c2.1")
  }
}
