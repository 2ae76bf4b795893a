import Glibc
import Synchronization

/// Stores in files that this process has open, whatever coordinator has them.
enum OpenStores {
  private struct Entry {
    var count = 0
    /// Descriptors that wait to be closed: one, but for what several threads opened at once.
    var kept: [Int32] = []
  }

  private static let entries = Mutex<[FileIdentity: Entry]>([:])

  /// Takes note that the file of an identity is open once more.
  static func enter(_ identity: FileIdentity) {
    entries.withLock { $0[identity, default: Entry()].count += 1 }
  }

  /// Takes note that the file of an identity is open once less.
  static func leave(_ identity: FileIdentity) {
    let kept = entries.withLock { entries -> [Int32] in
      guard var entry = entries[identity] else { return [] }
      entry.count -= 1
      assert(entry.count >= 0, "a file is left as often as it was entered")
      entries[identity] = entry.count > 0 ? entry : nil
      return entry.count > 0 ? [] : entry.kept
    }
    for descriptor in kept { close(descriptor) }
  }

  /// Whether the file at a path is open.
  static func contains(_ path: String) -> Bool {
    guard let identity = FileIdentity(path) else { return false }
    return entries.withLock { $0[identity] != nil }
  }

  /// The first bytes of the file at a path; nil where it cannot be read.
  ///
  /// A process that closes any descriptor of a file loses all locks that it has on the file (POSIX), those of SQLite's
  /// connections among them: so the descriptor of a store that is open is kept until that is closed, and used again.
  static func firstBytes(_ path: String, count: Int) -> [UInt8]? {
    if let identity = FileIdentity(path) {
      let bytes = entries.withLock { entries in
        entries[identity]?.kept.first.flatMap { firstBytes($0, count: count) }
      }
      if let bytes { return bytes }
    }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let bytes = firstBytes(descriptor, count: count)
    if !keeps(descriptor) { close(descriptor) }
    return bytes
  }

  private static func firstBytes(_ descriptor: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let length = unsafe pread(descriptor, &bytes, count, 0)
    return length < 0 ? nil : Array(bytes.prefix(length))
  }

  private static func keeps(_ descriptor: Int32) -> Bool {
    guard let identity = FileIdentity(descriptor: descriptor) else { return false }
    return entries.withLock { entries in
      guard entries[identity] != nil else { return false }
      entries[identity]?.kept.append(descriptor)
      return true
    }
  }
}
