import Glibc
import Synchronization

/// Stores in files that this process has open, whatever coordinator has them.
enum OpenStores {
  private struct Entry {
    var count = 0
    /// Descriptors of others that wait to be closed.
    var waiting: [Int32] = []
  }

  private static let entries = Mutex<[FileIdentity: Entry]>([:])

  /// Takes note that the file of an identity is open once more.
  static func enter(_ identity: FileIdentity) {
    entries.withLock { $0[identity, default: Entry()].count += 1 }
  }

  /// Takes note that the file of an identity is open once less.
  static func leave(_ identity: FileIdentity) {
    let waiting = entries.withLock { entries -> [Int32] in
      guard var entry = entries[identity] else { return [] }
      entry.count -= 1
      assert(entry.count >= 0, "a file is left as often as it was entered")
      entries[identity] = entry.count > 0 ? entry : nil
      return entry.count > 0 ? [] : entry.waiting
    }
    for descriptor in waiting { Glibc.close(descriptor) }
  }

  /// Whether the file at a path is open.
  static func contains(_ path: String) -> Bool {
    guard let identity = FileIdentity(path) else { return false }
    return entries.withLock { $0[identity] != nil }
  }

  /// Closes a descriptor; that of a store which is open once that is closed.
  ///
  /// A process that closes any descriptor of a file loses all locks that it has on the file (POSIX), those of SQLite's
  /// connections among them.
  static func close(_ descriptor: Int32) {
    if let identity = FileIdentity(descriptor: descriptor) {
      let waits = entries.withLock { entries in
        guard entries[identity] != nil else { return false }
        entries[identity]?.waiting.append(descriptor)
        return true
      }
      if waits { return }
    }
    Glibc.close(descriptor)
  }
}
