import Testing

@testable import GraphStoreModel

/// One change of a definition, and the entities whose version hashes it changes.
struct HashItem: CustomTestStringConvertible, Sendable {
  let name: String
  let changed: Set<String>
  let apply: @Sendable (inout ModelDefinition) -> Void

  init(
    _ name: String, _ changed: Set<String> = [], _ apply: @escaping @Sendable (inout ModelDefinition) -> Void
  ) {
    self.name = name
    self.changed = changed
    self.apply = apply
  }

  var testDescription: String { name }
}

/// Every item of a definition, changed alone.
enum HashItems {
  /// Entity `A` (0) alone, entity `B` (1) with its sub-entity `C` (2).
  static let base: ModelDefinition = {
    var definition = fullDefinition
    definition.entities[1].relationships.append(.init("likes", to: "C", isToMany: true))
    return definition
  }()

  static let changes = changed + unchanged

  static let changed: [HashItem] = ofEntities + ofAttributes + ofRelationships

  private static let ofEntities: [HashItem] = [
    HashItem("abstract", ["A"]) { $0.entities[0].isAbstract = false },
    HashItem("parent", ["C"]) { $0.entities[2].parent = nil },
    HashItem("other parent", ["C"]) { $0.entities[2].parent = "A" },
    HashItem("entity's modifier", ["B", "C"]) { $0.entities[1].versionHashModifier = "2" },
    HashItem("entity's modifier that is empty", ["B", "C"]) { $0.entities[1].versionHashModifier = "" },
    HashItem("a constraint more", ["B", "C"]) { $0.entities[1].uniquenessConstraints = [["x"]] },
    HashItem("a constraint fewer", ["A"]) { $0.entities[0].uniquenessConstraints = [["s", "d"]] },
    HashItem("an attribute more", ["B", "C"]) { $0.entities[1].attributes.append(.init("z", .string)) },
    HashItem("an attribute fewer", ["A"]) { $0.entities[0].attributes.remove(at: 3) },
    HashItem("a relationship more", ["C"]) { $0.entities[2].relationships.append(.init("r", to: "A")) },
    HashItem("a relationship fewer", ["B", "C"]) { $0.entities[1].relationships.removeLast() },
  ]

  private static let ofAttributes: [HashItem] = [
    HashItem("attribute's name", ["A"]) { $0.entities[0].attributes[3].name = "b2" },
    HashItem("attribute's optional", ["A"]) { $0.entities[0].attributes[3].isOptional = false },
    HashItem("attribute's modifier", ["A"]) { $0.entities[0].attributes[3].versionHashModifier = "2" },
    HashItem("attribute's type", ["A"]) {
      $0.entities[0].attributes[3].type = .uuid
      $0.entities[0].attributes[3].externalStorage = false
    },
    HashItem("derivation", ["A"]) { $0.entities[0].attributes[6].derivation = "s:uppercase" },
    HashItem("no derivation", ["A"]) { $0.entities[0].attributes[6].derivation = nil },
    HashItem("element's name", ["A"]) {
      $0.entities[0].attributes[5].elements[0].name = "e2"
      $0.entities[0].indexes[0].elements[1].property = "c.e2"
    },
    HashItem("element's type", ["A"]) { $0.entities[0].attributes[5].elements[0].type = .string },
    HashItem("element's optional", ["A"]) { $0.entities[0].attributes[5].elements[0].isOptional = false },
    HashItem("element's modifier", ["A"]) {
      $0.entities[0].attributes[5].elements[0].versionHashModifier = "m"
    },
    HashItem("an element more", ["A"]) { $0.entities[0].attributes[5].elements.append(.init("f", .double)) },
    HashItem("stored becomes transient", ["B", "C"]) { definition in
      definition.entities[1].attributes[0].isTransient = true
      definition.fetchRequests = []
      definition.entities[0].fetchedProperties = []
    },
    HashItem("transient becomes stored", ["A"]) { $0.entities[0].attributes[1].isTransient = false },
  ]

  private static let ofRelationships: [HashItem] = [
    HashItem("relationship's name", ["B", "C"]) { $0.entities[1].relationships[1].name = "loves" },
    HashItem("destination", ["B", "C"]) { $0.entities[1].relationships[1].destination = "A" },
    HashItem("inverse", ["A", "B", "C"]) {
      $0.entities[0].relationships[0].inverse = nil
      $0.entities[1].relationships[0].inverse = nil
    },
    HashItem("relationship's optional", ["A"]) { $0.entities[0].relationships[0].isOptional = true },
    HashItem("relationship's modifier", ["A"]) { $0.entities[0].relationships[0].versionHashModifier = "n" },
    HashItem("ordered", ["A"]) { $0.entities[0].relationships[0].isOrdered = false },
    HashItem("minimum count", ["A"]) { $0.entities[0].relationships[0].minCount = 2 },
    HashItem("maximum count", ["A"]) { $0.entities[0].relationships[0].maxCount = 41 },
    HashItem("to-many becomes to-one", ["B", "C"]) { $0.entities[1].relationships[1].isToMany = false },
    HashItem("relationship becomes transient", ["B", "C"]) {
      $0.entities[1].relationships[1].isTransient = true
    },
  ]

