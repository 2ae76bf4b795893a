import Foundation
import GraphStore
import Testing

/// A folder of files that models are inferred from by the built command.
final class InferenceFolder {
  let tool: CommandLineTool

  init(_ files: [String: String] = [:]) throws {
    tool = try CommandLineTool()
    for (name, text) in files { try tool.write(text, to: name) }
  }

  /// Makes a database by the shell of SQLite.
  func makeDatabase(_ name: String, _ sql: String) throws {
    let made = try tool.run("/usr/bin/env", ["sqlite3", name, sql], input: nil)
    try #require(made.code == 0, "\(made.errors)")
  }

  /// The model that is inferred, in lines, and what is told of it. The model is validated by the command too.
  func infer(_ words: String...) throws -> (lines: [String], told: String) {
    let made = try tool.run(CommandLineTool.executable.path, ["model", "infer"] + words, input: nil)
    try #require(made.code == 0, "\(made.errors)")
    try tool.write(made.output, to: "inferred.json")
    let check = try tool.run("model", "validate", "inferred.json")
    #expect(check.code == 0, "\(check.output)")
    return (Self.lines(try ManagedObjectModel(json: Array(made.output.utf8), name: nil)), made.errors)
  }

  /// How an inference fails.
  func failure(_ words: String...) throws -> CommandLineTool.Outcome {
    try tool.run(CommandLineTool.executable.path, ["model", "infer"] + words, input: nil)
  }

  /// Makes a store of files, and checks it.
  func makeStore(_ files: String..., arguments: [String] = []) throws -> CommandLineTool.Outcome {
    let words = ["init", "new.db"] + files.flatMap { ["--infer", $0] } + arguments
    let made = try tool.run(CommandLineTool.executable.path, words, input: nil)
    try #require(made.code == 0, "\(made.errors)")
    let check = try tool.run("check", "--store", "new.db")
    #expect(check.code == 0, "\(check.output)")
    return made
  }

  /// Values of all objects of an entity, as CSV.
  func values(_ entity: String, _ fields: String) throws -> [String] {
    let fetched = try tool.run(
      "fetch", entity, "--store", "new.db", "--fields", fields, "--format", "csv", "--no-header", "--no-id")
    #expect(fetched.code == 0, "\(fetched.errors)")
    return fetched.lines
  }

  /// A model in lines: attributes, relationships and constraints of each entity.
  static func lines(_ model: ManagedObjectModel) -> [String] {
    model.definition.entities.flatMap { entity -> [String] in
      entity.attributes.map { "\(entity.name).\(words(of: $0))" }
        + entity.relationships.map { relationship in
          "\(entity.name).\(relationship.name) \(relationship.isToMany ? "many" : "one") \(relationship.destination)"
            + (relationship.isOrdered ? " ordered" : "")
            + (relationship.isToMany || relationship.isOptional ? "" : " mandatory")
            + (relationship.deleteRule == .nullify ? "" : " \(relationship.deleteRule.rawValue)")
            + " (\(relationship.inverse ?? "-"))"
        } + entity.uniquenessConstraints.map { "\(entity.name) unique \($0.joined(separator: ","))" }
    }
  }

  private static func words(of attribute: AttributeDefinition) -> String {
    let elements =
      attribute.elements.isEmpty
      ? "" : "(" + attribute.elements.map { words(of: $0) }.joined(separator: ", ") + ")"
    return "\(attribute.name) \(attribute.type.rawValue)\(elements)" + (attribute.isOptional ? "?" : "")
  }
}
