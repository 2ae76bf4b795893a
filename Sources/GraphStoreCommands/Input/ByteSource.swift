/// Source of bytes, which are read once, in order.
protocol ByteSource: AnyObject {
  /// Reads up to `count` bytes; 0 means the end.
  func read(into base: UnsafeMutablePointer<UInt8>, count: Int) throws(InputError) -> Int
}

/// Bytes of another source, whose beginning can be looked at before they are read.
@safe final class LookaheadSource: ByteSource {
  private let source: any ByteSource
  /// How much is looked at once: so much as there is, of a pipe.
  private static let chunk = 4096
  private var ahead: [UInt8] = []
  private var isAtEnd = false

  init(_ source: any ByteSource) { self.source = source }

  func read(into base: UnsafeMutablePointer<UInt8>, count: Int) throws(InputError) -> Int {
    guard !ahead.isEmpty else { return isAtEnd ? 0 : try unsafe source.read(into: base, count: count) }
    let taken = min(count, ahead.count)
    for index in 0..<taken { unsafe base[index] = ahead[index] }
    ahead.removeFirst(taken)
    return taken
  }

  /// Whether the bytes begin so; no more are waited for than it takes to know that.
  func begins(with bytes: [UInt8]) throws(InputError) -> Bool {
    for (index, byte) in bytes.enumerated() {
      guard try byteAhead(index) == byte else { return false }
    }
    return true
  }

  /// The byte at a place; nil behind the end.
  func byteAhead(_ index: Int) throws(InputError) -> UInt8? {
    while ahead.count <= index, !isAtEnd {
      let piece = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.chunk)
      defer { unsafe piece.deallocate() }
      let got = try unsafe source.read(into: piece, count: Self.chunk)
      unsafe ahead += UnsafeBufferPointer(start: piece, count: got)
      isAtEnd = got == 0
    }
    return index < ahead.count ? ahead[index] : nil
  }

  /// Leaves the first bytes out.
  func skip(_ count: Int) { ahead.removeFirst(min(count, ahead.count)) }
}