  static let unchanged: [HashItem] = [
    HashItem("default value") { $0.entities[0].attributes[0].defaultValue = "other" },
    HashItem("minimum") { $0.entities[0].attributes[2].minimum = 0 },
    HashItem("maximum") { $0.entities[0].attributes[2].maximum = 9 },
    HashItem("least length") { $0.entities[0].attributes[0].minLength = 2 },
    HashItem("greatest length") { $0.entities[0].attributes[0].maxLength = 10 },
    HashItem("pattern") { $0.entities[0].attributes[0].pattern = "\\S*" },
    HashItem("validations") { $0.entities[0].attributes[0].validations = [] },
    HashItem("relationship's validations") {
      $0.entities[0].relationships[0].validations = [.init("SELF.@count > 2")]
    },
    HashItem("model's user info") { $0.userInfo = ["a": 1] },
    HashItem("entity's user info") { $0.entities[0].userInfo = ["a": 1] },
    HashItem("attribute's user info") { $0.entities[0].attributes[0].userInfo = ["a": 1] },
    HashItem("relationship's user info") { $0.entities[0].relationships[0].userInfo = ["a": 1] },
    HashItem("fetched property's user info") { $0.entities[0].fetchedProperties[0].userInfo = ["a": 1] },
    HashItem("element's user info") { $0.entities[0].attributes[5].elements[0].userInfo = ["a": 1] },
    HashItem("localization") { $0.localization = ["Entity/A": "Other"] },
    HashItem("class name") { $0.entities[0].className = "Other" },
    HashItem("fetch request") { $0.fetchRequests[0].predicate = "x < 2" },
    HashItem("no fetch request") { $0.fetchRequests = [] },
    HashItem("fetched property") { $0.entities[0].fetchedProperties[0].predicate = nil },
    HashItem("no fetched property") { $0.entities[0].fetchedProperties = [] },
    HashItem("configurations") { $0.configurations = [.init("Other", entities: ["C"])] },
    HashItem("indexes") { $0.entities[0].indexes = [.init("j", elements: [.init("b")])] },
    HashItem("entity's renaming identifier") { $0.entities[0].renamingIdentifier = "Other" },
    HashItem("attribute's renaming identifier") { $0.entities[0].attributes[0].renamingIdentifier = "other" },
    HashItem("relationship's renaming identifier") {
      $0.entities[0].relationships[0].renamingIdentifier = "o"
    },
    HashItem("transformer") { $0.entities[0].attributes[4].transformer = "Other" },
    HashItem("external storage") { $0.entities[0].attributes[3].externalStorage = false },
    HashItem("preserved in history") { $0.entities[0].attributes[0].preservesValueInHistory = false },
    HashItem("delete rule") { $0.entities[0].relationships[0].deleteRule = .deny },
    HashItem("a transient attribute more") {
      $0.entities[1].attributes.append(.init("z", .string, isTransient: true))
    },
    HashItem("a transient relationship more") {
      $0.entities[1].relationships.append(.init("z", to: "A", isTransient: true))
    },
    HashItem("a transient attribute fewer") { $0.entities[0].attributes.remove(at: 7) },
    HashItem("a transient attribute's type") { $0.entities[0].attributes[7].type = .date },
    HashItem("model's name") { $0.name = "Other" },
    HashItem("model's version") { $0.version = "Other" },
    HashItem("what Xcode says") { $0.entities[0].xcode = ["syncable": "YES"] },
    HashItem("order of entities") { $0.entities.reverse() },
    HashItem("order of attributes") { $0.entities[0].attributes.reverse() },
    HashItem("order of relationships") { $0.entities[1].relationships.reverse() },
    HashItem("order of constraints") { $0.entities[0].uniquenessConstraints.reverse() },
    HashItem("order in a constraint") { $0.entities[0].uniquenessConstraints = [["s"], ["d", "s"]] },
    HashItem("a constraint twice") {
      $0.entities[0].uniquenessConstraints = [["s"], ["s", "d"], ["d", "s"]]
    },
    HashItem("maximum of a to-one") { $0.entities[1].relationships[0].maxCount = 1 },
  ]
}
