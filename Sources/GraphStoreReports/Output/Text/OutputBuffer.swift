import Foundation

/// Output buffer over a file descriptor, which is written to in large pieces, as they are or compressed.
///
/// Appending never throws: the first failed write is kept, later bytes are dropped, and `flush` throws what
/// was kept. So a row is written without a check a cell. Belongs to one thread.
@safe package final class OutputBuffer {
  /// How much is gathered before it is written.
  package static let limit = 64 * 1024

  // A byte costs a few instructions, and a check of exclusivity some sixty. The compiler leaves the checks
  // out for what one module alone can see, which this is not. No access lasts over a call that leads back
  // here.

  /// Where the next byte goes; moved by the appending methods only.
  @exclusivity(unchecked) package private(set) var cursor: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var base: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var end: UnsafeMutablePointer<UInt8>
  private var descriptor: Int32
  private let path: String?
  /// Called with what is written first; it may give another descriptor, to which everything goes then.
  @safe package var redirect: ((UnsafeBufferPointer<UInt8>) -> Int32?)?
  /// Compresses what is written; nil writes it as it is.
  private let encoder: GzipEncoder?
  /// The write that failed, if one has.
  @safe @exclusivity(unchecked) package private(set) var failure: OutputError?
  /// Bytes written before those that are in the buffer.
  @safe @exclusivity(unchecked) package private(set) var written = 0

  /// A buffer in front of a file descriptor, which it does not close. `path` is for messages.
  ///
  /// - Parameter compresses: Whether gzip is written, which is whole once ``finish()`` was called.
  package convenience init(descriptor: Int32, path: String?, compresses: Bool = false) {
    self.init(
      descriptor: descriptor, path: path, encoder: compresses ? GzipEncoder() : nil, capacity: Self.limit)
  }

  private init(descriptor: Int32, path: String?, encoder: GzipEncoder?, capacity: Int) {
    self.descriptor = descriptor
    self.path = path
    self.encoder = encoder
    unsafe base = .allocate(capacity: capacity)
    unsafe cursor = unsafe base
    unsafe end = unsafe base + capacity
  }

  /// A buffer that keeps all in memory.
  package static func memory(capacity: Int = 256) -> OutputBuffer {
    OutputBuffer(descriptor: -1, path: nil, encoder: nil, capacity: capacity)
  }

  deinit {
    unsafe base.deallocate()
  }

  /// How many bytes are in the buffer.
  package var count: Int { unsafe cursor - base }

  /// What is in the buffer; valid until more is appended.
  package var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(start: base, count: count) }

  /// Makes sure that `count` bytes can be stored behind `cursor`.
  @inline(__always)
  package func reserve(_ count: Int) {
    if unsafe end - cursor < count { makeRoom(count) }
  }

  /// Commits `count` bytes that were stored behind `cursor`.
  @inline(__always)
  package func advance(_ count: Int) {
    unsafe cursor += count
  }

  /// Appends one byte.
  @inline(__always)
  package func append(byte: UInt8) {
    reserve(1)
    unsafe cursor.pointee = byte
    unsafe cursor += 1
  }

  /// Appends bytes in memory.
  @inline(__always)
  package func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count > 0, let source = bytes.baseAddress else { return }
    if unsafe end - cursor < bytes.count {
      unsafe appendLarge(source, bytes.count)
      return
    }
    unsafe cursor.update(from: source, count: bytes.count)
    unsafe cursor += bytes.count
  }

  /// Appends the bytes of an array.
  package func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append($0) }
  }

  /// Appends text in UTF-8.
  package func append(_ text: String) {
    var text = text
    text.withUTF8 { unsafe append($0) }
  }

  /// Appends text that the program has in its code.
  @inline(__always)
  package func append(literal text: StaticString) {
    unsafe append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Forgets what is in the buffer.
  package func clear() {
    unsafe cursor = unsafe base
  }

  /// Makes writing to a pipe that nobody reads fail as an error, instead of ending the process by a signal.
  /// For `main`.
  package static func reportBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  /// What is in the buffer, as text; empties it.
  package func consumeString() -> String {
    defer { clear() }
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// Writes out what is in the buffer; of compressed data so much that all of it can be read.
  package func flush() throws(OutputError) { try drain(.sync) }

  /// Writes out what is in the buffer, and ends compressed data; nothing may be appended after it.
  package func finish() throws(OutputError) { try drain(.finish) }

  private func drain(_ flush: GzipEncoder.Flush) throws(OutputError) {
    drain()
    if let encoder, failure == nil {
      unsafe encoder.encode(UnsafeBufferPointer(start: nil, count: 0), flush: flush) { source, count in
        unsafe send(source, count)
      }
    }
    if let failure { throw failure }
  }

  @inline(never)
  private func makeRoom(_ count: Int) {
    drain()
    guard unsafe end - cursor < count else { return }
    let used = self.count
    let capacity = unsafe max((end - base) * 2, used + count)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe larger.update(from: base, count: used)
    unsafe base.deallocate()
    unsafe base = unsafe larger
    unsafe cursor = unsafe base + used
    unsafe end = unsafe base + capacity
  }

  @inline(never)
  private func appendLarge(_ source: UnsafePointer<UInt8>, _ count: Int) {
    drain()
    if descriptor >= 0, unsafe count >= end - base {
      unsafe write(source, count)
      return
    }
    reserve(count)
    unsafe cursor.update(from: source, count: count)
    unsafe cursor += count
  }

  private func drain() {
    guard descriptor >= 0, unsafe cursor > base else { return }
    unsafe write(base, count)
    unsafe cursor = unsafe base
  }

  private func write(_ source: UnsafePointer<UInt8>, _ count: Int) {
    if let choose = redirect {
      redirect = nil
      descriptor = unsafe choose(UnsafeBufferPointer(start: source, count: count)) ?? descriptor
    }
    written += count
    guard let encoder else { return unsafe send(source, count) }
    unsafe encoder.encode(UnsafeBufferPointer(start: source, count: count), flush: .none) { source, count in
      unsafe send(source, count)
    }
  }

  private func send(_ source: UnsafePointer<UInt8>, _ count: Int) {
    var done = 0
    while done < count, failure == nil {
      let sent = unsafe Foundation.write(descriptor, source + done, count - done)
      if sent >= 0 {
        done += sent
      } else if errno == EAGAIN {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe poll(&request, 1, -1)
      } else if errno != EINTR {
        failure = OutputError(errno: errno, path: path)
      }
    }
  }
}
