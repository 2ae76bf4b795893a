@testable import GraphStoreModel

/// One edit of ``SingleEdit/base``, with what a comparison has to say of it.
struct SingleEdit: CustomStringConvertible, Sendable {
  /// The part and the field of the definition that is edited, such as `AttributeDefinition.type`.
  var field: String
  /// `kind subject path key effect`, with `-` for no key.
  var expected: [String]
  var edit: @Sendable (inout ModelDefinition) -> Void

  var description: String { "\(field): \(expected.joined(separator: "; "))" }

  init(_ field: String, _ expected: String..., edit: @escaping @Sendable (inout ModelDefinition) -> Void) {
    self.field = field
    self.expected = expected
    self.edit = edit
  }

  /// Shows a change as `expected` does.
  static func text(_ change: ModelChange) -> String {
    let path = change.path.isEmpty ? "-" : change.path
    return "\(change.kind.rawValue) \(change.subject.rawValue) \(path) \(change.key ?? "-") "
      + change.effect.name
  }

  static var base: ModelDefinition {
    ModelDefinition(
      name: "Base", version: "1",
      entities: [
        EntityDefinition(
          "Person",
          attributes: [
            .init("name", .string, isOptional: false, minLength: 1), .init("age", .int32, defaultValue: 1),
            .init("data", .binary), .init("shape", .transformable, transformer: "T"),
            .init("address", .composite, elements: [.init("city", .string), .init("zip", .int32)]),
            .init("upper", .string, derivation: "uppercase:(name)"),
            .init("scratch", .string, isTransient: true), .init("created", .date),
          ],
          relationships: [
            .init("team", to: "Team", inverse: "members"), .init("friend", to: "Person"),
          ],
          fetchedProperties: [.init("peers", entity: "Person", predicate: "age == 1", sort: ["age"])],
          indexes: [.init("byAge", elements: [.init("age")])], uniquenessConstraints: [["name"]]),
        EntityDefinition("Worker", parent: "Person", attributes: [.init("pay", .double)]),
        EntityDefinition("Guest", parent: "Person"),
        EntityDefinition(
          "Team", attributes: [.init("title", .string)],
          relationships: [.init("members", to: "Person", inverse: "team", isToMany: true, maxCount: 9)]),
      ],
      fetchRequests: [.init("all", entity: "Person", predicate: "age > $MIN")],
      configurations: [.init("Main", entities: ["Person", "Worker", "Guest", "Team"])])
  }

  static var all: [SingleEdit] {
    modelEdits + entityEdits + attributeEdits + relationshipEdits + fetchedPropertyEdits + indexEdits
      + requestEdits
  }

  static let modelEdits = [
    SingleEdit("ModelDefinition.name", "changed model - name none") { $0.name = "Other" },
    SingleEdit("ModelDefinition.version", "changed model - version none") { $0.version = nil },
    SingleEdit("ModelDefinition.requiresClasses", "changed model - requiresClasses none") {
      $0.requiresClasses = true
    },
    SingleEdit("ModelDefinition.userInfo", "changed model - userInfo.k none") { $0.userInfo = ["k": 1] },
    SingleEdit("ModelDefinition.xcode", "changed model - xcode.k none") { $0.xcode = ["k": "v"] },
    SingleEdit("ModelDefinition.localization", "changed model - localization.Entity/Team none") {
      $0.localization = ["Entity/Team": "Équipe"]
    },
    SingleEdit("ModelDefinition.entities", "changed model - entities none") { $0.entities.swapAt(2, 3) },
    SingleEdit("ModelDefinition.entities", "added entity New - lossless") {
      $0.entities.append(EntityDefinition("New"))
    },
    SingleEdit(
      "ModelDefinition.entities", "removed entity Worker - lossy", "changed configuration Main entities none"
    ) {
      $0.entities.remove(at: 1)
      $0.configurations[0].entities.remove(at: 1)
    },
    SingleEdit("ModelDefinition.fetchRequests", "added fetch-request new - none") {
      $0.fetchRequests.append(.init("new", entity: "Team"))
    },
    SingleEdit("ModelDefinition.fetchRequests", "removed fetch-request all - none") { $0.fetchRequests = [] },
    SingleEdit("ModelDefinition.configurations", "added configuration New - none") {
      $0.configurations.append(.init("New", entities: []))
    },
    SingleEdit("ModelDefinition.configurations", "removed configuration Main - none") {
      $0.configurations = []
    },
    SingleEdit(
      "ConfigurationDefinition.name", "added configuration M - none", "removed configuration Main - none"
    ) {
      $0.configurations[0].name = "M"
    },
    SingleEdit("ConfigurationDefinition.entities", "changed configuration Main entities none") {
      $0.configurations[0].entities.removeLast()
    },
  ]

