import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Stores of Core Data", .enabled(if: AppleStores.folder != nil))
struct ForeignStoreTests {
  @Test(
    "MDL-335, STO-278: a store opens with its cached model, every object is read, and no byte changes",
    arguments: ForeignFolder.names)
  func reading(_ name: String) throws {
    let file = name + ".moody"
    let folder = try ForeignFolder([file])
    let before = try folder.bytes(file)
    let coordinator = try folder.open(file)
    let context = ManagedObjectContext(coordinator: coordinator)
    let raw = try SQLiteConnection(path: folder.file(file), mode: .readOnly)
    let numbers = try SQLiteLayout.readEntityNumbers(raw)
    #expect(Set(numbers.keys) == Set(coordinator.managedObjectModel.entities.map(\.name)))
    #expect(coordinator.managedObjectModel.name == name)
    for entity in coordinator.managedObjectModel.entities where !entity.isAbstract {
      let root = entity.family[0]
      let table = "Z\((entity.superentity ?? root).name.uppercased())"
      let count = try raw.int64(
        "SELECT count(*) FROM \(table) WHERE Z_ENT = \(try #require(numbers[entity.name]))")
      let request = FetchRequest(entityName: entity.name, includesSubentities: false)
      let objects = try context.fetch(request)
      #expect(Int64(objects.count) == count)
      #expect(try context.count(for: request) == objects.count)
      for object in objects {
        for property in entity.properties
        where (property as? AttributeDescription)?.type != .transformable {
          _ = try object.value(forKey: property.name)
        }
      }
    }
    raw.close()
    coordinator.close()
    #expect(try folder.bytes(file) == before)
  }

  @Test("MDL-335: relationships of a real store lead from both ends to each other")
  func relationships() throws {
    let folder = try ForeignFolder(["Moody.moody"])
    let coordinator = try folder.open("Moody.moody")
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    let all = try context.count(for: FetchRequest(entityName: "Mood"))
    let predicate = try QueryPredicate(parsing: "country.moods.@count > 0")
    let linked = try context.count(for: FetchRequest(entityName: "Mood", predicate: predicate))
    #expect(all > 0 && linked == all)
    let countries = try context.fetch(FetchRequest(entityName: "Country"))
    let sum = try countries.reduce(0) { sum, country in
      guard let moods = try country.value(forKey: "moods") as? RelationshipCollection else { return sum }
      return sum + moods.count
    }
    #expect(sum == all)
  }

  @Test("MDL-329, STO-282: saving keeps the recorded hashes, the metadata and the cached model as they are")
  func writing() throws {
    let file = "Moody.moody"
    let folder = try ForeignFolder([file])
    func records() throws -> (plist: [UInt8], cache: [UInt8]?) {
      let raw = try SQLiteConnection(path: folder.file(file), mode: .readOnly)
      defer { raw.close() }
      let plist = try raw.withStatement("SELECT Z_PLIST FROM Z_METADATA") { row in
        _ = try row.step()
        return Array(row.blob(at: 0))
      }
      return (plist, try SQLiteLayout.readModelCache(raw))
    }
    let before = try records()
    var coordinator = try folder.open(file, isReadOnly: false)
    var context = ManagedObjectContext(coordinator: coordinator)
    let count = try context.count(for: FetchRequest(entityName: "Mood"))
    let mood = try context.insert(entityNamed: "Mood")
    try mood.setValue(Date(timeIntervalSinceReferenceDate: 1), forKey: "date")
    let countries = try context.fetch(FetchRequest(entityName: "Country", fetchLimit: 1))
    let country: ManagedObject = try #require(countries.first)
    try mood.setValue(country, forKey: "country")
    try context.save()
    coordinator.close()
    let after = try records()
    #expect(after.plist == before.plist && after.cache == before.cache)
    coordinator = try folder.open(file)
    context = ManagedObjectContext(coordinator: coordinator)
    #expect(try context.count(for: FetchRequest(entityName: "Mood")) == count + 1)
    coordinator.close()
  }

  @Test("STO-279: a store without a cached model asks for one, and opens with one that fits")
  func older() throws {
    let file = "Recipes.sqlite"
    let folder = try ForeignFolder([file])
    let error = #expect(throws: GraphStoreError.self) { try folder.open(file) }
    #expect(error?.code == .noModel && error?.remedy.contains("model that it was made with") == true)
    let before = try folder.bytes(file)
    let coordinator = try folder.open(file, model: try ManagedObjectModel(Self.recipes))
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(try context.count(for: FetchRequest(entityName: "Recipe")) == 7)
    let predicate = try QueryPredicate(parsing: "recipe.ingredients.@count > 0")
    #expect(try context.count(for: FetchRequest(entityName: "Ingredient", predicate: predicate)) == 31)
    coordinator.close()
    #expect(try folder.bytes(file) == before)
  }

  /// How the store of recipes differs from a model that was changed, which it is refused with.
  private func details(_ change: (inout ModelDefinition) -> Void) throws -> [String] {
    let file = "Recipes.sqlite"
    let folder = try ForeignFolder([file])
    var definition = Self.recipes
    change(&definition)
    let model = try ManagedObjectModel(definition)
    let error = #expect(throws: GraphStoreError.self) { try folder.open(file, model: model) }
    #expect(error?.code == .incompatibleModel)
    return error?.details ?? []
  }

