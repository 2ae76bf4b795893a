import Foundation

/// Watch over the files of stores for what others write in them.
///
/// It looks at times and sizes alone: opening a file beside its connections would cost them their locks.
struct FileWatch {
  private struct Stamp: Equatable {
    var inode: ino_t
    var size: off_t
    var seconds: Int
    var nanoseconds: Int

    /// A log without content is none: whoever opens the store may make it.
    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 else {
        return nil
      }
      (inode, size) = (status.st_ino, status.st_size)
      (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
  }

  private let paths: [String]
  private var stamps: [Stamp?]

  /// Starts a watch over stores, with what is written into their logs.
  init(stores: [String]) {
    paths = stores.flatMap { [$0, $0 + "-wal"] }
    stamps = paths.map(Stamp.init)
  }

  /// Looks whether anything was written since the last look, which is somebody else's.
  mutating func look() -> Bool {
    let present = paths.map(Stamp.init)
    defer { stamps = present }
    return present != stamps
  }

  /// Takes what has been written since the last look for one's own.
  mutating func skip() { stamps = paths.map(Stamp.init) }
}
