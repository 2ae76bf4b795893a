import Foundation

/// A file without a name: it takes what is put aside and can be read again from its beginning.
final class ScratchFile {
  let output: OutputBuffer
  private let descriptor: Int32

  init() throws(OutputError) {
    let folder = NSTemporaryDirectory()
    var template = Array((folder + "/graphstore.XXXXXX").utf8CString)
    descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw OutputError(errno: errno, path: folder, creating: true) }
    unsafe unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    output = OutputBuffer(descriptor: descriptor, path: folder)
  }

  deinit { close(descriptor) }

  /// The file from its beginning, to be read by one reader at a time; nothing may be written after it.
  func reopened(as path: String) throws -> InputFile {
    try output.flush()
    lseek(descriptor, 0, SEEK_SET)
    return InputFile(descriptor: dup(descriptor), path: path)
  }
}
