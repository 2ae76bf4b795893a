/// The read sessions of one request of a context: one a store, begun when the store is first asked.
///
/// All that is read with it sees one state of each store. A context that takes part in a transaction reads through that.
final class RequestReader {
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
    let session = try context.source.beginReading(on: context.mount(at: index), use)
    sessions.append((index, session))
    return session
  }

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
    let reader = RequestReader(
      self, runsCallbacks ? [.severalStatements, .runsCallbacks] : .severalStatements)
    defer { reader.end() }
    return try body(reader)
  }

  /// Reads from one store by one statement.
  func readingOnce<Result>(
    from index: Int32, for use: ReadUse = [], _ body: (any ReadSession) throws -> Result
  ) throws -> Result {
    if let session = transaction?.session(index) { return try body(session) }
    let session = try source.beginReading(on: mount(at: index), use)
    defer { session.endReading() }
    return try body(session)
  }
}
