import GraphStore
import Testing

/// The versions of a diary of moods in which continents, once objects, become numbers, and the reverse.
enum MoodModels {
  private static let mood = EntityDefinition(
    "Mood", attributes: [AttributeDefinition("text", .string)],
    relationships: [RelationshipDefinition("country", to: "Country", inverse: "moods")])

  /// Countries know their continents by number.
  static let numbered = ModelDefinition(
    name: "Moody",
    entities: [
      EntityDefinition(
        "Country",
        attributes: [AttributeDefinition("name", .string), AttributeDefinition("isoContinent", .int16)],
        relationships: [RelationshipDefinition("moods", to: "Mood", inverse: "country", isToMany: true)]),
      mood,
    ])

  /// Continents are objects.
  static let continents = ModelDefinition(
    name: "Moody",
    entities: [
      EntityDefinition(
        "Continent", attributes: [AttributeDefinition("numericISO3166Code", .int16)],
        relationships: [
          RelationshipDefinition("countries", to: "Country", inverse: "continent", isToMany: true)
        ]),
      EntityDefinition(
        "Country", attributes: [AttributeDefinition("name", .string)],
        relationships: [
          RelationshipDefinition("continent", to: "Continent", inverse: "countries"),
          RelationshipDefinition("moods", to: "Mood", inverse: "country", isToMany: true),
        ]),
      mood,
    ])

  /// Moods know their continents as well.
  static let moodsOfContinents: ModelDefinition = {
    var model = continents
    model.entities[0].relationships.append(
      RelationshipDefinition("moods", to: "Mood", inverse: "continent", isToMany: true))
    model.entities[2].relationships.append(
      RelationshipDefinition("continent", to: "Continent", inverse: "moods"))
    return model
  }()

  /// Five countries on two continents, one on none, with two moods each.
  static func fillContinents(_ context: ManagedObjectContext) throws {
    let continents = try [150, 142].map { try context.insert("Continent", ["numericISO3166Code": $0]) }
    for index in 0..<5 {
      let country = try context.insert("Country", ["name": "c\(index)"])
      if index < 4 { try country.setValue(continents[index % 2], forKey: "continent") }
      for number in 0..<2 {
        try context.insert("Mood", ["text": "c\(index).\(number)"]).setValue(country, forKey: "country")
      }
    }
  }

  /// Finds or makes one continent for each code.
  final class ContinentPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: CheckedEntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      let made = try manager.destinationInstances(
        forEntityMappingName: mapping.name, sourceInstances: [source])
      #expect(made.count == 1, "MIG-190")
      guard let code = try source.value(forKey: "isoContinent") as? Int16 else { return }
      var continents = manager.userInfo["continents"] as? [Int16: ManagedObject] ?? [:]
      let continent =
        try continents[code]
        ?? manager.destinationContext.insert("Continent", ["numericISO3166Code": Int(code)])
      continents[code] = continent
      manager.userInfo["continents"] = continents
      try made[0].setValue(continent, forKey: "continent")
    }
  }
}
