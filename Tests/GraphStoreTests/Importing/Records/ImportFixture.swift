import GraphStoreModel

@testable import GraphStore

/// A store of employees and departments, and importers of them.
struct ImportFixture {
  static let model = ModelDefinition(
    name: "Staff",
    entities: [
      EntityDefinition(
        "Department",
        attributes: [
          AttributeDefinition("name", .string, isOptional: false), AttributeDefinition("number", .int32),
        ],
        relationships: [
          RelationshipDefinition("employees", to: "Employee", inverse: "department", isToMany: true)
        ]),
      EntityDefinition(
        "Employee",
        attributes: [
          AttributeDefinition("badge", .int64), AttributeDefinition("name", .string, isOptional: false),
          AttributeDefinition("salary", .int32, minimum: 0), AttributeDefinition("email", .string),
          AttributeDefinition("joined", .date), AttributeDefinition("bonus", .decimal),
          AttributeDefinition("kind", .string, defaultValue: "staff"), AttributeDefinition("tag", .uuid),
          AttributeDefinition("notes", .transformable),
          AttributeDefinition(
            "address", .composite,
            elements: [AttributeDefinition("city", .string), AttributeDefinition("rent", .decimal)]),
        ],
        relationships: [
          RelationshipDefinition("department", to: "Department", inverse: "employees"),
          RelationshipDefinition("manager", to: "Employee", inverse: "reports"),
          RelationshipDefinition("reports", to: "Employee", inverse: "manager", isToMany: true),
          RelationshipDefinition("projects", to: "Project", inverse: "members", isToMany: true),
        ], uniquenessConstraints: [["email"]]),
      EntityDefinition(
        "Project", attributes: [AttributeDefinition("title", .string)],
        relationships: [
          RelationshipDefinition(
            "members", to: "Employee", inverse: "projects", isToMany: true, isOrdered: true)
        ]),
    ])

  let stack: TestStack

  init() throws { stack = try TestStack(Self.model) }

  /// An importer with a key.
  func importer(
    _ entity: String = "Employee", by key: [String] = [],
    _ configure: (inout BatchedImporter) -> Void = { _ in }
  ) -> BatchedImporter {
    var importer = BatchedImporter(entityName: entity, coordinator: stack.coordinator)
    importer.key = key
    configure(&importer)
    return importer
  }

  /// A line for each employee that the store has, by name.
  func lines(_ keys: String...) throws -> [String] {
    let context = stack.newContext()
    return try context.all("Employee", sort: ["name"]).map { employee in
      try (["name"] + keys).map { key in
        let value = try employee.value(forKeyPath: key) as Any?
        return value.map { "\($0)" } ?? "-"
      }.joined(separator: " ")
    }
  }

  static func employees(_ range: Range<Int>) -> [ImportRecord] {
    range.map { ["badge": $0, "name": "E\($0)", "salary": $0 * 10] }
  }
}
