import Foundation
import GraphStoreReports

/// File that is written in place, row by row, by a command that somebody ends: what is in it is complete up
/// to its last row at any time, with gzip too, where its name ends in `.gz`.
final class StreamedFile {
  /// Where to write.
  let output: OutputBuffer
  private let descriptor: Int32

  /// Begins the file anew.
  init(path: String) throws(OutputError) {
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw OutputError(errno: errno, path: path, creating: true) }
    output = OutputBuffer(descriptor: descriptor, path: path, compresses: FileEnding.isGzip(path))
  }

  deinit { close(descriptor) }

  /// Writes out what is left.
  func finish() throws(OutputError) { try output.finish() }
}
