import CGraphStoreZlib

/// Bytes that a source has compressed with gzip; several compressed files, one behind the other, are one.
@safe final class GunzipSource: ByteSource {
  private static let chunk = 64 * 1024

  private let compressed: any ByteSource
  private let path: String
  private let stream: UnsafeMutablePointer<z_stream>
  private let input: UnsafeMutablePointer<UInt8>
  /// How many compressed bytes were read.
  private var consumed = 0
  /// Whether a compressed file has begun that is not over.
  private var isWithinMember = false
  private var isAtEnd = false
  /// What is wrong behind the bytes that were handed out.
  private var failure: InputError?

  /// - Parameter path: The name of the compressed file, for messages.
  init(_ compressed: any ByteSource, path: String) {
    self.compressed = compressed
    self.path = path
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe input = .allocate(capacity: Self.chunk)
    let result = unsafe gs_begin_inflating(stream)
    precondition(result == Z_OK, "zlib has no memory for a decoder")
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
    unsafe input.deallocate()
  }

  func read(into base: UnsafeMutablePointer<UInt8>, count: Int) throws(InputError) -> Int {
    if let failure { throw failure }
    let room = min(count, 1 << 30)
    unsafe stream.pointee.next_out = unsafe base
    unsafe stream.pointee.avail_out = UInt32(room)
    while unsafe Int(stream.pointee.avail_out) == room {
      if unsafe stream.pointee.avail_in == 0, try !fill() { return 0 }
      guard isWithinMember || beginMember() else { continue }
      switch unsafe inflate(stream, Z_NO_FLUSH) {
      case Z_STREAM_END: isWithinMember = false
      case Z_OK, Z_BUF_ERROR: break
      case let code: failure = damaged(code)
      }
      if let failure, unsafe Int(stream.pointee.avail_out) == room { throw failure }
    }
    return unsafe room - Int(stream.pointee.avail_out)
  }

  /// Reads more compressed bytes; false at the end.
  private func fill() throws(InputError) -> Bool {
    guard !isAtEnd else { return false }
    let got = try unsafe compressed.read(into: input, count: Self.chunk)
    consumed += got
    unsafe stream.pointee.next_in = unsafe input
    unsafe stream.pointee.avail_in = UInt32(got)
    guard got == 0 else { return true }
    isAtEnd = true
    guard !isWithinMember else {
      let failure = InputError(
        .gzipDamaged,
        "\(InputError.name(path)) is cut short: its compressed data end within, after \(consumed.grouped) bytes"
      )
      self.failure = failure
      throw failure
    }
    return false
  }

  /// Begins the next compressed file behind blocks of zeros, such as tapes have; false where there is none in
  /// what was read.
  private func beginMember() -> Bool {
    while unsafe stream.pointee.avail_in > 0, unsafe stream.pointee.next_in.pointee == 0 {
      unsafe stream.pointee.next_in += 1
      unsafe stream.pointee.avail_in -= 1
    }
    guard unsafe stream.pointee.avail_in > 0 else { return false }
    let result = unsafe inflateReset(stream)
    precondition(result == Z_OK, "the decoder of zlib is lost")
    isWithinMember = true
    return true
  }

  private func damaged(_ code: Int32) -> InputError {
    let reason = unsafe stream.pointee.msg.map { unsafe String(cString: $0) } ?? "error \(code) of zlib"
    let place = unsafe consumed - Int(stream.pointee.avail_in)
    return InputError(
      .gzipDamaged,
      "the compressed data of \(InputError.name(path)) are damaged at byte \(place.grouped): \(reason)")
  }
}
