import GraphStoreModel
import GraphStorePredicates

/// A fetch of an incremental store: what the store is asked, and the rest of the request, which is done over
/// its nodes.
///
/// What the store lacks by its capabilities is known beforehand; what it declines of one query, when it is
/// asked. Both are made up for here, so that all above it sees a store that answers everything.
struct IncrementalFetch: StoreFetchPlan {
  typealias Match = (key: Int64, row: Row)
  private typealias Parts = IncrementalStoreQuery.Parts

  let request: StoreRequest
  let entity: EntityLayout
  private let session: IncrementalSession
  /// The parts that the store is asked, those among them that the request does not have.
  private let asked: Parts
  private let fields: [(keyPath: String, resolved: ResolvedKeyPath)]

  let residual: QueryPredicate? = nil
  let isSortedByStore = true
  let isWindowedByStore = true
  /// Dictionaries are made of rows.
  let hasAllFields: Bool

  init(_ request: StoreRequest, in session: IncrementalSession) throws {
    self.request = request
    self.session = session
    let entity = try session.layout.entity(named: request.entityName)
    self.entity = entity
    if case .fields(let paths) = request.output {
      let checker = PredicateTypeChecker(entity: entity.entity)
      fields = try paths.map { ($0, try checker.resolve(field: $0)) }
    } else {
      fields = []
    }
    hasAllFields = !request.output.isOfResults && !fields.contains { $0.resolved.hasFetchedProperty }
    asked = Self.parts(of: request, by: session.store.capabilities)
    try checkRefusal(asked)
  }

  /// The parts of a request that a store may be asked; those that it does not have among them.
  private static func parts(of request: StoreRequest, by capabilities: IncrementalStoreCapabilities) -> Parts
  {
    var parts: Parts = []
    if request.predicate == nil || capabilities.contains(.predicates) { parts.insert(.predicate) }
    if request.sortDescriptors.isEmpty || capabilities.contains(.sorting) { parts.insert(.sort) }
    if request.hasNoWindow || capabilities.contains(.windows) { parts.insert(.window) }
    return parts
  }

  /// The parts that the request has.
  private var present: Parts {
    var parts: Parts = []
    if request.predicate != nil { parts.insert(.predicate) }
    if !request.sortDescriptors.isEmpty { parts.insert(.sort) }
    if !request.hasNoWindow { parts.insert(.window) }
    return parts
  }

  /// - Throws: `unsupported-in-store` for what the store is not asked, where memory may not do it.
  private func checkRefusal(_ asked: Parts) throws {
    guard request.inMemoryEvaluation == .refused else { return }
    for part in parts(asked: asked) where !part.isInStore {
      let message = "The store cannot run \(part.text)."
      throw GraphStoreError(
        .unsupportedInStore, message, remedy: "Allow evaluation in memory.", entity: entity.entity.name,
        underlying: QueryPredicateError(
          .unsupportedInStore, message, range: part.range, hint: nil, subject: part.text))
    }
  }

  // MARK: Running

  func rows(_ receive: (inout RowBatch) throws -> Void) throws {
    try session.deliver(matches(), receive)
  }

  func identifiers() throws -> [ObjectKey] {
    if session.store.capabilities.contains(.identifiers), let asked = settled {
      let (answer, left) = try ask(.identifiers, asked)
      if left.isSuperset(of: present) {
        switch answer {
        case .identifiers(let identifiers): return try identifiers.map(checked)
        case .nodes(let nodes): return try nodes.map { try checked($0.identifier) }
        case .count, .unsupported: throw wrongKind
        }
      }
    }
    return try matches().map { ObjectKey(entity: $0.row.layout.index, key: $0.key) }
  }

