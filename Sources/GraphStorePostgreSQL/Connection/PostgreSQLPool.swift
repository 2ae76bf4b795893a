#if PostgreSQL
import Dispatch
import GraphStore
import Synchronization

/// The connections of a store: at most one of this process writes, several read beside it.
///
/// Connections are opened as needed; the one returned last is taken first.
final class PostgreSQLPool: Sendable {
  private struct State {
    /// Free connections; the last was used last.
    var idle: [PostgreSQLConnection] = []
    var readers = 0
    var isWriting = false
    /// Connections that were taken, or are being opened.
    var inUse = 0
    var isStopped = false
    var isClosed = false
    /// Whether it closes as soon as nothing is in use.
    var isClosing = false
    /// The block that has the store to itself, or is going to.
    var exclusiveAccess: ExclusiveAccess?
    var observer: (@Sendable (String) -> Void)?
    /// Statements and round trips of connections that were returned.
    var counts = PostgreSQLCounts()

    var allowsCaller: Bool { exclusiveAccess?.allowsCaller ?? true }
  }

  let path: String
  private let address: PostgreSQLAddress
  private let timeout: Duration
  private let capacity: Int
  private let monitor: Monitor<State>
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
      guard !takesSlot || state.readers < limit else { return false }
      if takesSlot { state.readers += 1 }
      return true
    } undo: {
      if takesSlot { $0.readers -= 1 }
    }
  }

  func giveBackReader(_ connection: PostgreSQLConnection, takesSlot: Bool) {
    giveBack(connection) { if takesSlot { $0.readers -= 1 } }
  }

  /// Takes the turn to write, and a connection for it.
  func takeWriter() throws -> PostgreSQLConnection {
    try take(forWriting: true) { state in
      guard !state.isWriting else { return false }
      state.isWriting = true
      return true
    } undo: {
      $0.isWriting = false
    }
  }

  func giveBackWriter(_ connection: PostgreSQLConnection) { giveBack(connection) { $0.isWriting = false } }

  private func take(
    forWriting: Bool, _ reserve: (inout State) -> Bool, undo: (inout State) -> Void
  ) throws -> PostgreSQLConnection {
    let found = try monitor.wait(until: deadline) { state -> PostgreSQLConnection?? in
      if state.isClosed || state.isClosing && state.inUse == 0 { throw self.closed }
      if state.isStopped { throw self.interrupted }
      guard state.allowsCaller, reserve(&state) else { return nil }
      state.inUse += 1
      return .some(state.idle.popLast())
    } else: { state in
      state.exclusiveAccess == nil ? self.timedOut(forWriting: forWriting) : self.heldByBlock
    }
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
        state.inUse -= 1
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
      state.inUse -= 1
      state.counts.add(connection.takeCounts())
      guard !state.isClosed, connection.isOpen, state.idle.count < capacity else { return connection }
      state.idle.append(connection)
      return nil
    }
    surplus?.close()
  }

  // MARK: All connections

  func setStopped(_ isStopped: Bool) {
    stop.isSet = isStopped
    monitor.change { $0.isStopped = isStopped }
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
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    for connection in closing { connection.close() }
  }

  /// Waits until nothing is in use, and closes all.
  ///
  /// - Throws: `store-timeout`; the pool then keeps working.
  func closeWhenUnused() throws {
    try monitor.wait(until: deadline) { state -> Void? in
      if state.isClosed { return () }
      guard state.allowsCaller else { return nil }
      state.isClosing = true
      return state.inUse == 0 ? () : nil
    } else: { state in
      state.isClosing = false
      return self.inUse(
        remedy: "Let requests and transactions end before the store is removed; it stays open.")
    }
    close()
  }

  func setExclusiveAccess(_ use: ExclusiveAccess?) { monitor.change { $0.exclusiveAccess = use } }

  func waitUntilUnused(but own: Int, until deadline: DispatchTime) throws {
    try monitor.wait(until: deadline) {
      $0.inUse <= own ? () : nil
    } else: { _ in
      self.inUse(remedy: "Let requests and transactions end before a block has the coordinator to itself.")
    }
  }

  func isUnused(but own: Int, and condition: () -> Bool) -> Bool {
    monitor.withState { $0.inUse <= own && condition() }
  }

  // MARK: Errors

  private var deadline: DispatchTime { .now() + timeout.dispatchInterval }

  private var heldByBlock: GraphStoreError {
    GraphStoreError(
      .storeTimeout, "A block has had \(path) to itself for longer than \(timeout).",
      remedy: "Let the block of the coordinator end; what is to go on within it has to be called by it.")
  }

  private var closed: GraphStoreError {
    GraphStoreError(.noStore, "\(path) was closed.", remedy: "Open the store again.")
  }

  private var interrupted: GraphStoreError {
    GraphStoreError(.sqlite, "\(path) was interrupted.", remedy: "Try again.")
  }

  private func inUse(remedy: String) -> GraphStoreError {
    GraphStoreError(
      .storeTimeout,
      "\(path) is in use by a request or transaction of this program, for longer than \(timeout).",
      remedy: remedy)
  }

  private func timedOut(forWriting: Bool) -> GraphStoreError {
    GraphStoreError(
      .storeTimeout,
      forWriting
        ? "\(path) is being written by another context of this program, for longer than \(timeout)."
        : "\(path) is being read by as many contexts of this program as can at once, for longer than \(timeout).",
      remedy: forWriting
        ? "Let the other save or transaction end; a context that is to save within it has to take part in it."
        : "Let other requests end, or allow more connections.")
  }
}
#endif
