import Glibc
import GraphStoreFiles
import GraphStoreSQLite

/// State of a database's file, by which it is seen later whether somebody has written it.
struct FileState: Equatable {
  private let size: Int
  private let seconds, nanoseconds: Int
  private let header: [UInt8]

  /// The state of the file at a path; nil where there is none that can be read.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0,
      let bytes = DatabaseFiles.firstBytes(path, count: SQLiteFileHeader.length)
    else { return nil }
    size = Int(status.st_size)
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    header = bytes
  }
}
