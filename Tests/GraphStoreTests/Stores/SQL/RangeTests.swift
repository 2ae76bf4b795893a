import Foundation
import Testing

@testable import GraphStore

struct RangeTests {
  @Test(
    "PRD-245: the end of a prefix skips surrogates and drops final U+10FFFF",
    arguments: [
      ("a", "b"), ("ab", "ac"), ("a\u{D7FF}", "a\u{E000}"), ("a\u{10FFFF}\u{10FFFF}", "b"),
      ("\u{7F}", "\u{80}"),
      ("\u{FFFF}", "\u{10000}"), ("\u{10FFFF}", nil), ("", nil),
    ])
  func text(prefix: String, end: String?) {
    #expect(TextRange.end(of: prefix).map { Array($0.utf8) } == end.map { Array($0.utf8) })
  }

  @Test(
    "PRD-101, PRD-244: the end of a run of bytes drops final 255",
    arguments: [([0], [1]), ([1, 255], [2]), ([255], nil), ([1, 2], [1, 3])] as [([UInt8], [UInt8]?)])
  func bytes(prefix: [UInt8], end: [UInt8]?) {
    #expect(DataRange.end(of: Data(prefix)) == end)
  }
}
