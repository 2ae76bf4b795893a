/// Which commits the read transactions of a store may have missed.
///
/// A read transaction that began before a commit goes on seeing what was there before. Its rows may not take the place
/// of newer ones in the row cache, and rows of records that were deleted meanwhile may not come back into it.
struct SnapshotLog {
  private struct Deletion {
    let commit: Int
    let root: Int
    let keys: Set<Int64>
  }

  /// How many commits there were.
  private(set) var commits = 0
  /// The read transactions that are open, by the count of commits at which they began.
  private var open: [(moment: Int, count: Int)] = []
  /// What was deleted while some of them were open, in the order of the commits.
  private var deletions: [Deletion] = []

  mutating func begin() -> Int {
    if let last = open.last, last.moment == commits {
      open[open.count - 1].count += 1
    } else {
      open.append((commits, 1))
    }
    return commits
  }

  mutating func end(_ moment: Int) {
    guard let place = open.lastIndex(where: { $0.moment == moment }) else { return }
    open[place].count -= 1
    guard open[place].count == 0 else { return }
    open.remove(at: place)
    if deletions.isEmpty { return }
    let oldest = open.first?.moment ?? commits
    deletions.removeAll { $0.commit <= oldest }
  }

  mutating func recordCommit(_ deleted: [(root: Int, keys: [Int64])]) {
    commits += 1
    if open.isEmpty { return }
    deletions += deleted.map { Deletion(commit: commits, root: $0.root, keys: Set($0.keys)) }
  }

  /// Whether nothing was committed since a read transaction began.
  @inline(__always)
  func isPresent(_ moment: Int) -> Bool { moment == commits }

  /// Whether a record was deleted by a commit that a read transaction does not see.
  func wasDeleted(_ root: Int, _ key: Int64, since moment: Int) -> Bool {
    guard !deletions.isEmpty, moment != commits else { return false }
    return deletions.contains { $0.commit > moment && $0.root == root && $0.keys.contains(key) }
  }
}
