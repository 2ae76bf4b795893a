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
