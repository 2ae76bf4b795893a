import GraphStoreFiles
import Synchronization

/// Stores in files that this process has open, in any coordinator.
enum OpenStores {
  /// The files, each as often as it is open.
  private static let files = Mutex<[FileIdentity]>([])

  /// Records that the file of an identity is open once more.
  static func enter(_ identity: FileIdentity) { files.withLock { $0.append(identity) } }

  /// Records that the file of an identity is open once less.
  static func leave(_ identity: FileIdentity) {
    files.withLock { files in
      guard let place = files.lastIndex(of: identity) else { return }
      files.remove(at: place)
    }
  }

  /// Whether the file at a path is open.
  static func contains(_ path: String) -> Bool {
    guard let identity = FileIdentity(path) else { return false }
    return files.withLock { $0.contains(identity) }
  }
}
