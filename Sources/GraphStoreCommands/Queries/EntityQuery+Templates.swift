import GraphStore

extension EntityQuery {
  /// The stored fetch request that a command begins with.
  ///
  /// - Throws: `unknown-template` with the nearest name; a usage error where it fetches another entity.
  static func template(_ name: String, for entity: EntityDescription) throws -> FetchRequestTemplate {
    let template = try entity.model.fetchRequestTemplate(named: name)
    guard entity.isKind(of: template.entity) else {
      throw Diagnostic(
        code: "usage",
        message: "the fetch request \(template.name) fetches \(template.entity.name), not \(entity.name)",
        hints: ["name \(template.entity.name) or one of its sub-entities"], exitCode: .usage)
    }
    return template
  }

  /// Refuses values for variables that nothing asks for: most often a name is misspelled.
  static func refuseUnused(
    _ texts: [String], template: FetchRequestTemplate, conditions: [Condition]
  ) throws {
    let known = conditions.flatMap(\.predicate.names.variables)
    for text in texts {
      let name = String(text.prefix { $0 != "=" }.drop { $0 == "$" }.prefix { $0 != ":" })
      guard !known.contains(name) else { continue }
      let names = known.isEmpty ? "it has none" : "it has \(known.map { "$" + $0 }.joined(separator: ", "))"
      throw Diagnostic(
        code: "unknown-variable",
        message: "the fetch request \(template.name) has no variable $\(name)", hints: [names],
        suggestions: NearestNames.names(near: name, among: known), exitCode: .usage)
    }
  }
}
