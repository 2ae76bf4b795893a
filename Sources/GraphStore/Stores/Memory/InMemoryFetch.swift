import GraphStoreModel
import GraphStorePredicates

/// A fetch of an in-memory store: which records may match, and the request, all of which the store evaluates
/// itself.
struct InMemoryFetch: StoreFetchPlan {
  /// The records that a part of the predicate leaves.
  enum Candidates: Sendable {
    /// All of the entity tree.
    case all
    /// Those with the keys.
    case keys([Int64])
    /// Those that refer by a to-one to one of the keys.
    case referring(RelationshipLayout, [Int64])
  }

  let request: StoreRequest
  let entity: EntityLayout
  private let session: InMemorySession
  let candidates: Candidates
  let fields: [(keyPath: String, resolved: ResolvedKeyPath)]

  let residual: QueryPredicate? = nil
  let isSortedByStore = true
  let isWindowedByStore = true
  /// Dictionaries are made of rows.
  let hasAllFields: Bool

  init(_ request: StoreRequest, in session: InMemorySession) throws {
    self.request = request
    self.session = session
    let entity = try session.layout.entity(named: request.entityName)
    self.entity = entity
    candidates = request.predicate.flatMap { Self.candidates($0, entity) } ?? .all
    if case .fields(let paths) = request.output {
      let checker = PredicateTypeChecker(entity: entity.entity)
      fields = try paths.map { ($0, try checker.resolve(field: $0)) }
    } else {
      fields = []
    }
    hasAllFields = !request.output.isOfResults && !fields.contains { $0.resolved.hasFetchedProperty }
  }

  // MARK: Running

  var search: InMemorySearch {
    InMemorySearch(
      self, over: InMemoryRecord.Source(session.state, session.scope), in: session.store.database)
  }

  func rows(_ receive: (inout RowBatch) throws -> Void) throws {
    try session.deliver(search.matches(), receive)
  }

  func identifiers() throws -> [ObjectKey] {
    try search.matches().map { ObjectKey(entity: $0.row.layout.index, key: $0.key) }
  }

  func count() throws -> Int { try search.count() }

  func fields(_ receive: (any FieldRow) throws -> Void) throws {
    let search = search
    let fields = try fields.map { try ObjectField($0.keyPath, $0.resolved) }
    for (key, row) in try search.matches() {
      try session.store.database.checkStopped()
      try receive(
        ObjectFieldRow(
          search.record(key, row),
          objectID: ManagedObjectID(scope: session.scope, entityIndex: row.layout.index, key: key),
          fields: fields))
    }
  }

  func explanation() throws -> FetchExplanation { try session.explanation(of: self) }

  // MARK: Candidates

  /// The narrowest candidates that a member of the top-level conjunction leaves; nil where none narrows them.
  private static func candidates(_ predicate: QueryPredicate, _ entity: EntityLayout) -> Candidates? {
    switch predicate {
    case .and(let parts):
      var found: Candidates?
      for part in parts {
        guard let narrowed = candidates(part, entity) else { continue }
        if case .keys = narrowed { return narrowed }
        found = narrowed
      }
      return found
    case .comparison(let comparison): return candidates(comparison, entity)
    case .constant, .or, .not, .block: return nil
    }
  }

  private static func candidates(_ comparison: QueryComparison, _ entity: EntityLayout) -> Candidates? {
    guard comparison.modifier == .direct, case .constant(let value) = comparison.right.kind,
      let keys = keys(comparison.comparator, value)
    else { return nil }
    switch comparison.left.kind {
    case .evaluatedObject: return .keys(keys)
    case .keyPath(let path):
      guard let names = path.plainKeys, names.count == 1 else { return nil }
      if ["objectID", "self", "SELF"].contains(names[0]) { return .keys(keys) }
      guard let property = entity.property(named: names[0]), property.kind == .toOne else { return nil }
      return .referring(entity.relationships[property.relationship], keys)
    default: return nil
    }
  }

  /// The keys of the objects that a value names; nil where it names other things too.
  private static func keys(_ comparator: QueryComparison.Operator, _ value: Value) -> [Int64]? {
    switch (comparator, value) {
    case (.equal, .object(let reference)):
      return reference.identifier(as: ManagedObjectID.self).map { [$0.key] }
    case (.in, .list(let values)):
      var keys: [Int64] = []
      for value in values {
        guard case .object(let reference) = value,
          let id = reference.identifier(as: ManagedObjectID.self)
        else { return nil }
        keys.append(id.key)
      }
      return keys
    default: return nil
    }
  }
}
