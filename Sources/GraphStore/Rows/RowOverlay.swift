/// The rows as an open transaction sees them, where they are not those that were committed.
///
/// Guarded by the lock of its row cache. It has rows only as long as objects hold them.
final class RowOverlay {
  enum Entry {
    /// The row that the transaction has written or read.
    case present(Row)
    /// The transaction has changed or deleted the record, and has to read it anew.
    case unknown

    var row: Row? { if case .present(let row) = self { row } else { nil } }
  }

  /// By entity tree and key.
  private var entries: [Int: [Int64: Entry]] = [:]
  /// The records that the transaction has deleted, or whose derived values it has changed.
  var withdrawals: [(root: Int, keys: [Int64])] = []

  subscript(root: Int, key: Int64) -> Entry? {
    get { entries[root]?[key] }
    set { entries[root, default: [:]][key] = newValue }
  }

  func remove(_ root: Int, _ key: Int64) { entries[root]?[key] = nil }

  /// Lets every row be read anew.
  func invalidate() {
    for (root, rows) in entries { entries[root] = rows.mapValues { _ in .unknown } }
  }

  func forEach(_ body: (_ root: Int, _ key: Int64, Entry) -> Void) {
    for (root, rows) in entries {
      for (key, entry) in rows { body(root, key, entry) }
    }
  }
}
