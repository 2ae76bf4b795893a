import Synchronization

/// Stores in files that this process has open, whatever coordinator has them.
enum OpenStores {
  private static let counts = Mutex<[FileIdentity: Int]>([:])

  /// Takes note that the file of an identity is open once more.
  static func enter(_ identity: FileIdentity) { counts.withLock { $0[identity, default: 0] += 1 } }

  /// Takes note that the file of an identity is open once less.
  static func leave(_ identity: FileIdentity) {
    counts.withLock { counts in
      let count = counts[identity, default: 0] - 1
      counts[identity] = count > 0 ? count : nil
    }
  }

  /// Whether the file at a path is open.
  static func contains(_ path: String) -> Bool {
    guard let identity = FileIdentity(path) else { return false }
    return counts.withLock { $0[identity] != nil }
  }
}