  func count() throws -> Int {
    guard session.store.capabilities.contains(.counts), let asked = settled, request.keys == nil,
      asked.contains(.predicate)
    else { return try windowed(filtered().count) }
    // A window is cut of the number of all.
    let (answer, left) = try ask(.count, asked.subtracting([.sort, .window]))
    guard left.contains(.predicate) else { return try windowed(filtered().count) }
    switch answer {
    case .count(let count) where count >= 0: return windowed(count)
    case .identifiers(let identifiers): return windowed(identifiers.count)
    case .nodes(let nodes): return windowed(nodes.count)
    case .count, .unsupported: throw wrongKind
    }
  }

  func fields(_ receive: (any FieldRow) throws -> Void) throws {
    let fields = try fields.map { try ObjectField($0.keyPath, $0.resolved) }
    let source = SnapshotRecord.Source(session, session.layout, session.scope)
    for (key, row) in try matches() {
      try session.store.caller.checkStopped()
      try receive(
        ObjectFieldRow(
          SnapshotRecord(of: source, layout: row.layout, key: key, row: row),
          objectID: ManagedObjectID(scope: session.scope, entityIndex: row.layout.index, key: key),
          fields: fields))
    }
  }

  /// The records that match, in the request's order and window.
  func matches() throws -> [Match] {
    guard let asked = settled else {
      let rows = try session.presentRows(of: entity)
      return try completed(rows.filter { isWanted($0.row.layout) }, by: [])
    }
    let (answer, left) = try ask(.nodes, asked)
    guard case .nodes(let nodes) = answer else { throw wrongKind }
    return try completed(session.take(nodes, of: entity.rootIndex), by: left)
  }

  /// The records that match, in any order and without a window.
  private func filtered() throws -> [Match] {
    var all = self.request
    (all.sortDescriptors, all.fetchLimit, all.fetchOffset) = ([], 0, 0)
    all.output = .rows
    return try IncrementalFetch(all, in: session).matches()
  }

  private func windowed(_ count: Int) -> Int {
    let rest = max(0, count - request.fetchOffset)
    return request.fetchLimit > 0 ? min(rest, request.fetchLimit) : rest
  }

  // MARK: Asking

  /// The parts that the store is asked; nil where its answer would lack what is not written yet.
  private var settled: Parts? {
    guard session.pending == nil else { return nil }
    let isWhole = request.keys == nil && asked.isSuperset(of: present.subtracting(.window))
    return isWhole ? asked : asked.subtracting(.window)
  }

  /// Asks the store, again and again without what it declines.
  ///
  /// - Returns: An answer, and the parts that it has heeded.
  private func ask(
    _ output: IncrementalStoreQuery.Output, _ asked: Parts
  ) throws -> (IncrementalStoreAnswer, Parts) {
    var left = asked
    while true {
      let query = IncrementalStoreQuery(request, entity.entity, output, with: left)
      let base = session.store.base
      let answer = try session.store.caller.call(
        "Fetching \(entity.entity.name) from \(session.store.path)"
      ) { try await base.fetch(query) }
      guard case .unsupported(let declined) = answer else { return (answer, left) }
      let asking = left.intersection(present)
      guard !declined.intersection(asking).isEmpty else {
        throw session.store.wrongAnswer(
          "declines what it was not asked: \(declined)", entity: entity.entity)
      }
      left.subtract(declined)
      // A window is one of the whole result.
      if !left.isSuperset(of: present.subtracting(.window)) { left.remove(.window) }
      try checkRefusal(left)
    }
  }

  private var wrongKind: GraphStoreError {
    session.store.wrongAnswer("answers something else than what was asked for", entity: entity.entity)
  }

  private func checked(_ identifier: NodeIdentifier) throws -> ObjectKey {
    let record = try session.store.record(identifier)
    guard isWanted(session.layout.entities[record.entity]) else {
      throw session.store.wrongAnswer("gives \(identifier)", entity: entity.entity)
    }
    return record
  }

  private func isWanted(_ layout: EntityLayout) -> Bool {
    layout === entity || request.includesSubentities && layout.entity.isKind(of: entity.entity)
  }

  // MARK: Completing

