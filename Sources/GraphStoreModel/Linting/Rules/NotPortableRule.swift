import GraphStorePredicates

/// A stored request that the original SQLite store refuses (PRD-257).
enum NotPortableRule: LintRule {
  static let rule = ModelRule(
    "not-portable", "A stored request has a form that the original SQLite store refuses.",
    reason: "The model works here and fails in programs that use the original framework.",
    remedy: "Use SUBQUERY for all but one to-many step or quantifier.", isOptIn: true)

  static func check(_ model: LintedModel, report: inout LintReport) {
    for request in StoredRequest.all(in: model) {
      let checker = request.validator
      let path = request.path
      func add(_ warnings: [QueryPredicateError], at place: ModelPath) {
        for warning in warnings where warning.code == .notPortable {
          report.add(at: place, "In \(request.label): \(warning.message)", remedy: warning.hint)
        }
      }
      if let predicate = request.predicate {
        add(checker.portabilityWarnings(in: predicate), at: path.key("predicate"))
      }
      for (position, descriptor) in request.sortDescriptors.enumerated() {
        add(checker.portabilityWarnings(in: descriptor), at: path.item("sort", position))
      }
      guard let definition = request.definition else { continue }
      var expressions: [String: QueryExpression] = [:]
      for (position, property) in definition.properties.enumerated() {
        guard let text = property.expression, let expression = try? QueryExpression(parsing: text) else {
          continue
        }
        expressions[property.name] = expression
        // One that rows are grouped by is told of there.
        guard !definition.groupBy.contains(property.name) else { continue }
        add(
          checker.portabilityWarnings(in: expression),
          at: path.item("properties", position).key("expression"))
      }
      for (position, name) in definition.groupBy.enumerated() {
        guard let key = expressions[name] ?? (try? QueryExpression(parsing: name)) else { continue }
        add(
          checker.portabilityWarnings(in: key, isGroup: true), at: path.item("groupBy", position))
      }
      if let having = definition.having, let condition = try? QueryPredicate(parsing: having) {
        add(checker.portabilityWarnings(in: condition), at: path.key("having"))
      }
    }
  }
}
