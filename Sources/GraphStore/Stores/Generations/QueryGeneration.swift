import Dispatch
import GraphStorePredicates

/// A query generation: the open read sessions of all stores at one state, shared by the contexts that are
/// pinned to it, and ended when the last of them lets go (CTX-345).
///
/// Requests take turns, since each store has one connection for it; a request within another one's callbacks
/// is a part of that. While a request reads, the generation is one of the owners of sessions whose work the
/// thread does.
final class QueryGeneration: SessionOwner, @unchecked Sendable {
  private struct Part {
    let index: Int32
    let store: any PersistentStore
    /// Nil for a store that keeps no states, which is read as it is.
    let session: (any GenerationSession)?
  }

  let token = QueryGenerationToken.next()
  /// The coordinator's count of saves before it began: later ones may be a part of it.
  let commitNumber: Int
  private let parts: [Part]
  private let isTaken = Monitor(false)
  /// The sessions of the request whose turn it is; only its thread touches them.
  @safe @exclusivity(unchecked) private var entered: [any GenerationSession] = []

  /// Begins to read all stores, as near to one moment as can be.
  ///
  /// - Throws: `query-generation-unavailable` where a store has as many as it may have; what beginning to
  ///   read throws. None is open then.
  init(of mounts: [Mount], commitNumber: Int) throws {
    self.commitNumber = commitNumber
    var begun: [Part] = []
    do {
      for mount in mounts {
        begun.append(
          Part(index: mount.index, store: mount.store, session: try mount.store.beginGeneration()))
      }
    } catch {
      for part in begun { part.session?.end() }
      throw error
    }
    parts = begun
  }

  deinit {
    for part in parts { part.session?.end() }
  }

  // MARK: Stores

  /// Whether a store was there when it began.
  func contains(_ index: Int32) -> Bool { parts.contains { $0.index == index } }

  /// Whether rows of a store that were read in it stay as they are.
  func keeps(_ index: Int32) -> Bool { parts.contains { $0.index == index && $0.session != nil } }

  /// Whether it has the stores that are mounted where they are now: one whose file was moved is another.
  func fits(_ mounts: [Mount]) -> Bool {
    parts.allSatisfy { part in mounts.allSatisfy { $0.index != part.index || $0.store === part.store } }
  }

  /// Whether a generation that began now would be at the same state of the same stores.
  func isPresent(_ mounts: [Mount]) -> Bool {
    mounts.map(\.index) == parts.map(\.index) && fits(mounts)
      && parts.allSatisfy { $0.session?.isPresent ?? true }
  }

  /// The session of a store within a request; nil for a store that keeps no states.
  ///
  /// - Throws: `no-store` once the store is closed.
  func session(_ index: Int32) throws -> (any ReadSession)? {
    guard let part = parts.first(where: { $0.index == index }) else { return EmptyReadSession() }
    guard let session = part.session else { return nil }
    if entered.contains(where: { $0 === session }) { return session }
    throw GraphStoreError(
      .noStore, "\(part.store.path) was closed.", remedy: "Open the store again.")
  }

  var openSessions: [any ReadSession] { entered }

  // MARK: Turns

  /// Runs a request, in its turn.
  ///
  /// - Throws: `store-timeout` where another request, or a block that has a store to itself, lasts too long;
  ///   what the body throws.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    let role = ThreadRole.current
    if role.blocks.contains(where: { $0 === self }) { return try body() }
    // Before the turn: who waits for a block that has the stores to itself keeps it from none.
    let sessions = try enter()
    do { try takeTurn() } catch {
      for session in sessions { session.leave() }
      throw error
    }
    entered = sessions
    defer {
      entered = []
      isTaken.change { $0 = false }
      for session in sessions { session.leave() }
    }
    return try role.running(blockOf: self, body)
  }

  private func enter() throws -> [any GenerationSession] {
    var sessions: [any GenerationSession] = []
    do {
      for case let session? in parts.map(\.session) where try session.enter() { sessions.append(session) }
    } catch {
      for session in sessions { session.leave() }
      throw error
    }
    return sessions
  }

  private func takeTurn() throws {
    let timeout = parts.map(\.store.options.timeout).max() ?? StoreOptions.defaultTimeout
    try isTaken.wait(until: .now() + timeout.dispatchInterval) { isTaken -> Void? in
      if isTaken { return nil }
      isTaken = true
      return ()
    } else: { _ in
      GraphStoreError(
        .storeTimeout,
        "Another context that is pinned to the same state has been reading it for longer than \(timeout).",
        remedy: "Let the other request end, or pin the contexts one after the other, with saves between.")
    }
  }
}
