import Foundation
import GraphStore

enum StaffModel: ObjectModel {
  static let classes: [String: ManagedObject.Type] = [
    "Person": Person.self, "Employee": Employee.self, "Department": Department.self, "Project": Project.self,
  ]

  static var model: ManagedObjectModel { get throws { try loaded.get() } }

  static func wellPaid(min: Decimal) throws -> FetchRequest<Employee> {
    try fetchRequest(Employee.self, fromTemplate: "wellPaid", variables: ["MIN": min.queryValue])
  }

  static func colleagues(department: Department, start: String) throws -> FetchRequest<Employee> {
    try fetchRequest(
      Employee.self, fromTemplate: "colleagues",
      variables: ["DEPARTMENT": department.queryValue, "START": start.queryValue])
  }

  private static let loaded = Result { try ManagedObjectModel(definition) }

  private static var definition: ModelDefinition {
    ModelDefinition(
      name: "Staff", entities: [person, employee, department, project],
      fetchRequests: [
        FetchRequestDefinition("wellPaid", entity: "Employee", predicate: "salary > $MIN", sort: ["-salary"]),
        FetchRequestDefinition(
          "colleagues", entity: "Employee",
          predicate: "department == $DEPARTMENT AND name BEGINSWITH[c] $START", sort: ["name"]),
      ])
  }

  private static var person: EntityDefinition {
    EntityDefinition(
      "Person", isAbstract: true, className: "Person",
      attributes: [
        AttributeDefinition("name", .string, isOptional: false, minLength: 1),
        AttributeDefinition("email", .string, pattern: "[^@]+@[^@]+"),
        AttributeDefinition("birthday", .date),
      ])
  }

  private static var employee: EntityDefinition {
    EntityDefinition(
      "Employee", parent: "Person", className: "Employee",
      attributes: [
        AttributeDefinition("salary", .decimal, isOptional: false, defaultValue: 0, minimum: 0),
        AttributeDefinition("badge", .int32),
        AttributeDefinition("isManager", .boolean, isOptional: false, defaultValue: false),
      ],
      relationships: [
        RelationshipDefinition("department", to: "Department", inverse: "employees"),
        RelationshipDefinition("manager", to: "Employee", inverse: "reports"),
        RelationshipDefinition(
          "reports", to: "Employee", inverse: "manager", isToMany: true, deleteRule: .deny),
        RelationshipDefinition("projects", to: "Project", inverse: "members", isToMany: true),
      ],
      uniquenessConstraints: [["badge"]])
  }

  private static var department: EntityDefinition {
    EntityDefinition(
      "Department", className: "Department",
      attributes: [
        AttributeDefinition("name", .string, isOptional: false),
        AttributeDefinition("budget", .decimal, isOptional: false, defaultValue: 0),
      ],
      relationships: [
        RelationshipDefinition(
          "employees", to: "Employee", inverse: "department", isToMany: true, deleteRule: .cascade)
      ])
  }

  private static var project: EntityDefinition {
    EntityDefinition(
      "Project", className: "Project",
      attributes: [AttributeDefinition("title", .string, isOptional: false)],
      relationships: [
        RelationshipDefinition(
          "members", to: "Employee", inverse: "projects", isToMany: true, isOrdered: true)
      ])
  }
}
