import Foundation
import Synchronization

/// Lookahead of standard input: bytes that were read to see in which form it is, and are read once more.
enum StandardInput {
  private static let ahead = Mutex<[UInt8]>([])

  /// Whether the first character that is no blank opens a list of JSON, as of what `sqlite3 -json` prints.
  ///
  /// - Parameter encoding: What was said about the text, which may be compressed.
  static func beginsWithList(in encoding: TextEncoding?) throws(InputError) -> Bool {
    let text = try InputFile.text(of: KeptInput(), in: encoding, path: "-")
    var byte: UInt8 = 0
    while try unsafe text.read(into: &byte, count: 1) == 1 {
      if !isBlank(byte) { return byte == UInt8(ascii: "[") }
    }
    return false
  }

  /// Takes what was read ahead; nil where there is nothing of it.
  static func take(into base: UnsafeMutablePointer<UInt8>, count: Int) -> Int? {
    ahead.withLock { ahead in
      guard !ahead.isEmpty else { return nil }
      let taken = min(count, ahead.count)
      for index in 0..<taken { unsafe base[index] = ahead[index] }
      ahead.removeFirst(taken)
      return taken
    }
  }

  /// Forgets what was read ahead, since it is read again.
  static func forget() { ahead.withLock { $0 = [] } }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == 0x09
  }

  /// The bytes of standard input, all of which are kept to be read once more.
  private final class KeptInput: ByteSource {
    private var position = 0

    func read(into base: UnsafeMutablePointer<UInt8>, count: Int) throws(InputError) -> Int {
      let start = position
      let known = StandardInput.ahead.withLock { Array($0.dropFirst(start).prefix(count)) }
      if known.isEmpty {
        while true {
          let got = unsafe Foundation.read(STDIN_FILENO, base, count)
          if got < 0, errno == EINTR { continue }
          guard got >= 0 else { throw InputError(errno: errno, path: "-") }
          let bytes = unsafe Array(UnsafeBufferPointer(start: base, count: got))
          StandardInput.ahead.withLock { $0 += bytes }
          position += got
          return got
        }
      }
      for (index, byte) in known.enumerated() { unsafe base[index] = byte }
      position += known.count
      return known.count
    }
  }
}
