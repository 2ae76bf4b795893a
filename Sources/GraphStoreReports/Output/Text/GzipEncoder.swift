import CGraphStoreZlib

/// Encoder of gzip: takes bytes piece by piece, and hands out what they are compressed to.
@safe final class GzipEncoder {
  /// How much of what was taken is handed out.
  enum Flush {
    /// What fills a piece.
    case none
    /// All of it, so that a reader can read so far.
    case sync
    /// All of it, and the end.
    case finish

    fileprivate var word: Int32 {
      switch self {
      case .none: Z_NO_FLUSH
      case .sync: Z_SYNC_FLUSH
      case .finish: Z_FINISH
      }
    }
  }

  private static let chunk = 64 * 1024

  private let stream: UnsafeMutablePointer<z_stream>
  private let output: UnsafeMutablePointer<UInt8>
  /// Whether something was taken that is not handed out yet.
  private var holdsBytes = false

  init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    unsafe output = .allocate(capacity: Self.chunk)
    let result = unsafe gs_begin_deflating(stream)
    precondition(result == Z_OK, "zlib has no memory for an encoder")
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deallocate()
    unsafe output.deallocate()
  }

  /// Takes bytes, and hands compressed ones to `write`.
  func encode(
    _ bytes: UnsafeBufferPointer<UInt8>, flush: Flush, write: (UnsafePointer<UInt8>, Int) -> Void
  ) {
    if !bytes.isEmpty { holdsBytes = true }
    guard holdsBytes || flush == .finish else { return }
    var rest = unsafe bytes[...]
    repeat {
      // zlib counts in 32 bits.
      let piece = unsafe UnsafeBufferPointer(rebasing: rest.prefix(1 << 30))
      unsafe rest = unsafe rest.dropFirst(piece.count)
      unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: piece.baseAddress)
      unsafe stream.pointee.avail_in = UInt32(piece.count)
      unsafe run(rest.isEmpty ? flush : .none, write)
    } while unsafe !rest.isEmpty
    if flush != .none { holdsBytes = false }
  }

  private func run(_ flush: Flush, _ write: (UnsafePointer<UInt8>, Int) -> Void) {
    repeat {
      unsafe stream.pointee.next_out = unsafe output
      unsafe stream.pointee.avail_out = UInt32(Self.chunk)
      // It fails only where it is called wrongly, or has nothing to do.
      _ = unsafe deflate(stream, flush.word)
      let count = unsafe Self.chunk - Int(stream.pointee.avail_out)
      if count > 0 { unsafe write(output, count) }
    } while unsafe stream.pointee.avail_out == 0
  }
}
