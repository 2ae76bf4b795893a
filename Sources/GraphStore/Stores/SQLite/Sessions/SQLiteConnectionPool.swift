import Foundation
import GraphStoreFiles
import GraphStoreSQLite
import Synchronization

/// The connections of a SQLite store: at most one writes, several read beside it, and those of query
/// generations beside these.
///
/// Connections are opened as needed. The connection returned last is taken first, so that a program with one
/// thread has one connection, whose caches know what it has read and written.
@safe final class SQLiteConnectionPool: ConnectionPool, @unchecked Sendable {
  /// The maximum number of connections, without those that run the program's own code while they read
  /// (STO-267).
  static let defaultCapacity = StoreOptions.defaultConnectionPoolMaxSize
  /// The time for which more than one connection is kept without use (STO-268).
  static let idleTime: DispatchTimeInterval = .seconds(30)

  struct State: ConnectionPoolState {
    /// Free connections; the last was used last.
    var idle: [PooledConnection] = []
    /// All that are open.
    var open: [PooledConnection] = []
    var use = ConnectionUse()
    var isClosingIdle = false
    /// Statements run by connections that are closed.
    var closedCounts = StatementCounts()
    var observer: ((String) -> Void)?
    /// The connections of query generations, each beside those that are taken and given back.
    var pinned: [PinnedConnection] = []
    /// Their number, those that are being opened included.
    var pinnedCount = 0
  }

  /// The result of one search for a free slot.
  private enum Place {
    case taken(PooledConnection)
    /// A slot whose connection is still to be opened.
    case unopened
  }

  let path: String
  private let capacity: Int
  let timeout: Duration
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
      let limit = capacity > 1 ? capacity - 1 : state.use.isWriting ? 0 : 1
      guard !takesReaderSlot || state.use.readers < limit else { return false }
      if takesReaderSlot { state.use.readers += 1 }
      return true
    }
  }

  func giveBackReader(_ connection: PooledConnection, takesReaderSlot: Bool) {
    giveBack(connection) { if takesReaderSlot { $0.use.readers -= 1 } }
  }

  /// Takes the writer's slot, and a connection for it.
  func takeWriter() throws -> PooledConnection {
    try take(forWriting: true) { [capacity] state in
      guard !state.use.isWriting, capacity > 1 || state.use.readers == 0 else { return false }
      state.use.isWriting = true
      return true
    }
  }

  func giveBackWriter(_ connection: PooledConnection) {
    giveBack(connection) { $0.use.isWriting = false }
  }

  /// Waits until a slot is free, and takes a free connection or opens one.
  private func take(
    forWriting: Bool, takesReaderSlot: Bool = true, _ reserve: (inout State) -> Bool
  ) throws -> PooledConnection {
    let place = try takePlace(forWriting: forWriting, reserve) { state in
      state.idle.popLast().map(Place.taken) ?? .unopened
    }
    switch place {
    case .taken(let connection): return connection
    case .unopened: return try makeConnection(forWriting: forWriting, takesReaderSlot: takesReaderSlot)
    }
  }

  var interruption: any Error { SQLiteError(code: .interrupt, message: "interrupted") }

  private func makeConnection(forWriting: Bool, takesReaderSlot: Bool) throws -> PooledConnection {
    do { return try adopt(openConnection()) } catch {
      monitor.change { state in
        if forWriting { state.use.isWriting = false } else if takesReaderSlot { state.use.readers -= 1 }
        state.use.inUse -= 1
      }
      throw error
    }
  }

  func adopt(_ connection: SQLiteConnection) throws -> PooledConnection {
    let made = try PooledConnection(connection)
    monitor.withState { state in
      made.connection.onStatement = state.observer
      if state.use.isStopped { made.connection.interrupter.stop() }
      state.open.append(made)
    }
    return made
  }

  private func giveBack(_ connection: PooledConnection, _ leave: (inout State) -> Void) {
    let surplus = monitor.change { state -> PooledConnection? in
      leave(&state)
      state.use.inUse -= 1
      guard !state.use.isClosed, connection.connection.isOpen, state.idle.count < capacity else {
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
      guard state.use.inUse == 1, state.pinned.isEmpty else { return nil }
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
        if monitor.withState({ $0.use.isStopped }) { throw interruption }
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
        state.use.isWriting = false
        state.use.inUse -= 1
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
      state.use.isStopped = isStopped
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
  var isClosing: Bool { monitor.withState(\.use.isClosing) }

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
      state.use.isClosed = true
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
    try waitToClose()
    close(after: care)
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
