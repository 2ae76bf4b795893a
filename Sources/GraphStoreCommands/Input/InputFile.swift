import Foundation
import GraphStore
import GraphStoreFiles

/// A file open for reading.
final class InputFile {
  /// The path as the user gave it; `-` is standard input.
  let path: String
  /// The size in bytes, where it is a regular file; to show progress by.
  let size: Int?
  /// The most bytes of a record, which are in memory at once: enough for a value of the largest size as JSON
  /// has it. What is longer is refused before more memory is taken for it.
  var recordLimit = 1 << 31
  private let descriptor: Int32

  /// Opens a file, or takes standard input for `-`.
  init(path: String) throws(InputError) {
    self.path = path
    if path == "-" {
      descriptor = STDIN_FILENO
    } else {
      let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard opened >= 0 else { throw InputError(errno: errno, path: path) }
      descriptor = opened
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      size = nil
      return
    }
    size = status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : nil
    if status.st_mode & S_IFMT == S_IFDIR { throw InputError(errno: EISDIR, path: path) }
  }

  /// Adopts a descriptor that is open for reading, and closes it in the end.
  init(descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
    size = nil
  }

  deinit {
    if descriptor != STDIN_FILENO { DatabaseFiles.close(descriptor) }
  }

  /// Goes back to the beginning of a regular file.
  func rewind() {
    if descriptor == STDIN_FILENO { StandardInput.forget() }
    lseek(descriptor, 0, SEEK_SET)
  }

  /// Reads up to `count` bytes; 0 means the end.
  func read(into base: UnsafeMutablePointer<UInt8>, count: Int) throws(InputError) -> Int {
    if descriptor == STDIN_FILENO, let got = unsafe StandardInput.take(into: base, count: count) {
      return got
    }
    while true {
      let got = unsafe Foundation.read(descriptor, base, count)
      if got >= 0 { return got }
      if errno != EINTR { throw InputError(errno: errno, path: path) }
    }
  }

  /// The whole of a file, or of standard input for `-`.
  ///
  /// - Parameter content: What it is, as messages say it.
  /// - Throws: `value-too-large` for as many bytes as a store can hold in no value; nothing is read where the
  ///   size is known.
  static func contents(
    path: String, limit: Int = GraphStoreError.valueSizeLimit, as content: String = "a value"
  ) throws(InputError) -> [UInt8] {
    let file = try InputFile(path: path)
    if let size = file.size, size >= limit {
      throw InputError(size: size, limit: limit, path: path, content: content)
    }
    file.recordLimit = limit
    let buffer = InputBuffer(file, chunk: max(4096, (file.size ?? 0) + 1), skipsByteOrderMark: false)
    do throws(InputError) {
      while try buffer.fill() {}
    } catch {
      guard error.code == .recordTooLong else { throw error }
      throw InputError(size: nil, limit: limit, path: path, content: content)
    }
    return unsafe Array(buffer.bytes)
  }
}
