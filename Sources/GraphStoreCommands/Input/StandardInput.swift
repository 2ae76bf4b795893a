import Foundation
import Synchronization

/// Lookahead of standard input: bytes that were read to see in which form it is, and are read once more.
enum StandardInput {
  private static let ahead = Mutex<[UInt8]>([])

  /// Whether the first byte that is no blank opens a list of JSON, as of what `sqlite3 -json` prints.
  static func beginsWithList() -> Bool {
    ahead.withLock { ahead in
      while true {
        if let first = ahead.first(where: { !isBlank($0) }) { return first == UInt8(ascii: "[") }
        var byte: UInt8 = 0
        let got = unsafe read(STDIN_FILENO, &byte, 1)
        if got < 0, errno == EINTR { continue }
        guard got == 1 else { return false }
        ahead.append(byte)
      }
    }
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
}
