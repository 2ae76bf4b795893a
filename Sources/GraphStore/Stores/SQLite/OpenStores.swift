import GraphStoreSQLite
import Synchronization

/// Stores in files that this process has open, whatever coordinator has them.
package enum OpenStores {
  private static let counts = Mutex<[FileIdentity: Int]>([:])

  /// Takes note that the file of an identity is open once more.
  static func enter(_ identity: FileIdentity) {
    counts.withLock { $0[identity, default: 0] += 1 }
  }

  /// Takes note that the file of an identity is open once less.
  static func leave(_ identity: FileIdentity) {
    counts.withLock { counts in
      guard let count = counts[identity] else { return }
      assert(count > 0, "a file is left as often as it was entered")
      counts[identity] = count > 1 ? count - 1 : nil
    }
  }

  /// Whether the file at a path is open.
  static func contains(_ path: String) -> Bool {
    guard let identity = FileIdentity(path) else { return false }
    return counts.withLock { $0[identity] != nil }
  }

  /// Closes a descriptor of a file that may be a store's, beside whose connections it has to stay open.
  package static func closeDescriptor(_ descriptor: Int32) { DatabaseFiles.close(descriptor) }
}