  /// Does what the store has not done.
  ///
  /// - Parameter asked: The parts that it has done.
  private func completed(_ rows: [Match], by asked: Parts) throws -> [Match] {
    for match in rows where !isWanted(match.row.layout) {
      throw session.store.wrongAnswer(
        "gives \(session.store.identifier(match.row.layout.index, match.key))", entity: entity.entity)
    }
    guard Set(rows.lazy.map(\.key)).count == rows.count else {
      throw session.store.wrongAnswer("gives a record twice", entity: entity.entity)
    }
    let source = SnapshotRecord.Source(session, session.layout, session.scope)
    var found = rows
    if let keys = request.keys { found = found.filter { keys.contains($0.key) } }
    if !asked.contains(.predicate), let predicate = request.predicate {
      found = try filter(found, by: predicate, source)
    }
    if !asked.contains(.sort) {
      found = try sort(found, source)
    } else if request.sortDescriptors.isEmpty, request.hasNoWindow || !asked.contains(.window) {
      found.sort { $0.key < $1.key }
    }
    if asked.contains(.window) { return found }
    let rest = found.dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
  }

  private func filter(
    _ rows: [Match], by predicate: QueryPredicate, _ source: SnapshotRecord.Source
  ) throws -> [Match] {
    var options = request.evaluation
    let caller = session.store.caller
    options.check = { try caller.checkRequest() }
    let evaluator = try PredicateEvaluator(predicate, options: options)
    return try rows.filter { key, row in
      try evaluator.evaluate(SnapshotRecord(of: source, layout: row.layout, key: key, row: row))
    }
  }

  /// Equal records follow by key, in the direction of the last descriptor (FET-046).
  private func sort(_ rows: [Match], _ source: SnapshotRecord.Source) throws -> [Match] {
    let isAscending = request.sortDescriptors.last?.ascending ?? true
    let rows = rows.sorted { isAscending ? $0.key < $1.key : $0.key > $1.key }
    let evaluator = try SortEvaluator(request.sortDescriptors, options: request.evaluation)
    let operands = rows.map { key, row in
      QueryOperand.source(SnapshotRecord(of: source, layout: row.layout, key: key, row: row))
    }
    let caller = session.store.caller
    return try evaluator.sortedPositions(of: operands, checking: { try caller.checkRequest() }).map {
      rows[$0]
    }
  }
}

extension IncrementalFetch {
  var parts: [FetchExplanation.Part] { parts(asked: asked) }

  /// The members of the predicate's top-level conjunction and the sort descriptors, and whether the store is
  /// asked them.
  private func parts(asked: IncrementalStoreQuery.Parts) -> [FetchExplanation.Part] {
    let conditions: [QueryPredicate] =
      switch request.predicate {
      case nil: []
      case .and(let members)?: members
      case let predicate?: [predicate]
      }
    return conditions.map { part(.predicate, "\($0)", isAsked: asked.contains(.predicate)) }
      + request.sortDescriptors.map { part(.sort, "\($0)", isAsked: asked.contains(.sort)) }
  }

  private func part(
    _ kind: FetchExplanation.Part.Kind, _ text: String, isAsked: Bool
  ) -> FetchExplanation.Part {
    FetchExplanation.Part(
      kind: kind, text: text, range: nil, place: isAsked ? .customStore : .memory,
      reason: isAsked ? nil : .capability, detail: "")
  }

  /// Explains how the request runs. What the store declines of it is not known before it is asked.
  func explanation() throws -> FetchExplanation {
    let total = try session.plan(request.countOfAll).count()
    let isWindowed = !request.hasNoWindow
    return FetchExplanation(
      entity: request.entityName, parts: parts, statements: [],
      sort: nil,
      window: isWindowed
        ? FetchExplanation.Window(limit: request.fetchLimit, offset: request.fetchOffset, reason: nil) : nil,
      rows: FetchExplanation.Rows(read: nil, returned: nil, total: total, isExact: false), advice: [])
  }
}
