/// The keys of the single scalars below U+0530, for text in which no combining mark makes scalars interact.
struct FoldingTable: Sendable {
  private static let limit: UInt32 = 0x530
  private static let cased = FoldingTable(.caseInsensitive)
  private static let unmarked = FoldingTable(.diacriticInsensitive)
  private static let canonical = FoldingTable(.canonical)

  private let bytes: [UInt8]
  private let starts: [UInt16]
  private let foldsCase: Bool

  static func table(_ folding: TextFolding) -> FoldingTable {
    if folding.foldsCase { return folding.foldsDiacritics ? canonical : cased }
    return unmarked
  }

  private init(_ folding: TextFolding) {
    var joined = String.UnicodeScalarView()
    for code in 0x80..<Self.limit {
      if let scalar = Unicode.Scalar(code), !Self.isMark(code) { joined.append(scalar) }
      joined.append("\u{1}")
    }
    let keys = folding.slowKey(String(joined)).utf8.split(
      separator: 1, maxSplits: Int.max, omittingEmptySubsequences: false)
    var bytes: [UInt8] = []
    var starts: [UInt16] = []
    for key in keys {
      starts.append(UInt16(bytes.count))
      bytes.append(contentsOf: key)
    }
    starts.append(UInt16(bytes.count))
    self.bytes = bytes
    self.starts = starts
    foldsCase = folding.foldsCase
  }

  private static func isMark(_ code: UInt32) -> Bool {
    (code >= 0x300 && code < 0x370) || (code >= 0x483 && code < 0x48A)
  }

  /// Appends the key of a text; false, with part of it appended, when the table does not cover it.
  func append(_ text: UnsafeBufferPointer<UInt8>, to key: inout [UInt8]) -> Bool {
    var offset = 0
    while offset < text.count {
      let first = text[offset]
      if first < 0x80 {
        key.append(foldsCase ? ASCII.lower(first) : first)
        offset += 1
        continue
      }
      guard first < 0xE0, offset + 1 < text.count else { return false }
      let code = UInt32(first & 0x1F) << 6 | UInt32(text[offset + 1] & 0x3F)
      guard code < Self.limit, !Self.isMark(code) else { return false }
      let index = Int(code - 0x80)
      key.append(contentsOf: bytes[Int(starts[index])..<Int(starts[index + 1])])
      offset += 2
    }
    return true
  }
}
