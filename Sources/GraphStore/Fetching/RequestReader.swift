import GraphStorePredicates

/// The read sessions of one request of a context: one a store, made when the store is first asked for a plan,
/// and begun when it is first read.
///
/// All that is read with it sees one state of each store. A context that takes part in a transaction reads
/// through that, and a pinned one through the sessions of its query generation.
final class RequestReader: SessionOwner {
  private struct Entry {
    let index: Int32
    let store: any PersistentStore
    let session: any ReadSession
    var hasBegun: Bool
  }

  private let context: ManagedObjectContext
  private let use: ReadUse
  /// The state that is read; nil for the newest.
  private let generation: QueryGeneration?
  private var entries: [Entry] = []
  /// Whether a store was moved after its plan was made, and before anything was read: the request can be run
  /// anew.
  fileprivate private(set) var hasMissedMove = false

  fileprivate init(_ context: ManagedObjectContext, _ use: ReadUse, at generation: QueryGeneration? = nil) {
    self.context = context
    self.use = use
    self.generation = generation
  }

  /// A reader for which another one has begun the session of a store, and ends it.
  init(_ context: ManagedObjectContext, sharing session: any ReadSession, on mount: Mount) {
    self.context = context
    use = .runsCallbacks
    generation = nil
    entries = [Entry(index: mount.index, store: mount.store, session: session, hasBegun: true)]
  }

  /// Works out how a request is going to run over one store; begins nothing.
  func plan(_ request: StoreRequest, on index: Int32) throws -> any StoreFetchPlan {
    if let session = context.transaction?.session(index) { return try session.plan(request) }
    if let session = try pinnedSession(index) { return try session.plan(request) }
    return try entries[position(index)].session.plan(request)
  }

  /// The session of a store, which has begun.
  ///
  /// - Throws: `no-store` when the store was closed; what else beginning to read throws.
  func session(_ index: Int32) throws -> any ReadSession {
    if let session = context.transaction?.session(index) { return session }
    if let session = try pinnedSession(index) { return session }
    let position = try position(index)
    if !entries[position].hasBegun { try begin(position) }
    return entries[position].session
  }

  /// - Throws: `no-store` for one that was removed.
  private func pinnedSession(_ index: Int32) throws -> (any ReadSession)? {
    guard let generation else { return nil }
    _ = try context.mount(at: index)
    return try generation.session(index)
  }

  private func position(_ index: Int32) throws -> Int {
    if let known = entries.firstIndex(where: { $0.index == index }) { return known }
    let mount = try context.mount(at: index)
    entries.append(
      Entry(
        index: index, store: mount.store, session: context.source.makeSession(on: mount, use),
        hasBegun: false))
    return entries.count - 1
  }

  private func begin(_ position: Int) throws {
    let entry = entries[position]
    do {
      if openSessions.isEmpty {
        try entry.session.begin()
      } else {
        try ThreadRole.current.running(blockOf: self) { try entry.session.begin() }
      }
    } catch {
      hasMissedMove =
        openSessions.isEmpty && (try? context.mount(at: entry.index)).map { $0.store !== entry.store } == true
      throw error
    }
    entries[position].hasBegun = true
  }

  var openSessions: [any ReadSession] { entries.filter(\.hasBegun).map(\.session) }

  fileprivate func end() {
    for entry in entries { entry.session.endReading() }
  }
}

extension ManagedObjectContext {
  /// Reads for a request of several statements.
  ///
  /// - Parameter runsCallbacks: Whether code of the program runs meanwhile.
  func reading<Result>(
    runsCallbacks: Bool = false, _ body: (RequestReader) throws -> Result
  ) throws -> Result {
    try reading(for: runsCallbacks ? [.severalStatements, .runsCallbacks] : .severalStatements, body)
  }

  /// Makes plans for a request, and reads nothing.
  func planning<Result>(_ body: (RequestReader) throws -> Result) throws -> Result {
    try readingFromSource { try body(RequestReader(self, [])) }
  }

  /// Reads for a request; where code of the program runs meanwhile, that may make requests of its own.
  private func reading<Result>(for use: ReadUse, _ body: (RequestReader) throws -> Result) throws -> Result {
    try readingFromSource {
      guard fetching.isPinned, transaction == nil else { return try reading(for: use, at: nil, body) }
      return try readingGeneration { try reading(for: use, at: $0, body) }
    }
  }

  /// As above; begins anew where a store was moved before it was read.
  private func reading<Result>(
    for use: ReadUse, at generation: QueryGeneration?, _ body: (RequestReader) throws -> Result
  ) throws -> Result {
    while true {
      let reader = RequestReader(self, use, at: generation)
      defer { reader.end() }
      do {
        guard use.contains(.runsCallbacks) else { return try body(reader) }
        return try ThreadRole.current.running(blockOf: reader) { try body(reader) }
      } catch  where reader.hasMissedMove {
        continue
      }
    }
  }

  /// Reads from one store by one statement.
  func readingOnce<Result>(
    from index: Int32, for use: ReadUse = [], _ body: (any ReadSession) throws -> Result
  ) throws -> Result {
    if let session = transaction?.session(index) { return try body(session) }
    if use.contains(.runsCallbacks) || fetching.isPinned {
      return try reading(for: use) { try body($0.session(index)) }
    }
    return try readingFromSource {
      let session = try source.beginReading(on: mount(at: index), use)
      defer { session.endReading() }
      return try body(session)
    }
  }

  /// Runs a request in one store by one statement.
  ///
  /// - Parameter isWanted: Whether a plan is to be run; by default one that leaves nothing to memory.
  /// - Returns: nil where it is not; nothing has begun then.
  func readingPlanned<Result>(
    _ request: StoreRequest, from mount: Mount, for use: ReadUse = [],
    where isWanted: (any StoreFetchPlan) -> Bool = { $0.runsInStore },
    _ body: (any StoreFetchPlan, any ReadSession) throws -> Result
  ) throws -> Result? {
    try reading(for: use) { reader in
      let plan = try reader.plan(request, on: mount.index)
      return isWanted(plan) ? try body(plan, reader.session(mount.index)) : nil
    }
  }
}
