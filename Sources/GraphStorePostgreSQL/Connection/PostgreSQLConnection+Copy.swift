#if PostgreSQL
import CGraphStorePostgreSQL
import GraphStore

extension PostgreSQLConnection {
  /// Runs a COPY whose rows a body hands over, any number of bytes: one round trip to begin, and one for the
  /// rows; what waits for the next statement goes before.
  ///
  /// Where the body throws, the statement fails, and with it what the transaction has done since the last
  /// savepoint.
  ///
  /// - Throws: ``PostgreSQLError``, what the body throws.
  func copy(_ sql: String, _ body: (_ send: (UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws {
    try beginCopy(sql)
    do {
      unsafe try body { unsafe try put($0) }
    } catch {
      if isOpen { _ = try? endCopy(failing: "The rows cannot be made.") }
      throw error
    }
    try endCopy(failing: nil)
  }

  /// Leaves pipeline mode, which has no COPY, and waits until the server takes rows.
  private func beginCopy(_ sql: String) throws {
    try reconnecting {
      if hasPrelude { try run([]) }
      try settle()
      guard isOpen, unsafe PQexitPipelineMode(handle) == 1 else { throw lost() }
      onStatement?(sql)
      counts.statements += 1
      counts.roundTrips += 1
      guard unsafe PQsendQuery(handle, sql) == 1 else { throw lost() }
      var failure: PostgreSQLError?
      while let result = unsafe try nextResult() {
        defer { unsafe PQclear(result) }
        switch unsafe PQresultStatus(result) {
        case PGRES_COPY_IN: return
        case PGRES_FATAL_ERROR: failure = unsafe failure ?? PostgreSQLError(result: result)
        default: continue
        }
      }
      if unsafe PQstatus(handle) == CONNECTION_BAD { throw lost() }
      try beginPipeline()
      throw failure ?? PostgreSQLError("The server takes no rows.")
    }
  }

  /// Sends bytes as fast as the server takes them.
  private func put(_ bytes: UnsafeRawBufferPointer) throws {
    let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    // What the server says against a row is read at the end: it takes no notice of the others then.
    while unsafe PQputCopyData(handle, start, Int32(bytes.count)) == 0 { try flush(waits: true) }
    try flush(waits: false)
  }

  /// - Parameter waits: Whether it waits for the server even where all is on its way.
  private func flush(waits: Bool) throws {
    var waits = waits
    while true {
      let state = unsafe PQflush(handle)
      if state < 0 { throw lost() }
      if state == 0, !waits { return }
      waits = false
      if unsafe Self.wait(handle, forReading: true, forWriting: state == 1) {
        guard unsafe PQconsumeInput(handle) == 1 else { throw lost() }
      }
      cancelWhereAsked()
    }
  }

  /// - Parameter failure: What keeps the rows from being made.
  private func endCopy(failing failure: String?) throws {
    counts.roundTrips += 1
    while unsafe PQputCopyEnd(handle, failure) == 0 { try flush(waits: true) }
    var failed: PostgreSQLError?
    while let result = unsafe try nextResult() {
      if unsafe PQresultStatus(result) == PGRES_FATAL_ERROR {
        failed = unsafe failed ?? PostgreSQLError(result: result)
      }
      unsafe PQclear(result)
      if unsafe PQstatus(handle) == CONNECTION_BAD { throw lost() }
    }
    try beginPipeline()
    if let failed { throw failed }
  }

  private func beginPipeline() throws {
    guard isOpen, unsafe PQenterPipelineMode(handle) == 1 else { throw lost() }
  }
}
#endif
