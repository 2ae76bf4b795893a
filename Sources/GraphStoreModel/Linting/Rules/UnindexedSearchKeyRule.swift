import GraphStorePredicates

/// A stored request that reads every row although an index could find the few it wants.
enum UnindexedSearchKeyRule: LintRule {
  static let rule = ModelRule(
    "unindexed-search-key", "A stored request searches by keys of which no index begins with one.",
    reason: "Each run reads every row of the entity.",
    remedy: "Add an entry to \"indexes\" of the entity.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for request in StoredRequest.all(in: model) {
      guard let predicate = request.predicate,
        case .scan(let keys) = SearchKeys(of: request.entity).access(of: predicate), let first = keys.first
      else { continue }
      let names = keys.map(\.label).joined(separator: ", ")
      report.add(
        at: request.path.key("predicate"),
        "The \(request.label) searches by \(names), and no index begins with \(keys.count == 1 ? "it" : "one of them").",
        remedy: "Add to \"indexes\" of \(first.entity.name): \(first.indexEntry).")
    }
  }
}

/// A stored predicate that the original SQLite store refuses (PRD-257).
enum NotPortableRule: LintRule {
  static let rule = ModelRule(
    "not-portable", "A stored predicate has a form that the original SQLite store refuses.",
    reason: "The model works here and fails in programs that use the original framework.",
    remedy: "Use SUBQUERY for all but one to-many step or quantifier.", isOptIn: true)

  static func check(_ model: LintedModel, report: inout LintReport) {
    for request in StoredRequest.all(in: model) {
      guard let predicate = request.predicate else { continue }
      for warning in request.validator.warnings(in: predicate, portable: true)
      where warning.code == .notPortable {
        report.add(
          at: request.path.key("predicate"), "In \(request.label): \(warning.message)", remedy: warning.hint)
      }
    }
  }
}
