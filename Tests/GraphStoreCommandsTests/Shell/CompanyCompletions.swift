@testable import GraphStoreCommands

/// A small command tree over Employee, Department and Task.
struct CompanyCompletions: CompletionSource {
  var variables: [String] = []
  let aggregates = ["@count"]
  let entities = ["Department", "Employee", "Task"]

  let commands = [
    CompletionCommand(
      name: "fetch",
      options: [
        .init(name: "--where", value: .predicate), .init(name: "-w", value: .predicate),
        .init(name: "--sort", value: .sortKeys), .init(name: "--template", value: .template),
        .init(name: "--aggregate", value: .aggregates), .init(name: "--fields", value: .keyPaths),
        .init(name: "--format", value: .choice(["table", "json"])), .init(name: "--limit", value: .value),
        .init(name: "--distinct"), .init(name: "--output", value: .file),
      ], arguments: [.entity]),
    CompletionCommand(
      name: "update", options: [.init(name: "--where", value: .predicate)],
      arguments: [.entityOrObject, .assignment], repeatsLastArgument: true),
    CompletionCommand(name: "get", arguments: [.object], repeatsLastArgument: true),
    CompletionCommand(name: "link", arguments: [.relationship, .object], repeatsLastArgument: true),
    CompletionCommand(name: "import", arguments: [.entity, .file], repeatsLastArgument: true),
    CompletionCommand(
      name: "model",
      subcommands: [
        CompletionCommand(name: "show", options: [.init(name: "--entity", value: .entity)]),
        CompletionCommand(name: "validate", arguments: [.file]),
      ]),
  ]

  let functions = ["count", "sum:", "avg:"]

  func objects(of entity: String) -> [String] {
    entity == "Employee" ? ["Employee/p1", "Employee/p12", "Employee/t3"] : []
  }

  func templates(of entity: String) -> [String] { entity == "Employee" ? ["wellPaid", "young"] : [] }

  func keys(of entity: String) -> [CompletionKey] {
    switch entity {
    case "Employee":
      [
        .init(name: "name", kind: .attribute(.text)), .init(name: "salary", kind: .attribute(.number)),
        .init(name: "active", kind: .attribute(.boolean)),
        .init(name: "department", kind: .toOne("Department")),
        .init(name: "manager", kind: .toOne("Employee")), .init(name: "reports", kind: .toMany("Employee")),
      ]
    case "Department":
      [.init(name: "name", kind: .attribute(.text)), .init(name: "employees", kind: .toMany("Employee"))]
    default: []
    }
  }
}
