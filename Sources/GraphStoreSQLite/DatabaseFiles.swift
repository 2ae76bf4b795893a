import Glibc
import Synchronization

/// Files that connections of this process have open, and descriptors that are kept from being closed beside them.
///
/// A process that closes any descriptor of a file loses all locks that it has on the file (POSIX), those of SQLite's
/// connections among them; SQLite itself sees to that among its own descriptors only. So whatever else opens a file
/// that may be a database closes it here: beside a connection the descriptor is kept until the last one is closed.
/// Any thread may use it.
public enum DatabaseFiles {
  private struct Entry {
    /// How many connections have the file open.
    var connections = 0
    /// Descriptors that wait to be closed: one, but for what several threads opened at once.
    var kept: [Int32] = []
  }

  private static let entries = Mutex<[FileIdentity: Entry]>([:])

  /// Takes note that one more connection has files open.
  static func enter(_ files: Set<FileIdentity>) {
    guard !files.isEmpty else { return }
    entries.withLock { entries in
      for file in files { entries[file, default: Entry()].connections += 1 }
    }
  }

  /// Takes note that one connection less has files open; after the last one their descriptors are closed.
  static func leave(_ files: Set<FileIdentity>) {
    guard !files.isEmpty else { return }
    entries.withLock { entries in
      for file in files {
        guard var entry = entries[file] else { continue }
        entry.connections -= 1
        assert(entry.connections >= 0, "a file is left as often as it was entered")
        entries[file] = entry.connections > 0 ? entry : nil
        // Within the lock: a connection that comes now has no locks yet to lose.
        if entry.connections == 0 { for descriptor in entry.kept { Glibc.close(descriptor) } }
      }
    }
  }

  /// Closes a descriptor, at once or, where a connection has its file open, when the last one is closed.
  public static func close(_ descriptor: Int32) {
    entries.withLock { entries in
      if let file = FileIdentity(descriptor: descriptor), entries[file] != nil {
        entries[file]?.kept.append(descriptor)
      } else {
        Glibc.close(descriptor)
      }
    }
  }

  /// The first bytes of the file at a path; nil where it cannot be read.
  ///
  /// Of a file that a connection has open one descriptor is kept and read again.
  public static func firstBytes(_ path: String, count: Int) -> [UInt8]? {
    if let file = FileIdentity(path) {
      let bytes = entries.withLock { entries in
        entries[file]?.kept.lazy.compactMap { firstBytes($0, count: count) }.first
      }
      if let bytes { return bytes }
    }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return firstBytes(descriptor, count: count)
  }

  private static func firstBytes(_ descriptor: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let length = unsafe pread(descriptor, &bytes, count, 0)
    return length < 0 ? nil : Array(bytes.prefix(length))
  }
}