  static let entityEdits = [
    SingleEdit(
      "EntityDefinition.name", "added entity Visitor - lossless", "removed entity Guest - lossy",
      "changed configuration Main entities none"
    ) {
      $0.entities[2].name = "Visitor"
      $0.configurations[0].entities[2] = "Visitor"
    },
    SingleEdit("EntityDefinition.name", "renamed entity Group - lossless") {
      $0.entities[3].name = "Group"
      $0.entities[3].renamingIdentifier = "Team"
      $0.entities[0].relationships[0].destination = "Group"
      $0.configurations[0].entities[3] = "Group"
    },
    SingleEdit(
      "EntityDefinition.parent", "changed entity Worker parent lossy",
      "removed attribute Worker.name - lossy",
      "removed attribute Worker.age - lossy", "removed attribute Worker.data - lossy",
      "removed attribute Worker.shape - lossy", "removed attribute Worker.address - lossy",
      "removed attribute Worker.upper - lossy", "removed attribute Worker.scratch - none",
      "removed attribute Worker.created - lossy", "removed relationship Worker.team - lossy",
      "removed relationship Worker.friend - lossy"
    ) { $0.entities[1].parent = nil },
    SingleEdit("EntityDefinition.parent", "changed entity Worker parent lossless") {
      $0.entities[1].parent = "Guest"
    },
    SingleEdit(
      "EntityDefinition.parent", "added attribute Team.name - refused", "changed entity Team parent refused"
    ) { $0.entities[3].parent = "Guest" },
    SingleEdit("EntityDefinition.isAbstract", "changed entity Guest abstract conditional") {
      $0.entities[2].isAbstract = true
    },
    SingleEdit("EntityDefinition.className", "changed entity Guest className none") {
      $0.entities[2].className = "G"
    },
    SingleEdit("EntityDefinition.renamingIdentifier", "changed entity Guest renamingIdentifier none") {
      $0.entities[2].renamingIdentifier = "Nobody"
    },
    SingleEdit("EntityDefinition.versionHashModifier", "changed entity Guest versionHashModifier lossless") {
      $0.entities[2].versionHashModifier = "2"
    },
    SingleEdit("EntityDefinition.userInfo", "changed entity Guest userInfo.k none") {
      $0.entities[2].userInfo = ["k": [1, nil]]
    },
    SingleEdit("EntityDefinition.xcode", "changed entity Guest xcode.k none") {
      $0.entities[2].xcode = ["k": "v"]
    },
    SingleEdit("EntityDefinition.attributes", "added attribute Guest.new - lossless") {
      $0.entities[2].attributes.append(.init("new", .string))
    },
    SingleEdit("EntityDefinition.attributes", "added attribute Guest.new - refused") {
      $0.entities[2].attributes.append(.init("new", .string, isOptional: false))
    },
    SingleEdit("EntityDefinition.attributes", "added attribute Guest.new - lossless") {
      $0.entities[2].attributes.append(.init("new", .string, isOptional: false, defaultValue: ""))
    },
    SingleEdit("EntityDefinition.attributes", "added attribute Guest.new - none") {
      $0.entities[2].attributes.append(.init("new", .string, isOptional: false, isTransient: true))
    },
    SingleEdit("EntityDefinition.attributes", "removed attribute Worker.pay - lossy") {
      $0.entities[1].attributes = []
    },
    SingleEdit("EntityDefinition.attributes", "removed attribute Person.scratch - none") {
      $0.entities[0].attributes.remove(at: 6)
    },
    SingleEdit("EntityDefinition.attributes", "changed entity Person attributes none") {
      $0.entities[0].attributes.swapAt(1, 2)
    },
    SingleEdit("EntityDefinition.attributes", "moved attribute Person.pay - lossless") {
      $0.entities[0].attributes.append($0.entities[1].attributes.removeLast())
    },
    SingleEdit("EntityDefinition.attributes", "moved attribute Guest.data - lossy") {
      $0.entities[2].attributes.append($0.entities[0].attributes.remove(at: 2))
    },
    SingleEdit("EntityDefinition.relationships", "added relationship Guest.host - lossless") {
      $0.entities[2].relationships = [.init("host", to: "Person")]
    },
    SingleEdit("EntityDefinition.relationships", "added relationship Guest.host - refused") {
      $0.entities[2].relationships = [.init("host", to: "Person", isOptional: false)]
    },
    SingleEdit("EntityDefinition.relationships", "removed relationship Person.friend - lossy") {
      $0.entities[0].relationships.removeLast()
    },
    SingleEdit(
      "EntityDefinition.relationships", "changed relationship Person.team inverse lossless",
      "removed relationship Team.members - lossless"
    ) {
      $0.entities[3].relationships = []
      $0.entities[0].relationships[0].inverse = nil
    },
    SingleEdit("EntityDefinition.relationships", "changed entity Person relationships none") {
      $0.entities[0].relationships.swapAt(0, 1)
    },
    SingleEdit("EntityDefinition.fetchedProperties", "added fetched-property Team.f - none") {
      $0.entities[3].fetchedProperties = [.init("f", entity: "Team")]
    },
    SingleEdit("EntityDefinition.fetchedProperties", "removed fetched-property Person.peers - none") {
      $0.entities[0].fetchedProperties = []
    },
    SingleEdit("EntityDefinition.indexes", "added index Team.i - none") {
      $0.entities[3].indexes = [.init("i", elements: [.init("title")])]
    },
    SingleEdit("EntityDefinition.indexes", "removed index Person.byAge - none") {
      $0.entities[0].indexes = []
    },
    SingleEdit(
      "EntityDefinition.uniquenessConstraints", "added uniqueness-constraint Team.title - conditional"
    ) {
      $0.entities[3].uniquenessConstraints = [["title"]]
    },
    SingleEdit(
      "EntityDefinition.uniquenessConstraints", "added uniqueness-constraint Person.age, name - lossless"
    ) {
      $0.entities[0].uniquenessConstraints.append(["age", "name"])
    },
    SingleEdit(
      "EntityDefinition.uniquenessConstraints", "removed uniqueness-constraint Person.name - lossless"
    ) {
      $0.entities[0].uniquenessConstraints = []
    },
    SingleEdit("EntityDefinition.uniquenessConstraints", "added uniqueness-constraint Person.name - none") {
      $0.entities[0].uniquenessConstraints.append(["name"])
    },
  ]
}
