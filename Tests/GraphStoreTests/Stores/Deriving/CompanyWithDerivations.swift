import GraphStoreModel

/// A model with derived attributes of every form.
enum CompanyWithDerivations {
  static let model = ModelDefinition(entities: [
    EntityDefinition(
      "Employee",
      attributes: [
        AttributeDefinition("name", .string), AttributeDefinition("salary", .int64),
        AttributeDefinition("bonus", .decimal), AttributeDefinition("rating", .double),
        AttributeDefinition("copyOfName", .string, derivation: "name"),
        AttributeDefinition("canonicalName", .string, derivation: "canonical:(name)"),
        AttributeDefinition("normalName", .string, derivation: "name:normalize"),
        AttributeDefinition("lowerName", .string, derivation: "lowercase:(name)"),
        AttributeDefinition("upperName", .string, derivation: "uppercase:(name)"),
        AttributeDefinition("departmentName", .string, derivation: "department.name"),
        AttributeDefinition("companyName", .string, derivation: "uppercase:(department.company.name)"),
        AttributeDefinition("siteName", .string, derivation: "site.name"),
        AttributeDefinition("changed", .date, derivation: "now()"),
      ],
      relationships: [
        RelationshipDefinition("department", to: "Department", inverse: "employees"),
        RelationshipDefinition("projects", to: "Project", inverse: "staff", isToMany: true),
        RelationshipDefinition("site", to: "Site"),
      ]),
    EntityDefinition(
      "Site",
      attributes: [
        AttributeDefinition("name", .string),
        AttributeDefinition("toolCount", .int64, derivation: "tools.@count"),
        AttributeDefinition("toolCost", .int64, derivation: "tools.@sum.cost"),
        AttributeDefinition("peers", .int64, derivation: "near.@count"),
      ],
      relationships: [
        RelationshipDefinition("tools", to: "Tool", isToMany: true),
        RelationshipDefinition("near", to: "Site", inverse: "near", isToMany: true),
      ]),
    EntityDefinition("Tool", attributes: [AttributeDefinition("cost", .int64)]),
    EntityDefinition("Manager", parent: "Employee", attributes: [AttributeDefinition("level", .int16)]),
    EntityDefinition(
      "Department",
      attributes: [
        AttributeDefinition("name", .string),
        AttributeDefinition("headcount", .int32, derivation: "employees.@count"),
        AttributeDefinition("payroll", .int64, derivation: "employees.@sum.salary"),
        AttributeDefinition("bonuses", .decimal, derivation: "employees.bonus.@sum"),
        AttributeDefinition("ratings", .double, derivation: "employees.@sum.rating"),
      ],
      relationships: [
        RelationshipDefinition(
          "employees", to: "Employee", inverse: "department", isToMany: true, deleteRule: .nullify),
        RelationshipDefinition("company", to: "Company", inverse: "departments"),
      ]),
    EntityDefinition(
      "Company",
      attributes: [
        AttributeDefinition("name", .string),
        AttributeDefinition("departmentCount", .int16, derivation: "departments.@count"),
      ],
      relationships: [
        RelationshipDefinition(
          "departments", to: "Department", inverse: "company", isToMany: true, deleteRule: .cascade)
      ]),
    EntityDefinition(
      "Project",
      attributes: [
        AttributeDefinition("name", .string),
        AttributeDefinition("staffCount", .int64, derivation: "staff.@count"),
        AttributeDefinition("cost", .int64, derivation: "staff.@sum.salary"),
      ],
      relationships: [
        RelationshipDefinition("staff", to: "Employee", inverse: "projects", isToMany: true)
      ]),
  ])
}
