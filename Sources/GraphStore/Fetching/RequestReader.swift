import GraphStorePredicates

/// The read sessions of one request of a context: one a store, begun when the store is first asked.
///
/// All that is read with it sees one state of each store. A context that takes part in a transaction reads
/// through that.
final class RequestReader: SessionOwner {
  private let context: ManagedObjectContext
  private let use: ReadUse
  private var sessions: [(index: Int32, session: any ReadSession)] = []

  fileprivate init(_ context: ManagedObjectContext, _ use: ReadUse) {
    self.context = context
    self.use = use
  }

  /// - Throws: `no-store` when the store was closed; what beginning to read throws.
  func session(_ index: Int32) throws -> any ReadSession {
    if let session = context.transaction?.session(index) { return session }
    if let begun = sessions.first(where: { $0.index == index }) { return begun.session }
    let session = try begin(index)
    sessions.append((index, session))
    return session
  }

  private func begin(_ index: Int32) throws -> any ReadSession {
    func begin() throws -> any ReadSession {
      try context.source.beginReading(on: context.mount(at: index), use)
    }
    return try sessions.isEmpty ? begin() : ThreadRole.current.running(blockOf: self) { try begin() }
  }

  var openSessions: [any ReadSession] { sessions.map(\.session) }

  fileprivate func end() {
    for (_, session) in sessions { session.endReading() }
  }
}

extension ManagedObjectContext {
  /// Reads for a request of several statements.
  ///
  /// - Parameter runsCallbacks: Whether code of the program runs meanwhile.
  func reading<Result>(
    runsCallbacks: Bool = false, _ body: (RequestReader) throws -> Result
  ) throws -> Result {
    if runsCallbacks { return try calling([.severalStatements, .runsCallbacks], body) }
    let reader = RequestReader(self, .severalStatements)
    defer { reader.end() }
    return try body(reader)
  }

  /// Reads for a request during which code of the program runs, which may make requests of its own.
  private func calling<Result>(
    _ use: ReadUse, _ body: (RequestReader) throws -> Result
  ) throws -> Result {
    let reader = RequestReader(self, use)
    defer { reader.end() }
    return try ThreadRole.current.running(blockOf: reader) { try body(reader) }
  }

  /// Reads from one store by one statement.
  func readingOnce<Result>(
    from index: Int32, for use: ReadUse = [], _ body: (any ReadSession) throws -> Result
  ) throws -> Result {
    if let session = transaction?.session(index) { return try body(session) }
    if use.contains(.runsCallbacks) { return try calling(use) { try body($0.session(index)) } }
    let session = try source.beginReading(on: mount(at: index), use)
    defer { session.endReading() }
    return try body(session)
  }
}
