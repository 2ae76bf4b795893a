import Foundation
import GraphStoreFiles
import GraphStoreSQLite
import Synchronization

/// The connections of a SQLite store: at most one writes, several read beside it, and those of query
/// generations beside these.
///
/// Connections are opened as needed. The connection returned last is taken first, so that a program with one
/// thread has one connection, whose caches know what it has read and written.
@safe final class SQLiteConnectionPool: @unchecked Sendable {
  /// The maximum number of connections, without those that run the program's own code while they read
  /// (STO-267).
  static let defaultCapacity = StoreOptions.defaultConnectionPoolMaxSize
  /// The time for which more than one connection is kept without use (STO-268).
  static let idleTime: DispatchTimeInterval = .seconds(30)

  struct State {
    /// Free connections; the last was used last.
    var idle: [PooledConnection] = []
    /// All that are open.
    var open: [PooledConnection] = []
    /// Connections that are reading, those apart that others do not wait for.
    var readers = 0
    var isWriting = false
    /// Connections that were taken, or are being opened.
    var inUse = 0
    var isStopped = false
    var isClosed = false
    /// Whether it closes as soon as nothing is in use; what is in use may take more until then.
    var isClosing = false
    var isClosingIdle = false
    /// The block that has the store to itself, or is going to.
    var exclusiveAccess: ExclusiveAccess?
    /// Statements run by connections that are closed.
    var closedCounts = StatementCounts()
    var observer: ((String) -> Void)?
    /// The connections of query generations, each beside those that are taken and given back.
    var pinned: [PinnedConnection] = []
    /// Their number, those that are being opened included.
    var pinnedCount = 0

    /// Whether the calling thread may begin something.
    var allowsCaller: Bool { exclusiveAccess?.allowsCaller ?? true }
  }

  /// The result of one search for a free slot.
  private enum Place {
    case taken(PooledConnection)
    /// A slot whose connection is still to be opened.
    case unopened
  }

  let path: String
  private let capacity: Int
  private let timeout: Duration
  let openConnection: () throws -> SQLiteConnection
  let monitor: Monitor<State>
  /// Sees what others commit, while there are query generations.
  let watch = Mutex<SQLiteConnection?>(nil)
  /// Whether there are query generations: asked after each commit.
  let hasPinned = Atomic(false)
  /// From how many bytes on the write-ahead log is worth a warning while there are query generations.
  let largeLog = Atomic(100_000_000)

  /// - Parameters:
  ///   - first: The connection with which the store was opened.
  ///   - openConnection: Opens another one on the same file.
  init(
    _ first: SQLiteConnection, path: String, capacity: Int = defaultCapacity,
    openConnection: @escaping () throws -> SQLiteConnection
  ) throws {
    self.path = path
    self.capacity = max(1, capacity)
    self.openConnection = openConnection
    timeout = first.busyTimeout
    let pooled = try PooledConnection(first)
    monitor = Monitor(State(idle: [pooled], open: [pooled]))
  }

  // MARK: Taking and giving back

  /// Takes a connection to read with.
  ///
  /// - Parameter takesReaderSlot: Whether it counts among those that others wait for.
  func takeReader(takesReaderSlot: Bool) throws -> PooledConnection {
    try take(forWriting: false, takesReaderSlot: takesReaderSlot) { [capacity] state in
      // The last slot is the writer's, where there are several.
      let limit = capacity > 1 ? capacity - 1 : state.isWriting ? 0 : 1
      guard !takesReaderSlot || state.readers < limit else { return false }
      if takesReaderSlot { state.readers += 1 }
      return true
    }
  }

  func giveBackReader(_ connection: PooledConnection, takesReaderSlot: Bool) {
    giveBack(connection) { if takesReaderSlot { $0.readers -= 1 } }
  }

  /// Takes the writer's slot, and a connection for it.
  func takeWriter() throws -> PooledConnection {
    try take(forWriting: true) { [capacity] state in
      guard !state.isWriting, capacity > 1 || state.readers == 0 else { return false }
      state.isWriting = true
      return true
    }
  }

