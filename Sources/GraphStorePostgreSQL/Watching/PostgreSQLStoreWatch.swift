#if PostgreSQL
import CGraphStoreShims
import Foundation
import GraphStore
import Synchronization

/// Watch over a store on a server: tells of commits by anybody, of this process and of others.
///
/// It has a connection of its own, to which the server tells of commits (LISTEN); at rest nothing is asked.
/// Where nothing is told, as on a standby and behind a pooler that gives each transaction another connection,
/// it looks twice a second: at the history, or, of a store without one, whether any transaction of the server
/// has ended, which may be another's. A connection that is lost is replaced, and told of as a commit.
final class PostgreSQLStoreWatch: StoreWatch, @unchecked Sendable {
  private let store: PostgreSQLStore
  private let onCommit: @Sendable () -> Void
  /// Whether it asks to be told.
  private let mayListen: Bool
  /// Wakes the thread, when the watch ends.
  private let signal: Int32
  private let isEnded = Atomic(false)
  /// The thread's own, once it runs.
  @safe @exclusivity(unchecked) private var connection: PostgreSQLConnection
  @safe @exclusivity(unchecked) private(set) var isListening = false
  /// What has been committed when that was looked at last.
  @safe @exclusivity(unchecked) private var progress = ""

  private static let pause: Int32 = 500
  private static let pauseWithoutServer: Int32 = 1_000

  /// - Parameter onCommit: Called on a thread of the watch's own.
  /// - Throws: what connecting throws.
  init(_ store: PostgreSQLStore, mayListen: Bool = true, onCommit: @escaping @Sendable () -> Void) throws {
    self.store = store
    self.onCommit = onCommit
    self.mayListen = mayListen
    connection = try store.pool.open()
    signal = gs_make_signal()
    // What is committed from now on is told of.
    try reportingPostgreSQL(store.path) { try begin() }
    let thread = Thread { [self] in run() }
    thread.name = "GraphStore watch"
    thread.stackSize = 256 << 10
    thread.start()
  }

  deinit {
    if signal >= 0 { close(signal) }
  }

  func end() {
    isEnded.store(true, ordering: .releasing)
    gs_send_signal(signal)
  }

  // MARK: Beginning

  private func begin() throws {
    isListening = mayListen && !store.address.isPooledByTransaction && (try? listen()) == true
    progress = try presentProgress()
  }

  /// Asks to be told of commits.
  ///
  /// - Returns: Whether anything arrives that another connection tells.
  private func listen() throws -> Bool {
    try connection.run([.once(store.commits.listening)])
    guard try hearsTrial() else {
      try connection.run([.once(store.commits.unlistening)])
      return false
    }
    try connection.run([.once(store.commits.beginWaiting)])
    return true
  }

  private func hearsTrial() throws -> Bool {
    let trial = store.commits.trial()
    let other = try store.pool.open()
    defer { other.close() }
    try other.run([.once(trial.statement)])
    let deadline = ContinuousClock.now + .seconds(1)
    while true {
      while let text = connection.nextNotification() { if text == trial.text { return true } }
      guard .now < deadline else { return false }
      if wait(milliseconds: 100) { try connection.receiveNotifications() }
    }
  }

  private func presentProgress() throws -> String {
    // Behind a pooler a statement may not be prepared at the next connection.
    let cursor = try connection.run([.once(store.history.progress)])[0]
    return try cursor.step() ? cursor.string(at: 0) : ""
  }

  // MARK: Waiting

  private var hasEnded: Bool { isEnded.load(ordering: .acquiring) }

  private func run() {
    while !hasEnded {
      do {
        if try isListening ? hears() : sees() { onCommit() }
      } catch {
        // What was committed meanwhile nobody has told.
        if reconnect() { onCommit() }
      }
    }
    connection.close()
  }

  /// Waits until something is told.
  ///
  /// - Returns: Whether it was a commit.
  private func hears() throws -> Bool {
    var hears = false
    while let text = connection.nextNotification() {
      hears = hears || PostgreSQLCommitSignal.tellsOfCommit(text)
    }
    if !hears, wait(milliseconds: -1) { try connection.receiveNotifications() }
    return hears
  }

  /// Waits for a while, and looks.
  private func sees() throws -> Bool {
    _ = wait(milliseconds: Self.pause)
    if hasEnded { return false }
    let present = try presentProgress()
    defer { progress = present }
    return present != progress
  }

  /// - Returns: False where the watch has ended before.
  private func reconnect() -> Bool {
    connection.close()
    while !hasEnded {
      do {
        connection = try store.pool.open()
        try begin()
        return true
      } catch {
        connection.close()
        _ = wait(milliseconds: Self.pauseWithoutServer)
      }
    }
    return false
  }

  /// Waits until something arrives at the connection, or the watch ends, for so long.
  ///
  /// - Returns: Whether something has arrived.
  private func wait(milliseconds: Int32) -> Bool {
    var descriptors = [
      pollfd(fd: signal, events: Int16(POLLIN), revents: 0),
      pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    guard unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return false }
    return descriptors[1].revents != 0
  }
}

extension PostgreSQLStore {
  func watch(_ onCommit: @escaping @Sendable () -> Void) throws -> (any StoreWatch)? {
    try checkProcess()
    return try PostgreSQLStoreWatch(self, onCommit: onCommit)
  }
}
#endif
