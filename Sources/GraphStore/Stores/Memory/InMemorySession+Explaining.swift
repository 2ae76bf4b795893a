import GraphStorePredicates

extension InMemoryReadSession: ExplainingSession {}

extension InMemoryWriteSession: ExplainingSession {}

extension InMemorySession {
  /// Explains how a request runs: by a scan, instead of statement and plan (DGN-079).
  final func explanation(of fetch: InMemoryFetch) throws -> FetchExplanation {
    let request = fetch.request
    let total = try plan(request.countOfAll).count()
    let objects = try fetch.search.candidateCount()
    let isWindowed = request.fetchLimit > 0 || request.fetchOffset > 0
    var explanation = FetchExplanation(
      entity: request.entityName, parts: fetch.parts, statements: [],
      sort: request.sortDescriptors.isEmpty ? nil : .afterScan,
      window: isWindowed
        ? FetchExplanation.Window(limit: request.fetchLimit, offset: request.fetchOffset, reason: nil) : nil,
      rows: FetchExplanation.Rows(read: objects, returned: nil, total: total, isExact: true), advice: [])
    explanation.scans = [
      FetchExplanation.Scan(
        store: scope.label?.name ?? "in memory", entity: request.entityName, objects: objects)
    ]
    return explanation
  }

  /// None: what memory has needs no statement.
  final func prefetchStatements(_ relationship: RelationshipLayout) -> [FetchExplanation.Statement] { [] }
}

extension InMemoryFetch {
  /// The members of the predicate's top-level conjunction and the sort descriptors, all of which the store
  /// runs itself.
  var parts: [FetchExplanation.Part] {
    let conditions: [QueryPredicate] =
      switch request.predicate {
      case nil: []
      case .and(let members)?: members
      case let predicate?: [predicate]
      }
    return conditions.map { part(.predicate, "\($0)") } + request.sortDescriptors.map { part(.sort, "\($0)") }
  }

  private func part(_ kind: FetchExplanation.Part.Kind, _ text: String) -> FetchExplanation.Part {
    FetchExplanation.Part(kind: kind, text: text, range: nil, place: .scan, reason: nil, detail: "")
  }
}