  func giveBackWriter(_ connection: PooledConnection) {
    giveBack(connection) { $0.isWriting = false }
  }

  /// Waits until a slot is free, and takes a free connection or opens one.
  private func take(
    forWriting: Bool, takesReaderSlot: Bool = true, _ reserve: (inout State) -> Bool
  ) throws -> PooledConnection {
    let place = try monitor.wait(until: deadline) { state -> Place? in
      if state.isClosed || state.isClosing && state.inUse == 0 { throw closed }
      if state.isStopped { throw SQLiteError(code: .interrupt, message: "interrupted") }
      guard state.allowsCaller, reserve(&state) else { return nil }
      state.inUse += 1
      return state.idle.popLast().map(Place.taken) ?? .unopened
    } else: { state in
      state.exclusiveAccess == nil ? timedOut(forWriting: forWriting) : heldByBlock
    }
    switch place {
    case .taken(let connection): return connection
    case .unopened: return try makeConnection(forWriting: forWriting, takesReaderSlot: takesReaderSlot)
    }
  }

  /// The end of a wait that begins now.
  var deadline: DispatchTime { .now() + timeout.dispatchInterval }

  private func makeConnection(forWriting: Bool, takesReaderSlot: Bool) throws -> PooledConnection {
    do { return try adopt(openConnection()) } catch {
      monitor.change { state in
        if forWriting { state.isWriting = false } else if takesReaderSlot { state.readers -= 1 }
        state.inUse -= 1
      }
      throw error
    }
  }

  func adopt(_ connection: SQLiteConnection) throws -> PooledConnection {
    let made = try PooledConnection(connection)
    monitor.withState { state in
      made.connection.onStatement = state.observer
      if state.isStopped { made.connection.interrupter.stop() }
      state.open.append(made)
    }
    return made
  }

  private func giveBack(_ connection: PooledConnection, _ leave: (inout State) -> Void) {
    let surplus = monitor.change { state -> PooledConnection? in
      leave(&state)
      state.inUse -= 1
      guard !state.isClosed, connection.connection.isOpen, state.idle.count < capacity else {
        return forget(connection, &state)
      }
      guard state.idle.isEmpty || closeIdleLater(&state) else { return forget(connection, &state) }
      state.idle.append(connection)
      return nil
    }
    surplus?.close()
  }

  func forget(_ connection: PooledConnection, _ state: inout State) -> PooledConnection {
    state.open.removeAll { $0 === connection }
    state.closedCounts.add(connection.connection.statementCounts)
    return connection
  }

  // MARK: Waiting for other processes

  /// How long a writer waits for another process with the file open: most are done by then.
  private static let patience = Duration.milliseconds(200)

  /// Takes the writer's slot, and a connection for it, on which a transaction begins that has the lock of the
  /// file's writer.
  ///
  /// Another process that writes for long may be one that replaces the store, and waits until no process has
  /// it open. So the file is closed between two tries from then on, unless something else of this process has
  /// it open.
  func beginWriting() throws -> PooledConnection {
    let taken = try takeWriter()
    let connection = taken.connection
    do {
      connection.busyTimeout = min(timeout, Self.patience)
      defer { connection.busyTimeout = timeout }
      try connection.begin(.immediate)
      return taken
    } catch let failure where failure.category == .busy && timeout > Self.patience {
      let deadline = ContinuousClock.now + (timeout - Self.patience)
      guard closeForWaiting(taken) else { return try beginWaiting(taken, until: deadline) }
      return try beginAnew(until: deadline)
    } catch {
      giveBackWriter(taken)
      throw error
    }
  }

  private func beginWaiting(
    _ taken: PooledConnection, until deadline: ContinuousClock.Instant
  ) throws -> PooledConnection {
    do {
      taken.connection.busyTimeout = max(.zero, deadline - .now)
      defer { taken.connection.busyTimeout = timeout }
      try taken.connection.begin(.immediate)
      return taken
    } catch {
      giveBackWriter(taken)
      throw error
    }
  }

