import GraphStore

/// Models that several tests use.
enum TestModels {
  /// Departments with employees, their managers and their projects.
  static func company(
    employees: DeleteRule = .nullify, isDepartmentOptional: Bool = true, isOrdered: Bool = false
  ) -> ModelDefinition {
    ModelDefinition(
      name: "Company",
      entities: [
        EntityDefinition(
          "Department", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition(
              "employees", to: "Employee", inverse: "department", isToMany: true, isOrdered: isOrdered,
              deleteRule: employees)
          ]),
        EntityDefinition(
          "Employee",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("salary", .int64),
          ],
          relationships: [
            RelationshipDefinition(
              "department", to: "Department", inverse: "employees", isOptional: isDepartmentOptional),
            RelationshipDefinition("manager", to: "Employee", inverse: "reports"),
            RelationshipDefinition("reports", to: "Employee", inverse: "manager", isToMany: true),
            RelationshipDefinition("projects", to: "Project", inverse: "members", isToMany: true),
            RelationshipDefinition("spouse", to: "Employee", inverse: "spouse"),
            RelationshipDefinition("desk", to: "Desk", inverse: "owner", deleteRule: .cascade),
            RelationshipDefinition("friends", to: "Employee", inverse: "friends", isToMany: true),
          ]),
        EntityDefinition(
          "Manager", parent: "Employee", attributes: [AttributeDefinition("budget", .decimal)]),
        EntityDefinition(
          "Project", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition(
              "members", to: "Employee", inverse: "projects", isToMany: true, isOrdered: true)
          ]),
        EntityDefinition(
          "Desk", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("owner", to: "Employee", inverse: "desk")]),
      ])
  }

  /// One entity with an attribute of every plain type.
  static let types = ModelDefinition(
    name: "Types",
    entities: [
      EntityDefinition(
        "Thing",
        attributes: [
          AttributeDefinition("small", .int16), AttributeDefinition("medium", .int32),
          AttributeDefinition("large", .int64), AttributeDefinition("money", .decimal),
          AttributeDefinition("ratio", .double), AttributeDefinition("single", .float),
          AttributeDefinition("text", .string), AttributeDefinition("flag", .boolean),
          AttributeDefinition("moment", .date), AttributeDefinition("tag", .uuid),
          AttributeDefinition("link", .uri), AttributeDefinition("bytes", .binary),
          AttributeDefinition("passing", .string, isTransient: true),
        ])
    ])
}
