import CGraphStoreShims
import Foundation
import GraphStoreSQLite
import Synchronization

/// Watch over the file of a store: tells of commits by anybody, of this process and of others.
///
/// The kernel tells of writes to the file and its log (inotify); a connection of the watch's own then looks
/// whether the database has another version, since what is written is seen a moment later than it is
/// written. At rest nothing runs. Where the kernel tells of nothing, it looks once a second.
final class SQLiteStoreWatch: StoreWatch, @unchecked Sendable {
  private let connection: SQLiteConnection
  private let path: String
  private let onChange: @Sendable (Change) -> Void
  private let pauses: [Int32]
  /// The kernel's queue of events; -1 where files cannot be watched.
  private let events: Int32
  /// Wakes the thread, when the watch ends.
  private let signal: Int32
  private let isEnded = Atomic(false)
  /// How often the database was looked at.
  let lookCount = Atomic(0)

  /// What a watch tells of.
  enum Change {
    case commit
    /// The file is not the one that was opened any more, and the watch has ended.
    case replacement
  }

  /// After how many milliseconds each the database is looked at again once something was written: a commit
  /// becomes visible later than the write that told of it, by as much as the disk takes to synchronise.
  static let pausesAfterWrite = [0, 2, 8, 25, 60, 150, 400] + [Int32](repeating: 1_000, count: 20)

  /// - Parameters:
  ///   - connection: A connection of the watch's own, which it closes when it ends.
  ///   - onChange: Called on a thread of the watch's own.
  init(
    _ connection: SQLiteConnection, path: String, pauses: [Int32] = pausesAfterWrite,
    onChange: @escaping @Sendable (Change) -> Void
  ) {
    self.connection = connection
    self.path = ResolvedPath.of(path)
    self.pauses = pauses
    self.onChange = onChange
    signal = gs_make_signal()
    events = Self.watchedFolder(of: self.path)
    // What is committed from now on is told of.
    let version = presentVersion()
    let thread = Thread { [self] in run(from: version) }
    thread.name = "GraphStore watch"
    thread.stackSize = 256 << 10
    thread.start()
  }

  deinit {
    if events >= 0 { close(events) }
    if signal >= 0 { close(signal) }
  }

  func end() {
    isEnded.store(true, ordering: .releasing)
    gs_send_signal(signal)
  }

  // MARK: Waiting

  private func run(from version: Int64?) {
    var version = version
    // What was written before the thread began to wait may have been told to nobody.
    var look = 0
    while !isEnded.load(ordering: .acquiring) {
      let pause = look < pauses.count ? pauses[look] : events >= 0 ? -1 : 1_000
      let isWritten = wait(milliseconds: pause)
      if isEnded.load(ordering: .acquiring) { break }
      look = isWritten ? 0 : look + 1
      if connection.hasFileMoved {
        onChange(.replacement)
        break
      }
      let present = presentVersion()
      guard present != version else { continue }
      version = present
      onChange(.commit)
    }
    connection.close()
  }

  /// The number that SQLite gives to the state of the database that the connection sees: it changes with each
  /// commit by another connection. Nil where it cannot be read, as while the file is replaced.
  private func presentVersion() -> Int64? {
    lookCount.add(1, ordering: .relaxed)
    return try? connection.int64("PRAGMA data_version")
  }

  /// Waits until something is written, for so long.
  ///
  /// - Returns: Whether something was.
  private func wait(milliseconds: Int32) -> Bool {
    var descriptors = [
      pollfd(fd: signal, events: Int16(POLLIN), revents: 0),
      pollfd(fd: events, events: Int16(POLLIN), revents: 0),
    ]
    guard unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return false }
    return descriptors[1].revents != 0 && readEvents()
  }

  /// Takes the events that wait.
  ///
  /// - Returns: Whether one is of the store's files.
  private func readEvents() -> Bool {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let names = [name, name + "-wal", name + "-journal"]
    var isOurs = false
    let size = 16 << 10
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: size, alignment: MemoryLayout<inotify_event>.alignment)
    defer { unsafe buffer.deallocate() }
    while true {
      let count = unsafe read(events, buffer.baseAddress, size)
      guard count > 0 else { return isOurs }
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= count {
        let event = unsafe buffer.load(fromByteOffset: offset, as: inotify_event.self)
        let start = offset + MemoryLayout<inotify_event>.size
        let end = min(start + Int(event.len), count)
        let text = unsafe String(
          decoding: UnsafeRawBufferPointer(rebasing: buffer[start..<end]).prefix { $0 != 0 }, as: UTF8.self)
        // A queue that overflows has lost some.
        let isOfFolder = event.mask & UInt32(Self.folderEvents | IN_Q_OVERFLOW) != 0
        if names.contains(text) || isOfFolder { isOurs = true }
        offset = end
      }
    }
  }

  /// What happens to the folder itself.
  private static let folderEvents = IN_MOVE_SELF | IN_DELETE_SELF

  /// Begins to watch the folder of a file: its log comes and goes, and the file may be replaced.
  private static func watchedFolder(of path: String) -> Int32 {
    guard unsafe !gs_is_on_network(path) else { return -1 }
    let events = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard events >= 0 else { return -1 }
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let mask = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | folderEvents
    if unsafe inotify_add_watch(events, folder, UInt32(mask)) >= 0 { return events }
    close(events)
    return -1
  }
}
