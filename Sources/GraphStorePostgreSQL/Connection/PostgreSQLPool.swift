#if PostgreSQL
import Dispatch
import GraphStore
import Synchronization

/// The connections of a store: at most one of this process writes, several read beside it.
///
/// Connections are opened as needed; the one returned last is taken first.
final class PostgreSQLPool: ConnectionPool, Sendable {
  struct State: ConnectionPoolState {
    /// Free connections; the last was used last.
    var idle: [PostgreSQLConnection] = []
    var use = ConnectionUse()
    /// Connections of query generations.
    var pinned: [PinnedPostgreSQLConnection] = []
    /// The number of those, and of those that are being opened.
    var pinnedCount = 0
    var observer: (@Sendable (String) -> Void)?
    /// Statements and round trips of connections that were returned.
    var counts = PostgreSQLCounts()
  }

  let path: String
  private let address: PostgreSQLAddress
  let timeout: Duration
  private let capacity: Int
  let monitor: Monitor<State>
  private let stop: StopFlag

  init(
    _ address: PostgreSQLAddress, first: PostgreSQLConnection, timeout: Duration, capacity: Int,
    stop: StopFlag
  ) {
    self.stop = stop
    self.address = address
    path = address.text
    self.timeout = timeout
    self.capacity = max(2, capacity)
    var state = State()
    state.idle = [first]
    monitor = Monitor(state)
  }

  // MARK: Taking and giving back

  /// Takes a connection to read with.
  ///
  /// - Parameter takesSlot: Whether it counts among those that others wait for.
  func takeReader(takesSlot: Bool) throws -> PostgreSQLConnection {
    let limit = capacity - 1
    return try take(forWriting: false) { state in
      guard !takesSlot || state.use.readers < limit else { return false }
      if takesSlot { state.use.readers += 1 }
      return true
    } undo: {
      if takesSlot { $0.use.readers -= 1 }
    }
  }

  func giveBackReader(_ connection: PostgreSQLConnection, takesSlot: Bool) {
    giveBack(connection) { if takesSlot { $0.use.readers -= 1 } }
  }

  /// Takes the turn to write, and a connection for it.
  func takeWriter() throws -> PostgreSQLConnection {
    try take(forWriting: true) { state in
      guard !state.use.isWriting else { return false }
      state.use.isWriting = true
      return true
    } undo: {
      $0.use.isWriting = false
    }
  }

  func giveBackWriter(_ connection: PostgreSQLConnection) {
    giveBack(connection) { $0.use.isWriting = false }
  }

  private func take(
    forWriting: Bool, _ reserve: (inout State) -> Bool, undo: (inout State) -> Void
  ) throws -> PostgreSQLConnection {
    let found = try takePlace(forWriting: forWriting, reserve) { $0.idle.popLast() }
    let observer = monitor.withState(\.observer)
    if let found, found.isOpen {
      found.onStatement = observer
      found.refresh()
      return found
    }
    do {
      let made = try open()
      made.onStatement = observer
      return made
    } catch {
      monitor.change { state in
        undo(&state)
        state.use.inUse -= 1
      }
      throw error
    }
  }

  /// Opens a connection beside those of the pool.
  func open() throws -> PostgreSQLConnection {
    try reportingPostgreSQL(path) { try PostgreSQLConnection(address, timeout: timeout, stop: stop) }
  }

  private func giveBack(_ connection: PostgreSQLConnection, _ leave: (inout State) -> Void) {
    let surplus = monitor.change { state -> PostgreSQLConnection? in
      leave(&state)
      state.use.inUse -= 1
      state.counts.add(connection.takeCounts())
      guard !state.use.isClosed, connection.isOpen, state.idle.count < capacity else { return connection }
      state.idle.append(connection)
      return nil
    }
    surplus?.close()
  }

  // MARK: All connections

  func setStopped(_ isStopped: Bool) {
    stop.isSet = isStopped
    monitor.change { $0.use.isStopped = isStopped }
  }

  /// The statements and round trips of the connections that are not in use.
  var counts: PostgreSQLCounts { monitor.withState(\.counts) }

  /// Called with the text of each statement that is sent from now on.
  var onStatement: (@Sendable (String) -> Void)? {
    get { monitor.withState(\.observer) }
    set { monitor.withState { $0.observer = newValue } }
  }

  /// Closes the free connections, and those in use once they are returned.
  func close() {
    let closing = monitor.change { state -> [PostgreSQLConnection] in
      state.use.isClosed = true
      defer { state.idle = [] }
      return state.idle + Self.unpinUnused(&state)
    }
    for connection in closing { connection.close() }
  }

  /// Waits until nothing is in use, and closes all.
  ///
  /// - Throws: `store-timeout`; the pool then keeps working.
  func closeWhenUnused() throws {
    try waitToClose()
    close()
  }

  var interruption: any Error {
    GraphStoreError(.sqlite, "\(path) was interrupted.", remedy: "Try again.")
  }
}
#endif