  @Test("MDL-329: a model that asks for other entities, tables or columns is refused with each difference")
  func mismatch() throws {
    #expect(
      try details { $0.entities.append(EntityDefinition("Wine")) } == ["the store has no entity Wine"])
    #expect(
      try details { $0.entities[2].attributes.append(AttributeDefinition("rating", .int16)) }
        == ["the table ZRECIPE has no column ZRATING"])
    #expect(
      try details { $0.entities[1].attributes[0].type = .int32 }
        == ["the column ZINGREDIENT.ZAMOUNT is declared VARCHAR, and the model asks for INTEGER"])
    #expect(
      try details {
        $0.entities.removeLast(); $0.entities[2].relationships.removeLast()
      }
        == ["the model has no entity RecipeType, and the store has"])
  }

  @Test(
    "STO-280: of all versions of a model a store opens with the one that it was made with, and with no other",
    arguments: ForeignFolder.names)
  func versions(_ name: String) throws {
    let file = name + ".moody"
    let folder = try ForeignFolder([file])
    let stores = try #require(AppleStores.folder)
    let versions = try ModelVersions(at: stores + "/../models/Moody.xcdatamodeld")
    let before = try folder.bytes(file)
    for version in ForeignFolder.names + ["Moody 6"] {
      let model = try versions.model(named: version)
      for isReadOnly in [true, false] where version != name || isReadOnly {
        do {
          try folder.open(file, isReadOnly: isReadOnly, model: model).close()
          #expect(version == name)
        } catch let error as GraphStoreError {
          #expect(version != name && error.code == .incompatibleModel && !error.details.isEmpty)
        }
      }
      // The check judges as opening does.
      do {
        let findings = try StoreCheck.run(path: folder.file(file), model: model, isQuick: true)
          .flatMap(\.findings)
        #expect(version == name || findings.contains { $0.severity == .failure })
      } catch let error as GraphStoreError {
        #expect(version != name && error.code == .incompatibleModel)
      }
    }
    #expect(try folder.bytes(file) == before)
  }

  @Test("STO-284: columns that a given model does not know are left as they are, by opening as by the check")
  func unknownColumns() throws {
    let file = "Recipes.sqlite"
    let folder = try ForeignFolder([file])
    var definition = Self.recipes
    definition.entities[2].attributes.removeLast()
    definition.entities[2].relationships.removeLast()
    let model = try ManagedObjectModel(definition)
    let columns = "SELECT group_concat(quote(ZTYPE) || length(ZTHUMBNAILIMAGE), ';') FROM ZRECIPE"
    func stored() throws -> String? {
      let connection = try SQLiteConnection(path: folder.file(file), mode: .readOnly)
      defer { connection.close() }
      return try connection.string(columns)
    }
    let before = try stored()
    let coordinator = try folder.open(file, isReadOnly: false, model: model)
    let context = ManagedObjectContext(coordinator: coordinator)
    for recipe in try context.all("Recipe") { try recipe.setValue("new", forKey: "overview") }
    try context.save()
    coordinator.close()
    #expect(try stored() == before && before?.isEmpty == false)
    let findings = try StoreCheck.run(path: folder.file(file), model: model).flatMap(\.findings)
    #expect(findings.filter { $0.severity == .failure && $0.name == "tables" } == [])
    #expect(
      try details { $0.entities[2].attributes[0].name = "steps" } == [
        "the table ZRECIPE has no column ZSTEPS"
      ])
  }

  @Test("STO-280: a check tells of declared types with which a store does not open")
  func checkedTypes() throws {
    let folder = try ForeignFolder(["Recipes.sqlite"])
    var definition = Self.recipes
    definition.entities[1].attributes[0].type = .int32
    let findings = try StoreCheck.run(
      path: folder.file("Recipes.sqlite"), model: try ManagedObjectModel(definition)
    ).flatMap(\.findings)
    #expect(
      findings.contains {
        $0.damage == .columnType && $0.subject == "ZINGREDIENT"
          && $0.message
            == "the column ZINGREDIENT.ZAMOUNT is declared VARCHAR, and the model asks for INTEGER"
      })
  }

  /// The model of Recipes.sqlite, which does not carry it.
  private static let recipes = ModelDefinition(entities: [
    EntityDefinition(
      "Image", attributes: [AttributeDefinition("image", .transformable)],
      relationships: [RelationshipDefinition("recipe", to: "Recipe", inverse: "image")]),
    EntityDefinition(
      "Ingredient",
      attributes: [
        AttributeDefinition("amount", .string), AttributeDefinition("displayOrder", .int16),
        AttributeDefinition("name", .string),
      ],
      relationships: [RelationshipDefinition("recipe", to: "Recipe", inverse: "ingredients")]),
    EntityDefinition(
      "Recipe",
      attributes: [
        AttributeDefinition("instructions", .string), AttributeDefinition("name", .string),
        AttributeDefinition("overview", .string), AttributeDefinition("prepTime", .string),
        AttributeDefinition("thumbnailImage", .transformable),
      ],
      relationships: [
        RelationshipDefinition("image", to: "Image", inverse: "recipe"),
        RelationshipDefinition("ingredients", to: "Ingredient", inverse: "recipe", isToMany: true),
        RelationshipDefinition("type", to: "RecipeType"),
      ]),
    EntityDefinition("RecipeType", attributes: [AttributeDefinition("name", .string)]),
  ])
}
