import GraphStore

/// Model of the objects that the promises are about.
enum SampleModel {
  static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(
        ModelDefinition(name: "Conformance", entities: [thing, item, badge] + staff))
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  /// An attribute of every type.
  private static let thing = EntityDefinition(
    "Thing",
    attributes: [
      AttributeDefinition("name", .string), AttributeDefinition("small", .int16),
      AttributeDefinition("medium", .int32), AttributeDefinition("large", .int64),
      AttributeDefinition("money", .decimal), AttributeDefinition("ratio", .double),
      AttributeDefinition("single", .float), AttributeDefinition("text", .string),
      AttributeDefinition("flag", .boolean), AttributeDefinition("moment", .date),
      AttributeDefinition("tag", .uuid), AttributeDefinition("link", .uri),
      AttributeDefinition("bytes", .binary),
      AttributeDefinition("blob", .binary, externalStorage: true),
      AttributeDefinition("shape", .transformable),
      AttributeDefinition(
        "place", .composite,
        elements: [AttributeDefinition("city", .string), AttributeDefinition("zip", .int32)]),
    ])

  /// What predicates and orders are tried on.
  private static let item = EntityDefinition(
    "Item",
    attributes: [
      AttributeDefinition("name", .string), AttributeDefinition("amount", .int64),
      AttributeDefinition("price", .decimal), AttributeDefinition("ratio", .double),
      AttributeDefinition("text", .string), AttributeDefinition("flag", .boolean),
      AttributeDefinition("moment", .date),
    ],
    relationships: [
      RelationshipDefinition("box", to: "Item", inverse: "contents"),
      RelationshipDefinition("contents", to: "Item", inverse: "box", isToMany: true),
    ])

  /// What the model calls unique.
  private static let badge = EntityDefinition(
    "Badge", attributes: [AttributeDefinition("name", .string), AttributeDefinition("code", .string)],
    uniquenessConstraints: [["code"]])

  private static let staff = [
    EntityDefinition(
      "Person", attributes: [AttributeDefinition("name", .string), AttributeDefinition("born", .int32)],
      relationships: [RelationshipDefinition("home", to: "Address")]),
    EntityDefinition(
      "Employee", parent: "Person",
      attributes: [AttributeDefinition("salary", .int64, minimum: 0)],
      relationships: [
        RelationshipDefinition("department", to: "Department", inverse: "employees"),
        RelationshipDefinition("manager", to: "Employee", inverse: "reports"),
        RelationshipDefinition(
          "reports", to: "Employee", inverse: "manager", isToMany: true, deleteRule: .deny),
        RelationshipDefinition("projects", to: "Project", inverse: "members", isToMany: true),
        RelationshipDefinition("friends", to: "Employee", inverse: "friends", isToMany: true),
        RelationshipDefinition("spouse", to: "Employee", inverse: "spouse"),
        RelationshipDefinition("desk", to: "Desk", inverse: "owner", deleteRule: .cascade),
      ]),
    EntityDefinition("Director", parent: "Employee", attributes: [AttributeDefinition("budget", .int64)]),
    EntityDefinition(
      "Department", attributes: [AttributeDefinition("name", .string)],
      relationships: [
        RelationshipDefinition("employees", to: "Employee", inverse: "department", isToMany: true),
        RelationshipDefinition("rooms", to: "Room", isToMany: true, deleteRule: .cascade),
      ]),
    EntityDefinition(
      "Project", attributes: [AttributeDefinition("name", .string)],
      relationships: [
        RelationshipDefinition(
          "members", to: "Employee", inverse: "projects", isToMany: true, isOrdered: true),
        RelationshipDefinition(
          "steps", to: "Step", inverse: "project", isToMany: true, isOrdered: true, deleteRule: .cascade),
      ]),
    EntityDefinition(
      "Step", attributes: [AttributeDefinition("name", .string)],
      relationships: [RelationshipDefinition("project", to: "Project", inverse: "steps")]),
    EntityDefinition(
      "Desk", attributes: [AttributeDefinition("name", .string)],
      relationships: [RelationshipDefinition("owner", to: "Employee", inverse: "desk")]),
    EntityDefinition("Room", attributes: [AttributeDefinition("name", .string)]),
    EntityDefinition("Address", attributes: [AttributeDefinition("name", .string)]),
  ]
}
