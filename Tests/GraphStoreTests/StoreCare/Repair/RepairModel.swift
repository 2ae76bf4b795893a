import GraphStoreModel

/// A model with every shape that a check looks at: inheritance, each cardinality, orders, limits,
/// constraints, indexes over columns and expressions, external and derived data.
enum RepairModel {
  static let definition = ModelDefinition(
    name: "Workshop",
    entities: [
      person, contractor, employee, manager, passport, department, project, contract, photo, desk, spare,
    ])

  private static let person = EntityDefinition(
    "Person", isAbstract: true,
    attributes: [
      AttributeDefinition("name", .string, isOptional: false), AttributeDefinition("birthday", .date),
    ],
    relationships: [
      RelationshipDefinition("passport", to: "Passport", inverse: "holder", deleteRule: .cascade),
      RelationshipDefinition("friends", to: "Person", inverse: "friends", isToMany: true),
      RelationshipDefinition("route", to: "Person", inverse: "route", isToMany: true, isOrdered: true),
    ],
    indexes: [IndexDefinition("lower", elements: [.init(expression: "lowercase:(name)")])])

  private static let contractor = EntityDefinition(
    "Contractor", parent: "Person", attributes: [AttributeDefinition("rate", .double)])

  private static let employee = EntityDefinition(
    "Employee", parent: "Person", attributes: [AttributeDefinition("badge", .int32)],
    relationships: [
      RelationshipDefinition("department", to: "Department", inverse: "employees"),
      RelationshipDefinition("mentor", to: "Employee"),
      RelationshipDefinition("spouse", to: "Employee", inverse: "spouse"),
      RelationshipDefinition("projects", to: "Project", inverse: "members", isToMany: true, isOrdered: true),
      RelationshipDefinition("contracts", to: "Contract", inverse: "employee", isToMany: true),
      RelationshipDefinition("spares", to: "Spare", inverse: "users", isToMany: true),
    ],
    uniquenessConstraints: [["badge"]])

  private static let manager = EntityDefinition(
    "Manager", parent: "Employee",
    relationships: [RelationshipDefinition("heads", to: "Department", inverse: "head")])

  private static let passport = EntityDefinition(
    "Passport", attributes: [AttributeDefinition("number", .string)],
    relationships: [RelationshipDefinition("holder", to: "Person", inverse: "passport")],
    uniquenessConstraints: [["number"]])

  private static let department = EntityDefinition(
    "Department",
    attributes: [
      AttributeDefinition("name", .string, isOptional: false),
      AttributeDefinition("headcount", .int64, derivation: "employees.@count"),
    ],
    relationships: [
      RelationshipDefinition("head", to: "Manager", inverse: "heads"),
      RelationshipDefinition(
        "employees", to: "Employee", inverse: "department", isToMany: true, isOrdered: true),
      RelationshipDefinition(
        "desks", to: "Desk", inverse: "department", isToMany: true, minCount: 2, maxCount: 3),
    ])

  private static let project = EntityDefinition(
    "Project", attributes: [AttributeDefinition("title", .string)],
    relationships: [
      RelationshipDefinition("members", to: "Employee", inverse: "projects", isToMany: true, isOrdered: true),
      RelationshipDefinition("watchers", to: "Person", isToMany: true),
      RelationshipDefinition("reviewers", to: "Employee", isToMany: true),
    ])

  private static let contract = EntityDefinition(
    "Contract", attributes: [AttributeDefinition("year", .int16)],
    relationships: [
      RelationshipDefinition("employee", to: "Employee", inverse: "contracts", isOptional: false)
    ])

  private static let photo = EntityDefinition(
    "Photo",
    attributes: [
      AttributeDefinition("name", .string), AttributeDefinition("image", .binary, externalStorage: true),
    ])

  private static let desk = EntityDefinition(
    "Desk", attributes: [AttributeDefinition("place", .string, maxLength: 20)],
    relationships: [RelationshipDefinition("department", to: "Department", inverse: "desks")])

  /// An entity that never had an object in the store of the tests.
  private static let spare = EntityDefinition(
    "Spare", attributes: [AttributeDefinition("label", .string)],
    relationships: [RelationshipDefinition("users", to: "Employee", inverse: "spares", isToMany: true)])
}
