/// Writer of DEFLATE streams (RFC 1951) whose blocks hold their bytes as they are.
///
/// Every reader of the format takes them. They are as long as their content, which for a compiled model is
/// some ten kilobytes.
enum StoredBlocks {
  /// The greatest length of a block.
  private static let limit = 65_535

  /// A stream of some bytes.
  static func stream(of bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(limit)
      rest = rest.dropFirst(limit)
      let length = UInt16(block.count)
      stream.append(rest.isEmpty ? 1 : 0)
      for number in [length, ~length] {
        stream += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
      }
      stream += block
    } while !rest.isEmpty
    return stream
  }
}
