import CGraphStoreShims
import Synchronization

/// The rows of one store that some context holds an object for, or has identified, shared by all contexts of
/// the coordinator.
///
/// An entry lives as long as one of the objects that were counted as its holders (FLT-057), or as an
/// identifier result holds it (FET-073). It has the committed row; rows that a transaction has written or
/// read are in an overlay over it, which only the transaction's contexts see and which is published at the
/// commit (STO-275).
@safe package final class RowCache: @unchecked Sendable {
  package let lock = FutexLock()
  package let tables: [RowTable]
  /// The tables, unowned: a reference count would cost more than the look-up.
  private let heldTables: [Unmanaged<RowTable>]
  @safe @exclusivity(unchecked) package var overlay: RowOverlay?
  /// Records which rows of stale snapshots may not be cached.
  @safe @exclusivity(unchecked) package var snapshots = SnapshotLog()
  private let commits = Atomic<Int>(0)
  /// The time in nanoseconds that ages are measured by, which never runs backwards; nil where rows have no
  /// age.
  package var clock: (@Sendable () -> Int64)? {
    get { measuresAges.load(ordering: .relaxed) ? timer : nil }
    set {
      if let newValue { timer = newValue }
      setMeasuresAges(newValue != nil)
    }
  }
  @safe @exclusivity(unchecked) private var timer: @Sendable () -> Int64
  private let measuresAges: Atomic<Bool>

  /// Says whether rows have an age from now on: a store that others can write may take over the cache of one
  /// that is in memory. Any thread may read ages meanwhile.
  package func setMeasuresAges(_ measuresAges: Bool) {
    self.measuresAges.store(measuresAges, ordering: .relaxed)
  }

  /// The registry that was last to release a row; compared, never used.
  private var lastReleaser: ObjectIdentifier?
  /// The registries that have deferred releases.
  private var deferringRegistries: [any ReleaseSource] = []
  private let deferringCount = Atomic<Int>(0)

  /// - Parameter clock: The clock that ages are measured by; nil for a store that has all records in memory
  ///   (FLT-071).
  package init(_ layout: ModelLayout, clock: (@Sendable () -> Int64)? = { gs_coarse_nanoseconds() }) {
    timer = clock ?? { gs_coarse_nanoseconds() }
    measuresAges = Atomic(clock != nil)
    tables = layout.entities.map { _ in RowTable() }
    unsafe heldTables = unsafe tables.map { unsafe Unmanaged.passUnretained($0) }
  }

  /// The origin of a row, which decides whether it may replace another.
  package enum Origin {
    /// A read transaction that has begun at a count of commits; commits since then may have changed the row.
    case snapshot(Int)
    /// A read transaction of one record, of which no note was taken but of the count of commits at which it
    /// began: after another commit its row is not put in.
    case record(Int)
    /// A commit, or the present state of the database.
    case commit
    /// A transaction that is open.
    case transaction
    /// A query generation, whose state may be a former one: it is for the contexts that are pinned to it and
    /// enters no row cache (CTX-339).
    case generation
  }

  /// View of a reader: the rows that it may see.
  package enum View {
    /// Those that are committed.
    case committed
    /// Those of the open transaction, where it has some of its own.
    case transaction
  }

  // MARK: Looking up

  /// The committed row; in the view of the transaction, that of the open one.
  package func row(_ root: Int, _ key: Int64, in view: View) -> Row? {
    drainReleases()
    return lock.withLock { lockedRow(root, key, in: view) }
  }

  /// - Precondition: the lock is held.
  package func lockedRow(_ root: Int, _ key: Int64, in view: View) -> Row? {
    if view == .transaction, let overlay {
      if let found = overlay[root, key] { return found.row }
      if overlay.withdrawnTrees.contains(root) { return nil }
    }
    return tables[root].row(key)
  }

  // MARK: Ages

  /// How many seconds ago a row was read or written.
  package func age(of row: Row) -> Double {
    guard let clock, row.block.readTime > 0 else { return 0 }
    return Double(clock() - row.block.readTime) / 1e9
  }

  /// Records when the rows of a block were read or written, which is now unless they have been cached before.
  @inline(__always)
  private func stamp(_ block: RowBlock) {
    if block.readTime == 0, let clock { block.readTime = clock() }
  }

  // MARK: Putting in

  /// Puts a row in, and counts it as many more times as it has new holders.
  package func put(_ row: Row, key: Int64, holders: Int32, from origin: Origin) {
    lock.withLock { lockedPut(row, key: key, holders: holders, from: origin) }
  }

  /// - Precondition: the lock is held.
  package func lockedPut(_ row: Row, key: Int64, holders: Int32, from origin: Origin) {
    assert(!row.block.isPrivate, "a row of one context alone")
    let root = row.layout.rootIndex
    let table = tables[root]
    stamp(row.block)
    switch origin {
    case .transaction: lockedPut(row, key: key, over: table, holders: holders)
    case .snapshot(let commitNumber) where snapshots.wasWithdrawn(root, key, since: commitNumber):
      table.addHolders(holders, key)
    case .snapshot(let commitNumber) where snapshots.isPresent(commitNumber),
      .record(let commitNumber) where snapshots.isPresent(commitNumber):
      table.put(row, key: key, holders: holders)
    case .record:
      table.addHolders(holders, key)
    case .generation: assertionFailure("a row of a former state")
    case .snapshot, .commit:
      table.putUnlessOlder(row, key: key, holders: holders)
    }
  }

  /// Puts in the rows of a run, under one lock.
  ///
  /// - Parameters:
  ///   - run: Its block has been retained once for each row.
  ///   - isHolder: A bit for each row whose object is counted among its holders.
  package func put(
    _ run: RowBatch.Run, keys: UnsafePointer<Int64>, isHolder: UInt64, from origin: Origin
  ) {
    let root = run.block.layout.rootIndex
    let block = unsafe Unmanaged.passUnretained(run.block).toOpaque()
    var releases = BlockReleases()
    lock.withLock {
      stamp(run.block)
      guard takesDirectly(origin) else {
        unsafe releases.add(block, count: UInt32(run.count))
        for index in 0..<run.count {
          lockedPut(
            Row(block: run.block, index: run.firstRow + index), key: unsafe keys[index],
            holders: isHolder >> UInt64(index) & 1 == 1 ? 0 : 1, from: origin)
        }
        return
      }
      let rows = tables[root]
      for index in 0..<run.count {
        let holders: Int32 = isHolder >> UInt64(index) & 1 == 1 ? 0 : 1
        if let former = unsafe rows.replace(block, run.firstRow + index, keys[index], holders: holders) {
          unsafe releases.add(former)
        }
      }
    }
  }

  /// Whether rows may be put into the tables as they are.
  ///
  /// - Precondition: the lock is held.
  @inline(__always)
  package func takesDirectly(_ origin: Origin) -> Bool {
    if case .snapshot(let commitNumber) = origin { snapshots.isPresent(commitNumber) } else { false }
  }

  /// The rows of one entity tree.
  ///
  /// - Precondition: the lock is held.
  @inline(__always)
  package func lockedTable(_ root: Int) -> RowTable { tables[root] }

  /// Counts one holder of a row more, if there is one; false where there is none.
  package func addHolder(_ root: Int, _ key: Int64) -> Bool {
    lock.withLock { tables[root].addHolderIfKnown(key) }
  }

  // MARK: Releases

  /// Counts one holder of a row less.
  ///
  /// - Returns: The block of a row that leaves with it, to be released; and whether another registry has
  ///   released rows since this one last did.
  @inline(__always)
  package func release(
    _ root: Int, _ key: Int64, by registry: ObjectIdentifier
  ) -> (block: UnsafeMutableRawPointer?, isContended: Bool) {
    unsafe lock.withLock { unsafe (lockedRelease(root, key), isContended(by: registry)) }
  }

  /// Subtracts holders whose releases a registry has deferred.
  ///
  /// - Parameters:
  ///   - releases: The rows.
  ///   - registry: The registry that released them.
  ///   - staysDeferring: Whether more follow, so that the registry is still to be asked before rows are
  ///     looked up.
  /// - Returns: Whether another registry has released rows since this one last did.
  package func release(_ releases: [RowRelease], by registry: any ReleaseSource, staysDeferring: Bool) -> Bool
  {
    var blocks = BlockReleases()
    return lock.withLock {
      for release in releases {
        if let block = unsafe lockedRelease(release.root, release.key) { unsafe blocks.add(block) }
      }
      if !staysDeferring { lockedEndDeferring(registry) }
      return isContended(by: ObjectIdentifier(registry))
    }
  }

  /// Counts one holder of each of some rows less that were held without an object.
  package func release(_ root: Int, keys: [Int64]) {
    var blocks = BlockReleases()
    lock.withLock {
      for key in keys {
        if let block = unsafe lockedRelease(root, key) { unsafe blocks.add(block) }
      }
    }
  }

  @inline(__always)
  private func isContended(by registry: ObjectIdentifier) -> Bool {
    if lastReleaser == registry { return false }
    defer { lastReleaser = registry }
    return lastReleaser != nil
  }

  @inline(__always)
  private func lockedRelease(_ root: Int, _ key: Int64) -> UnsafeMutableRawPointer? {
    let block = unsafe heldTables[root]._withUnsafeGuaranteedRef { unsafe $0.release(key) }
    if let overlay, !tables[root].hasHolder(key) { overlay.remove(root, key) }
    return unsafe block
  }

  /// Records that a registry defers releases.
  package func beginDeferring(_ registry: any ReleaseSource) {
    lock.withLock {
      deferringRegistries.append(registry)
      deferringCount.store(deferringRegistries.count, ordering: .releasing)
    }
  }

  private func lockedEndDeferring(_ registry: any ReleaseSource) {
    deferringRegistries.removeAll { $0 === registry }
    deferringCount.store(deferringRegistries.count, ordering: .releasing)
  }

  /// Carries out the releases that registries have deferred, before the cache is asked which rows are there.
  @inline(__always)
  package func drainReleases() {
    if deferringCount.load(ordering: .acquiring) > 0 { drainDeferring() }
  }

  @inline(never)
  private func drainDeferring() {
    for registry in lock.withLock({ deferringRegistries }) { registry.drainReleases() }
  }

  // MARK: Forgetting

  /// Forgets rows that are stale; their holders stay counted until they are released.
  package func forget(_ root: Int, _ keys: [Int64], in view: View = .committed) {
    lock.withLock {
      for key in keys {
        switch view {
        case .committed: tables[root].forget(key)
        case .transaction: lockedHide(root, key)
        }
      }
    }
  }

  /// Forgets every row, of a store that was closed.
  package func empty() { lock.withLock { for table in tables { table.empty() } } }

  // MARK: Commits and snapshots

  /// Records that a read transaction begins; its rows are cached as ``Origin/snapshot(_:)`` of the count.
  package func beginSnapshot() -> Int { lock.withLock { snapshots.begin() } }

  /// Records that a read transaction has ended.
  package func endSnapshot(_ commitNumber: Int) { lock.withLock { snapshots.end(commitNumber) } }

  /// Records that the read transaction of a query generation begins, whose rows are not cached.
  package func beginPin() -> Int { lock.withLock { snapshots.beginPin() } }

  /// Records that a query generation has ended.
  package func endPin(_ commitNumber: Int) { lock.withLock { snapshots.endPin(commitNumber) } }

  /// The number of commits that the oldest open read transaction sees; nil where none is open.
  package var oldestSnapshot: Int? { lock.withLock { snapshots.oldest } }

  /// The count of commits, at which a read transaction begins of which no note is taken; see
  /// ``Origin/record(_:)``.
  package var commitCount: Int { commits.load(ordering: .acquiring) }

  /// Records a commit, and forgets the rows that it has deleted, or whose derived values it has changed.
  package func recordCommit(_ record: CommitRecord) {
    let withdrawn = record.withdrawn
    lock.withLock {
      for (root, keys) in withdrawn {
        for key in keys { tables[root].forget(key) }
      }
      lockedRecordCommit(withdrawing: withdrawn)
    }
  }

  /// - Precondition: the lock is held.
  package func lockedRecordCommit(withdrawing rows: [(root: Int, keys: [Int64])], trees: Set<Int> = []) {
    snapshots.recordCommit(withdrawing: rows, trees: trees)
    commits.store(snapshots.commits, ordering: .releasing)
  }

  // MARK: Counting

  /// The number of cached rows (FLT-065).
  package var count: Int {
    drainReleases()
    return lock.withLock { tables.reduce(0) { $0 + $1.rowCount } }
  }

  /// Checks every table. Costs a walk of the cache.
  package func checkInvariants() throws(InvariantViolation) {
    drainReleases()
    try lock.withLock { () throws(InvariantViolation) in
      for table in tables { try table.checkInvariants() }
    }
  }
}

/// A holder that a cached row has lost.
package struct RowRelease {
  package let root: Int
  package let key: Int64
}

/// A registry of objects that puts releases off, and carries them out when it is asked to.
package protocol ReleaseSource: AnyObject {
  /// Carries out the releases that were deferred.
  func drainReleases()
}
