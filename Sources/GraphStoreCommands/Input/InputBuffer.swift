/// Read buffer over a file: bytes not consumed yet, in one reused piece of memory.
@safe final class InputBuffer {
  /// How much is read at once.
  static let chunk = 256 * 1024

  private let file: InputFile
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var start = 0
  private var end = 0
  private(set) var isAtEnd = false

  init(_ file: InputFile, chunk: Int = InputBuffer.chunk) {
    self.file = file
    capacity = chunk
    unsafe base = .allocate(capacity: chunk)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// The bytes that are here and not used up.
  @inline(__always)
  var bytes: UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: base + start, count: end - start)
  }

  /// Uses up bytes; they stay valid until the next `fill`.
  @inline(__always)
  func consume(_ count: Int) {
    start += count
  }

  /// Reads more behind the bytes that are here; false at the end of the file. All slices become invalid.
  ///
  /// - Parameter line: The line of the first byte that is here.
  /// - Throws: `record-too-long` where as many bytes are here as may be.
  func fill(line: Int? = nil) throws(InputError) -> Bool {
    guard !isAtEnd else { return false }
    guard end - start < file.recordLimit else {
      throw InputError(
        .recordTooLong,
        "the record is longer than \(file.recordLimit.grouped) bytes, the most that one may have",
        line: line)
    }
    if start > 0 {
      unsafe base.update(from: base + start, count: end - start)
      end -= start
      start = 0
    }
    if end == capacity {
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
      unsafe larger.update(from: base, count: end)
      unsafe base.deallocate()
      unsafe base = unsafe larger
      capacity *= 2
    }
    let got = try unsafe file.read(into: base + end, count: capacity - end)
    end += got
    isAtEnd = got == 0
    return got > 0
  }
}

/// Growable memory for bytes that had to be rewritten, reused from record to record.
@safe final class ByteScratch {
  private(set) var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// How many bytes are in use.
  var count = 0

  init(capacity: Int = 4096) {
    self.capacity = capacity
    unsafe base = .allocate(capacity: capacity)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// Makes room for more bytes; pointers into the memory taken before are invalid afterwards.
  func reserve(_ additional: Int) {
    guard count + additional > capacity else { return }
    capacity = max(capacity * 2, count + additional)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe larger.update(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = unsafe larger
  }
}
