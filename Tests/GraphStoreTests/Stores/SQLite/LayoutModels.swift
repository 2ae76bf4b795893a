import GraphStoreModel

/// Models for tests of the layout.
enum LayoutModels {
  /// Inheritance, siblings with properties of equal names, every cardinality, constraints and indexes.
  static func company() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      ModelDefinition(
        name: "Company", version: "1",
        entities: [person, contractor, manager, employee]
          + [department, project, passport]))
  }

  private static let person = EntityDefinition(
    "Person", isAbstract: true,
    attributes: [
      AttributeDefinition("name", .string, isOptional: false), AttributeDefinition("email", .string),
      AttributeDefinition("active", .boolean), AttributeDefinition("birthday", .date),
      AttributeDefinition("photo", .binary), AttributeDefinition("tags", .transformable),
      AttributeDefinition("age", .int16, isTransient: true),
    ],
    relationships: [
      RelationshipDefinition("passport", to: "Passport", inverse: "holder", deleteRule: .cascade),
      RelationshipDefinition("friends", to: "Person", inverse: "friends", isToMany: true),
    ])

  private static let contractor = EntityDefinition(
    "Contractor", parent: "Person",
    attributes: [
      AttributeDefinition("salary", .double), AttributeDefinition("rate", .double),
      AttributeDefinition("note", .string),
    ],
    relationships: [RelationshipDefinition("department", to: "Department", inverse: "contractors")])

  private static let employee = EntityDefinition(
    "Employee", parent: "Person",
    attributes: [
      AttributeDefinition("salary", .decimal), AttributeDefinition("badge", .int32),
      AttributeDefinition("note", .string), AttributeDefinition("score", .float),
    ],
    relationships: [
      RelationshipDefinition("department", to: "Department", inverse: "employees"),
      RelationshipDefinition("manager", to: "Employee", inverse: "reports"),
      RelationshipDefinition("reports", to: "Employee", inverse: "manager", isToMany: true),
      RelationshipDefinition("projects", to: "Project", inverse: "members", isToMany: true, isOrdered: true),
    ],
    indexes: [
      IndexDefinition("bySalary", elements: [.init("salary", order: .descending), .init("name")])
    ],
    uniquenessConstraints: [["badge"]])

  private static let manager = EntityDefinition(
    "Manager", parent: "Employee",
    relationships: [RelationshipDefinition("heads", to: "Department", inverse: "head")])

  private static let department = EntityDefinition(
    "Department", attributes: [AttributeDefinition("name", .string, isOptional: false)],
    relationships: [
      RelationshipDefinition("head", to: "Manager", inverse: "heads"),
      RelationshipDefinition(
        "employees", to: "Employee", inverse: "department", isToMany: true, isOrdered: true),
      RelationshipDefinition("contractors", to: "Contractor", inverse: "department", isToMany: true),
    ])

  private static let project = EntityDefinition(
    "Project", attributes: [AttributeDefinition("title", .string)],
    relationships: [
      RelationshipDefinition("members", to: "Employee", inverse: "projects", isToMany: true, isOrdered: true),
      RelationshipDefinition("blocks", to: "Project", inverse: "blockedBy", isToMany: true),
      RelationshipDefinition("blockedBy", to: "Project", inverse: "blocks", isToMany: true),
      RelationshipDefinition("watchers", to: "Person", isToMany: true),
    ])

  private static let passport = EntityDefinition(
    "Passport",
    attributes: [
      AttributeDefinition("number", .string), AttributeDefinition("issuer", .uri),
      AttributeDefinition("code", .uuid),
    ],
    relationships: [RelationshipDefinition("holder", to: "Person", inverse: "passport")],
    uniquenessConstraints: [["number"]])
}
