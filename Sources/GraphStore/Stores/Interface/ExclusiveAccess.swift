import GraphStorePredicates
import Synchronization

/// The turn of a block that has the stores of a coordinator to itself (STO-034).
///
/// Stores ask it before a session begins. While it waits for the requests that are in progress, these may
/// begin what they still need; once the block has begun, nothing begins but the block's own.
package final class ExclusiveAccess: Sendable {
  private let hasBegun = Atomic<Bool>(false)

  /// Whether the calling thread works for the block, directly or in blocks that this waits for.
  package var isCurrent: Bool { ThreadRole.current.blocks.contains { $0 === self } }

  /// Whether the calling thread may begin a session.
  package var allowsCaller: Bool {
    if isCurrent { return true }
    return !hasBegun.load(ordering: .relaxed) && !SessionOwners.ofCaller.isEmpty
  }

  /// Records that no other caller has a session; called while no store can begin one.
  package func begin() { hasBegun.store(true, ordering: .relaxed) }
}

/// Owner of sessions that are open while the program's own code runs, or while it begins more of them.
package protocol SessionOwner: AnyObject {
  var openSessions: [any ReadSession] { get }
}

/// The requests and transactions within which a thread works.
package enum SessionOwners {
  package static var ofCaller: [any SessionOwner] {
    ThreadRole.current.blocks.compactMap { $0 as? any SessionOwner }
  }

  /// Runs a body that begins several sessions, none of which is open when the program's own code runs.
  package static func beginningSeveral<Result>(_ body: () throws -> Result) throws -> Result {
    try ThreadRole.current.running(blockOf: SeveralSessions(), body)
  }
}

/// Sessions of one request that are begun one after the other.
private final class SeveralSessions: SessionOwner {
  var openSessions: [any ReadSession] { [] }
}