  /// Closes all connections where none but the writer's is in use.
  private func closeForWaiting(_ taken: PooledConnection) -> Bool {
    let closing = monitor.withState { state -> [PooledConnection]? in
      guard state.inUse == 1, state.pinned.isEmpty else { return nil }
      let closing = state.idle + [taken]
      state.idle = []
      return closing.map { forget($0, &state) }
    }
    closing?.forEach { $0.close() }
    return closing != nil
  }

  /// Tries with a connection of its own each time, until it has the lock.
  private func beginAnew(until deadline: ContinuousClock.Instant) throws -> PooledConnection {
    do {
      while true {
        usleep(.random(in: 5_000...15_000))
        if monitor.withState({ $0.isStopped }) { throw SQLiteError(code: .interrupt, message: "interrupted") }
        let connection = try openConnection()
        do {
          connection.busyTimeout = .zero
          try connection.begin(.immediate)
          connection.busyTimeout = timeout
          return try adopt(connection)
        } catch let failure as SQLiteError where failure.category == .busy && .now < deadline {
          connection.close()
        }
      }
    } catch {
      monitor.change { state in
        state.isWriting = false
        state.inUse -= 1
      }
      throw error
    }
  }

  // MARK: Idle connections

  /// - Returns: Whether they are going to be closed: the clock needs descriptors, without which Dispatch ends
  ///   the process.
  private func closeIdleLater(_ state: inout State) -> Bool {
    guard !state.isClosingIdle else { return true }
    guard DescriptorRoom.isThere(for: 4) else { return false }
    state.isClosingIdle = true
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.idleTime) { [weak self] in
      self?.closeIdle()
    }
    return true
  }

  /// Closes the free connections but for one.
  func closeIdle() {
    let surplus = monitor.withState { state -> [PooledConnection] in
      state.isClosingIdle = false
      guard state.idle.count > 1 else { return [] }
      let surplus = Array(state.idle.dropLast())
      state.idle = [state.idle[state.idle.count - 1]]
      return surplus.map { forget($0, &state) }
    }
    for connection in surplus { connection.close() }
  }

  // MARK: All connections

  /// Stops what all connections are doing and lets nothing but rollbacks run, or lets them work again.
  func setStopped(_ isStopped: Bool) {
    monitor.change { state in
      state.isStopped = isStopped
      for connection in state.open {
        let interrupter = connection.connection.interrupter
        isStopped ? interrupter.stop() : interrupter.resume()
      }
    }
  }

  /// The number of statements that all connections have run, closed ones included.
  var statementCounts: StatementCounts {
    monitor.withState { state in
      state.open.reduce(into: state.closedCounts) { $0.add($1.connection.statementCounts) }
    }
  }

  /// Whether a caller waits until it can be closed.
  var isClosing: Bool { monitor.withState(\.isClosing) }

  /// The number of open connections.
  var connectionCount: Int { monitor.withState { $0.open.count } }

  /// Called with the text of each statement that begins to run, on any connection.
  var onStatement: ((String) -> Void)? {
    get { monitor.withState { $0.observer } }
    set {
      monitor.withState { state in
        state.observer = newValue
        for connection in state.open { connection.connection.onStatement = newValue }
      }
    }
  }

  /// Closes all free connections, while one is in use.
  func closeFree() {
    let closing = monitor.withState { state -> [PooledConnection] in
      defer { state.idle = [] }
      return state.idle.map { forget($0, &state) }
    }
    for connection in closing { connection.close() }
  }

  /// Closes the free connections, and those in use once they are returned.
  ///
  /// - Parameter care: Is passed a free connection before, where there is one.
  func close(after care: (SQLiteConnection) -> Void = { _ in }) {
    let closing = monitor.change { state -> [PooledConnection] in
      state.isClosed = true
      let idle = state.idle
      state.idle = []
      return idle.map { forget($0, &state) } + unpinUnused(&state)
    }
    if let last = closing.last { care(last.connection) }
    for connection in closing { connection.close() }
    endWatch()
  }

  /// Waits until nothing is in use, and closes all (STO-036).
  ///
  /// - Parameter care: Is passed a connection before.
  /// - Throws: `store-timeout`; the pool then keeps working.
  func closeWhenUnused(after care: (SQLiteConnection) -> Void = { _ in }) throws {
    try monitor.wait(until: deadline) { state -> Void? in
      if state.isClosed { return () }
      guard state.allowsCaller else { return nil }
      state.isClosing = true
      return state.inUse == 0 ? () : nil
    } else: { state in
      state.isClosing = false
      return inUse(remedy: "Let requests and transactions end before the store is removed; it stays open.")
    }
    close(after: care)
  }

  // MARK: Exclusive use

  /// Lets connections be taken only by callers that a block allows; nil lets all take them.
  func setExclusiveAccess(_ use: ExclusiveAccess?) {
    monitor.change { $0.exclusiveAccess = use }
  }

  /// Waits until no more connections are in use than a number of the caller's own.
  ///
  /// - Throws: `store-timeout`.
  func waitUntilUnused(but own: Int, until deadline: DispatchTime) throws {
    try monitor.wait(until: deadline) {
      $0.inUse <= own ? () : nil
    } else: { _ in
      inUse(remedy: "Let requests and transactions end before a block has the coordinator to itself.")
    }
  }

  /// Evaluates a condition while no connection can be taken or returned, where no more are in use than a
  /// number of the caller's own.
  func isUnused(but own: Int, and condition: () -> Bool) -> Bool {
    monitor.withState { $0.inUse <= own && condition() }
  }

  // MARK: Errors

  var heldByBlock: GraphStoreError {
    GraphStoreError(
      .storeTimeout, "A block has had \(path) to itself for longer than \(timeout).",
      remedy: "Let the block of the coordinator end; what is to go on within it has to be called by it.")
  }

  var closed: GraphStoreError {
    GraphStoreError(.noStore, "\(path) was closed.", remedy: "Open the store again.")
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

extension Duration {
  /// The duration for Dispatch.
  package var dispatchInterval: DispatchTimeInterval {
    let (seconds, attoseconds) = components
    let nanoseconds = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !nanoseconds.overflow,
      let count = Int(exactly: nanoseconds.partialValue + attoseconds / 1_000_000_000)
    else { return .never }
    return .nanoseconds(count)
  }
}

/// A connection of a store's pool, with what is prepared on it.
///
/// One session at a time has it.
final class PooledConnection {
  let connection: SQLiteConnection
  let functions = SQLiteApplicationFunctions()
  /// By entity; made when the first fault of a tree fires.
  @safe @exclusivity(unchecked) private var keyReaders: [SQLiteKeyReader?] = []

  /// The file, which this process records as open while the connection is.
  private var identity: FileIdentity?

  init(_ connection: SQLiteConnection) throws {
    self.connection = connection
    try SQLiteDialect.install(on: connection)
    identity = connection.path.flatMap { FileIdentity($0) }
    if let identity { OpenStores.enter(identity) }
  }

  deinit { leave() }

  private func leave() {
    if let identity { OpenStores.leave(identity) }
    identity = nil
  }

  /// Reads rows of an entity tree by their keys, by a statement that is prepared once.
  func keyReader(_ root: Int, _ make: () throws -> SQLiteKeyReader) rethrows -> SQLiteKeyReader {
    if root < keyReaders.count, let reader = keyReaders[root] { return reader }
    let reader = try make()
    while keyReaders.count <= root { keyReaders.append(nil) }
    keyReaders[root] = reader
    return reader
  }

  func close() {
    keyReaders = []
    connection.close()
    leave()
  }
}
