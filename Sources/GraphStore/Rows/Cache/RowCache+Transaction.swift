/// Overlay of an open transaction: the rows that it has read and written hide the committed ones, and are
/// published at its commit.
extension RowCache {
  /// Puts a row over the table that the transaction has read or written.
  ///
  /// - Precondition: the lock is held.
  package func lockedPut(_ row: Row, key: Int64, over table: RowTable, holders: Int32) {
    table.addHolders(holders, key)
    if table.hasHolder(key) { makeOverlay()[row.layout.rootIndex, key] = .present(row) }
  }

  /// Records that the open transaction has deleted records.
  package func recordDeletions(_ record: CommitRecord) {
    recordWithdrawals(record.request.deletions.map { ($0.root.index, $0.keys) })
  }

  /// Records that the open transaction has changed derived values, which raises no versions.
  package func recordDerivedValues(_ values: [DerivedValue]) { recordWithdrawals(values.keysByRoot) }

  /// Records that rows which the open transaction has changed or deleted have to be read anew.
  package func recordWithdrawals(_ rows: [(root: Int, keys: [Int64])]) {
    lock.withLock {
      for (root, keys) in rows {
        for key in keys { lockedHide(root, key) }
        makeOverlay().withdrawals.append((root, keys))
      }
    }
  }

  /// Whether rows of an entity tree are known, in the view of the open transaction too.
  package func knowsRows(of root: Int) -> Bool {
    drainReleases()
    return lock.withLock { tables[root].rowCount > 0 || overlay?.hasEntries(root) == true }
  }

  /// Records that any row of an entity tree may have been changed or deleted by the open transaction, which
  /// does not know of which ones this is true: all have to be read anew.
  package func recordWithdrawal(ofTree root: Int) { lock.withLock { makeOverlay().withdrawTree(root) } }

  /// Lets the transaction read a row anew that it has changed.
  package func lockedHide(_ root: Int, _ key: Int64) {
    if tables[root].hasHolder(key) { makeOverlay()[root, key] = .unknown }
  }

  /// The overlay of the open transaction, made when it has its first row.
  ///
  /// - Precondition: the lock is held.
  private func makeOverlay() -> RowOverlay {
    if let overlay { return overlay }
    let made = RowOverlay()
    overlay = made
    return made
  }

  /// Publishes what the transaction, which has been committed, has read and written.
  ///
  /// Rows that it has withdrawn leave the tables first: another context may have read one meanwhile, as it
  /// was before.
  package func publishOverlay() {
    lock.withLock {
      for root in overlay?.withdrawnTrees ?? [] { tables[root].empty() }
      for (root, keys) in overlay?.withdrawals ?? [] where tables[root].rowCount > 0 {
        for key in keys { tables[root].forget(key) }
      }
      overlay?.forEach { root, key, entry in
        switch entry {
        case .present(let row): tables[root].putUnlessOlder(row, key: key, holders: 0)
        case .unknown: tables[root].forget(key)
        }
      }
      lockedRecordCommit(withdrawing: overlay?.withdrawals ?? [], trees: overlay?.withdrawnTrees ?? [])
      overlay = nil
    }
  }

  /// Makes the transaction, of which a part was rolled back, read its rows again.
  package func invalidateOverlay() { lock.withLock { overlay?.invalidate() } }

  /// Forgets the rows that the transaction, which was rolled back, has read and written.
  package func dropOverlay() { lock.withLock { overlay = nil } }
}

/// The rows as an open transaction sees them, where they are not those that were committed.
///
/// Guarded by the lock of its row cache. It has rows only as long as objects hold them.
package final class RowOverlay {
  package enum Entry {
    /// The row that the transaction has written or read.
    case present(Row)
    /// The transaction has changed or deleted the record, and has to read it anew.
    case unknown

    package var row: Row? { if case .present(let row) = self { row } else { nil } }
  }

  /// By entity tree and key.
  private var entries: [Int: [Int64: Entry]] = [:]
  /// The records that the transaction has deleted, or whose derived values it has changed.
  package var withdrawals: [(root: Int, keys: [Int64])] = []
  /// The entity trees of which any row that is no entry may be another one now.
  package private(set) var withdrawnTrees: Set<Int> = []

  package subscript(root: Int, key: Int64) -> Entry? {
    get { entries[root]?[key] }
    set { entries[root, default: [:]][key] = newValue }
  }

  package func remove(_ root: Int, _ key: Int64) { entries[root]?[key] = nil }

  package func hasEntries(_ root: Int) -> Bool { entries[root]?.isEmpty == false }

  /// Lets every row of an entity tree be read anew, those that follow in the overlay aside.
  package func withdrawTree(_ root: Int) {
    entries[root] = entries[root]?.mapValues { _ in .unknown }
    withdrawnTrees.insert(root)
  }

  /// Lets every row be read anew.
  package func invalidate() {
    for (root, rows) in entries { entries[root] = rows.mapValues { _ in .unknown } }
  }

  package func forEach(_ body: (_ root: Int, _ key: Int64, Entry) -> Void) {
    for (root, rows) in entries {
      for (key, entry) in rows { body(root, key, entry) }
    }
  }
}
