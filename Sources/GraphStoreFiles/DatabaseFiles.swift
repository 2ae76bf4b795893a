import Glibc
import Synchronization

/// Files that connections of this process have open, and descriptors that are kept from being closed beside
/// them.
///
/// A process that closes any descriptor of a file loses all locks that it has on the file (POSIX), those of
/// SQLite's connections among them; SQLite itself handles that for its own descriptors only. So other code
/// that opens a file that may be a database closes it here: beside a connection the descriptor is kept until
/// the last one is closed. Any thread may use it.
package enum DatabaseFiles {
  /// A file that connections have open.
  private struct Entry {
    let file: FileIdentity
    var connections = 1
    /// Descriptors that wait to be closed: one, but for what several threads opened at once.
    var kept: [Int32] = []
  }

  /// A list: a process has few files open, and a dictionary would cost a command more to make than to ask.
  private static let entries = Mutex<[Entry]>([])

  /// Records that one more connection has a file open.
  package static func enter(_ file: FileIdentity) {
    entries.withLock { entries in
      if let place = place(of: file, in: entries) {
        entries[place].connections += 1
      } else {
        entries.append(Entry(file: file))
      }
    }
  }

  /// Records that one connection less has a file open; after the last one its descriptors are closed.
  package static func leave(_ file: FileIdentity) {
    entries.withLock { entries in
      guard let place = place(of: file, in: entries) else { return }
      entries[place].connections -= 1
      guard entries[place].connections == 0 else { return }
      // Within the lock: a connection that is opened now has no locks yet to lose.
      for descriptor in entries.remove(at: place).kept { Glibc.close(descriptor) }
    }
  }

  /// Closes a descriptor, at once or, where a connection has its file open, when the last one is closed.
  package static func close(_ descriptor: Int32) {
    entries.withLock { entries in
      if let file = FileIdentity(descriptor: descriptor), let place = place(of: file, in: entries) {
        entries[place].kept.append(descriptor)
      } else {
        Glibc.close(descriptor)
      }
    }
  }

  private static func place(of file: FileIdentity, in entries: [Entry]) -> Int? {
    entries.indices.first { entries[$0].file == file }
  }

  /// The first bytes of the file at a path; nil where it cannot be read.
  ///
  /// For a file that a connection has open one descriptor is kept and read again.
  package static func firstBytes(_ path: String, count: Int) -> [UInt8]? {
    if let file = FileIdentity(path) {
      let bytes = entries.withLock { entries in
        place(of: file, in: entries).flatMap { firstBytes(ofAny: entries[$0].kept, count: count) }
      }
      if let bytes { return bytes }
    }
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return firstBytes(descriptor, count: count)
  }

  /// The first bytes by the first descriptor that can be read.
  private static func firstBytes(ofAny descriptors: [Int32], count: Int) -> [UInt8]? {
    for descriptor in descriptors {
      if let bytes = firstBytes(descriptor, count: count) { return bytes }
    }
    return nil
  }

  private static func firstBytes(_ descriptor: Int32, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let length = unsafe pread(descriptor, &bytes, count, 0)
    return length < 0 ? nil : Array(bytes.prefix(length))
  }
}
