import Foundation
import GraphStore
import GraphStoreFiles

/// A file open for reading: its bytes as they are, or as the text that they say.
final class InputFile {
  /// What is read of a file.
  enum Content {
    /// Its bytes.
    case bytes
    /// UTF-8, of whatever stands there: compressed with gzip or not, in the encoding that was said, or that a
    /// byte-order mark says.
    case text(TextEncoding?)
  }

  /// The path as the user gave it; `-` is standard input.
  let path: String
  /// The size in bytes, where it is a regular file; to show progress by.
  let size: Int?
  /// The most bytes of a record, which are in memory at once: enough for a value of the largest size as JSON
  /// has it. What is longer is refused before more memory is taken for it.
  var recordLimit = 1 << 31
  private let bytes: FileBytes
  private let content: Content
  /// What is read, once somebody has begun.
  private var source: (any ByteSource)?

  /// Opens a file, or takes standard input for `-`.
  init(path: String, as content: Content = .text(nil)) throws(InputError) {
    self.path = path
    self.content = content
    let descriptor: Int32
    if path == "-" {
      descriptor = STDIN_FILENO
    } else {
      descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw InputError(errno: errno, path: path) }
    }
    bytes = FileBytes(descriptor, path: path)
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
    bytes = FileBytes(descriptor, path: path)
    content = .bytes
    self.path = path
    size = nil
  }

  /// How many bytes of the file were read so far, compressed ones where it is compressed.
  var bytesRead: Int { bytes.count }

  /// Goes back to the beginning of a regular file.
  func rewind() {
    source = nil
    bytes.rewind()
  }

  /// Reads up to `count` bytes of what is asked for; 0 means the end.
  func read(into base: UnsafeMutablePointer<UInt8>, count: Int) throws(InputError) -> Int {
    if let source { return try unsafe source.read(into: base, count: count) }
    let opened: any ByteSource =
      switch content {
      case .bytes: bytes
      case .text(let encoding): try Self.text(of: bytes, in: encoding, path: path)
      }
    source = opened
    return try unsafe opened.read(into: base, count: count)
  }

  /// The text of bytes as UTF-8.
  static func text(
    of bytes: any ByteSource, in given: TextEncoding?, path: String
  ) throws(InputError) -> any ByteSource {
    var start = LookaheadSource(bytes)
    if try start.begins(with: [0x1F, 0x8B]) { start = LookaheadSource(GunzipSource(start, path: path)) }
    let encoding = try TextEncoding.detected(in: start, given: given)
    guard !encoding.isUTF8, let converted = TranscodingSource(start, from: encoding) else { return start }
    return converted
  }

  /// The whole of a file, or of standard input for `-`.
  ///
  /// - Parameters:
  ///   - content: What it is, as messages say it.
  ///   - form: Whether it is taken as it stands, or for text.
  /// - Throws: `value-too-large` for as many bytes as a store can hold in no value; nothing is read where the
  ///   size is known.
  static func contents(
    path: String, limit: Int = GraphStoreError.valueSizeLimit, as content: String = "a value",
    of form: Content = .bytes
  ) throws(InputError) -> [UInt8] {
    let file = try InputFile(path: path, as: form)
    if let size = file.size, size >= limit {
      throw InputError(size: size, limit: limit, path: path, content: content)
    }
    file.recordLimit = limit
    let buffer = InputBuffer(file, chunk: max(4096, (file.size ?? 0) + 1))
    do throws(InputError) {
      while try buffer.fill() {}
    } catch {
      guard error.code == .recordTooLong else { throw error }
      throw InputError(size: nil, limit: limit, path: path, content: content)
    }
    return unsafe Array(buffer.bytes)
  }
}

/// The bytes of a file, or of standard input, as they stand there.
private final class FileBytes: ByteSource {
  private let descriptor: Int32
  private let path: String
  /// How many were read.
  private(set) var count = 0

  init(_ descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    if descriptor != STDIN_FILENO { DatabaseFiles.close(descriptor) }
  }

  func rewind() {
    if descriptor == STDIN_FILENO { StandardInput.forget() }
    lseek(descriptor, 0, SEEK_SET)
    count = 0
  }

  func read(into base: UnsafeMutablePointer<UInt8>, count: Int) throws(InputError) -> Int {
    let got = try unsafe readBytes(into: base, count: count)
    self.count += got
    return got
  }

  private func readBytes(into base: UnsafeMutablePointer<UInt8>, count: Int) throws(InputError) -> Int {
    if descriptor == STDIN_FILENO, let got = unsafe StandardInput.take(into: base, count: count) {
      return got
    }
    while true {
      let got = unsafe Foundation.read(descriptor, base, count)
      if got >= 0 { return got }
      if errno != EINTR { throw InputError(errno: errno, path: path) }
    }
  }
}
