import CGraphStoreShims

/// Log of the commits that the read transactions of a store may have missed.
///
/// A read transaction that began before a commit still sees the former rows. Its rows may not replace newer
/// ones in the row cache, and those that were withdrawn meanwhile may not enter it again: rows of deleted
/// records, and those whose derived values have changed, which have no newer version to be detected by.
package struct SnapshotLog {
  private struct Withdrawal {
    let commit: Int
    let root: Int
    /// Nil for all rows of the tree.
    let keys: Set<Int64>?
  }

  /// The number of commits.
  package private(set) var commits = 0
  /// The read transactions that are open, by the count of commits at which they began.
  private var open: [(commitNumber: Int, count: Int)] = []
  /// The rows withdrawn while some of them were open, in the order of the commits.
  private var withdrawals: [Withdrawal] = []

  /// Those of query generations, by the counts at which they began: their rows are not cached, so that
  /// nothing is logged for them, however long they last.
  private var pins: [Int] = []

  /// The number of commits that the oldest open read transaction sees; nil where none is open.
  package var oldest: Int? { [open.first?.commitNumber, pins.first].compactMap(\.self).min() }

  package mutating func beginPin() -> Int {
    pins.append(commits)
    return commits
  }

  package mutating func endPin(_ commitNumber: Int) {
    if let place = pins.firstIndex(of: commitNumber) { pins.remove(at: place) }
  }

  /// The number of rows that are logged, with one for each tree that was withdrawn as a whole.
  package var withdrawalCount: Int { withdrawals.reduce(0) { $0 + ($1.keys?.count ?? 1) } }

  package mutating func begin() -> Int {
    if let last = open.last, last.commitNumber == commits {
      open[open.count - 1].count += 1
    } else {
      open.append((commits, 1))
    }
    return commits
  }

  package mutating func end(_ commitNumber: Int) {
    guard let place = open.lastIndex(where: { $0.commitNumber == commitNumber }) else { return }
    open[place].count -= 1
    guard open[place].count == 0 else { return }
    open.remove(at: place)
    if withdrawals.isEmpty { return }
    let oldest = open.first?.commitNumber ?? commits
    withdrawals.removeAll { $0.commit <= oldest }
  }

  /// - Parameter trees: The entity trees of which any row may have been withdrawn.
  package mutating func recordCommit(withdrawing rows: [(root: Int, keys: [Int64])], trees: Set<Int> = []) {
    commits += 1
    if open.isEmpty { return }
    withdrawals += trees.map { Withdrawal(commit: commits, root: $0, keys: nil) }
    withdrawals += rows.map { Withdrawal(commit: commits, root: $0.root, keys: Set($0.keys)) }
  }

  /// Whether nothing was committed since a read transaction began.
  @inline(__always)
  package func isPresent(_ commitNumber: Int) -> Bool { commitNumber == commits }

  /// Whether the row of a record was withdrawn by a commit that a read transaction does not see.
  package func wasWithdrawn(_ root: Int, _ key: Int64, since commitNumber: Int) -> Bool {
    guard !withdrawals.isEmpty, commitNumber != commits else { return false }
    return withdrawals.contains {
      $0.commit > commitNumber && $0.root == root && $0.keys?.contains(key) != false
    }
  }
}

/// Releases of row blocks that wait until a lock is free; those of one block that follow each other are
/// carried out as one.
@safe package struct BlockReleases: ~Copyable {
  private var block: UnsafeMutableRawPointer?
  private var count: UInt32 = 0

  /// Adds releases of a block.
  @inline(__always)
  package mutating func add(_ added: UnsafeMutableRawPointer, count more: UInt32 = 1) {
    if unsafe added != block {
      carryOut()
      unsafe block = unsafe added
      count = 0
    }
    count += more
  }

  @inline(__always)
  private func carryOut() {
    if let block = unsafe block { unsafe gs_release_n(block, count) }
  }

  deinit { carryOut() }
}
