import Foundation

/// Reader of lines, however long, in one reused buffer.
final class LineReader {
  private let buffer: InputBuffer
  /// The number of the line read last, from 1.
  private(set) var line = 0
  private var pending = 0

  init(_ file: InputFile) {
    buffer = InputBuffer(file)
  }

  /// The next line without its end (LF or CRLF), valid until the next call; nil at the end of the input.
  func next() throws(InputError) -> UnsafeBufferPointer<UInt8>? {
    while true {
      let bytes = unsafe buffer.bytes
      if pending < bytes.count, let base = bytes.baseAddress,
        let found = unsafe memchr(base + pending, 0x0A, bytes.count - pending)
      {
        return unsafe consumeLine(
          of: bytes, length: UnsafeRawPointer(found) - UnsafeRawPointer(base), ending: 1)
      }
      pending = bytes.count
      if try !buffer.fill(line: line + 1) {
        let rest = unsafe buffer.bytes
        return unsafe rest.isEmpty ? nil : consumeLine(of: rest, length: rest.count, ending: 0)
      }
    }
  }

  private func consumeLine(
    of bytes: UnsafeBufferPointer<UInt8>, length: Int, ending: Int
  ) -> UnsafeBufferPointer<UInt8> {
    buffer.consume(length + ending)
    pending = 0
    line += 1
    let isCRLF = unsafe ending == 1 && length > 0 && bytes[length - 1] == 0x0D
    return unsafe UnsafeBufferPointer(rebasing: bytes[0..<(isCRLF ? length - 1 : length)])
  }
}
