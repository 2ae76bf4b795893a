import GraphStorePredicates

/// One run of a fetch over one state: the records that match, in the request's order and window.
struct InMemorySearch {
  typealias Match = (key: Int64, row: Row)

  private let fetch: InMemoryFetch
  private let source: InMemoryRecord.Source
  private let database: InMemoryDatabase
  /// By entity, whether its records are asked for.
  private let isWanted: [Bool]

  init(_ fetch: InMemoryFetch, over source: InMemoryRecord.Source, in database: InMemoryDatabase) {
    self.fetch = fetch
    self.source = source
    self.database = database
    let wanted = fetch.entity.entity
    isWanted = source.schema.layout.model.entities.map { entity in
      entity === wanted || (fetch.request.includesSubentities && entity.isKind(of: wanted))
    }
  }

  private var request: StoreRequest { fetch.request }

  /// The records that match; equal ones follow by key, in the direction of the last descriptor (FET-046).
  func matches() throws -> [Match] {
    var found = try filtered()
    if let last = request.sortDescriptors.last {
      if !last.ascending { found.reverse() }
      let evaluator = try SortEvaluator(request.sortDescriptors, options: request.evaluation)
      let records = found.map { QueryOperand.source(record($0.key, $0.row)) }
      found = try evaluator.sortedPositions(of: records, checking: database.checkRequest).map { found[$0] }
    }
    let rest = found.dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
  }

  /// The number of matches, without sorting them.
  func count() throws -> Int {
    let rest = max(0, try filtered().count - request.fetchOffset)
    return request.fetchLimit > 0 ? min(rest, request.fetchLimit) : rest
  }

  /// The number of records that are scanned.
  func candidateCount() throws -> Int {
    var count = 0
    try visit { _, row in if isWanted[row.layout.index] { count += 1 } }
    return count
  }

  func record(_ key: Int64, _ row: Row) -> InMemoryRecord {
    InMemoryRecord(of: source, layout: row.layout, key: key, row: row)
  }

  /// The records that match, by key.
  private func filtered() throws -> [Match] {
    var options = request.evaluation
    options.check = { [database] in try database.checkRequest() }
    let evaluator = try request.predicate.map { try PredicateEvaluator($0, options: options) }
    var found: [Match] = []
    var record: InMemoryRecord?
    var visited = 0
    try visit { key, row in
      visited += 1
      if visited & 0x3FF == 0 { try database.checkRequest() }
      guard isWanted[row.layout.index], request.keys?.contains(key) != false else { return }
      if let evaluator {
        // The last one is hardly ever retained.
        if isKnownUniquelyReferenced(&record) {
          record?.become(key, row)
        } else {
          record = self.record(key, row)
        }
        guard let record, try evaluator.evaluate(record) else { return }
      }
      found.append((key, row))
    }
    return found
  }

  /// Shows the candidates by ascending key.
  private func visit(_ body: (Int64, Row) throws -> Void) throws {
    let (state, root) = (source.state, fetch.entity.rootIndex)
    var keys: [Int64]
    switch fetch.candidates {
    case .keys(let named): keys = named
    case .referring(let relationship, let owners):
      guard let table = state.schema.index(of: relationship.description) else { fallthrough }
      keys = Set(owners).flatMap { state.members(table, of: $0).map(\.member) }
    case .all:
      return try state.scan(root) { key, row in
        try body(key, row)
        return true
      }
    }
    keys = Set(keys).sorted()
    for key in keys {
      if let row = state.row(root, key) { try body(key, row) }
    }
  }
}
