import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreReports

@Suite("Lines that are broken between words")
struct LineBreakingTests {
  @Test("A line that fits, or has no width to fit into, stays as it is")
  func fitting() {
    #expect(LineBreaking.lines("a  b", columns: 4) == ["a  b"])
    #expect(LineBreaking.lines("", columns: 1) == [""])
    #expect(LineBreaking.lines("one two three", columns: nil) == ["one two three"])
  }

  @Test("What goes on stands behind the indent, a label, or where it is asked to")
  func indents() {
    #expect(LineBreaking.lines("one two three", columns: 9) == ["one two", "three"])
    #expect(LineBreaking.lines("  one two three", columns: 10) == ["  one two", "  three"])
    #expect(
      LineBreaking.lines("FAIL  name  one two three four", columns: 20)
        == ["FAIL  name  one two", "      three four"])
    #expect(
      LineBreaking.lines("hint: one two three", columns: 12, indent: 6)
        == ["hint: one", "      two", "      three"])
    // A label that would leave no room has its text below.
    #expect(LineBreaking.lines("a long label  and text", columns: 14) == ["a long label", "    and text"])
    #expect(
      LineBreaking.lines("  long label   one two", columns: 12) == ["  long label", "      one", "      two"])
    // An indent that would leave no room is cut.
    #expect(
      LineBreaking.lines("          one two three", columns: 10) == ["     one", "     two", "     three"])
  }

  @Test("A word that is wider than a line stays whole; styles take no room, wide characters two columns")
  func widths() {
    #expect(LineBreaking.lines("a abcdefgh b", columns: 4) == ["a", "abcdefgh", "b"])
    let styled = Style.bold.apply("one", if: true) + " two"
    #expect(LineBreaking.lines(styled, columns: 7) == [styled])
    #expect(LineBreaking.lines("日本 語", columns: 6) == ["日本", "語"])
  }

  @Test("A page fills those paragraphs anew that do not fit, and keeps its lines elsewhere")
  func pages() {
    let page = "one two three four\nfive six\n\n  a      b c d e f g h\n\nseven\neight"
    #expect(LineBreaking.page(page, columns: 80) == page)
    #expect(
      LineBreaking.page(page, columns: 14)
        == "one two three\nfour five six\n\n  a\n      b c d e\n      f g h\n\nseven\neight")
  }

  @Test(
    "Random lines keep their words in order, and no line with two of them is too wide",
    arguments: TestSeed.sequence(20, from: 400))
  func random(seed: TestSeed) {
    var random = seed.generator
    for _ in 0..<200 {
      let words = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        String(
          repeating: ["x", "é", "語"].randomElement(using: &random) ?? "x",
          count: .random(in: 1...9, using: &random))
      }
      let line = words.map { String(repeating: " ", count: .random(in: 1...3, using: &random)) + $0 }.joined()
      let columns = Int.random(in: 4...40, using: &random)
      let broken = LineBreaking.lines(line, columns: columns)
      #expect(broken.flatMap { $0.split(separator: " ") }.map(String.init) == words, "\(seed)")
      for line in broken where line.split(separator: " ").count > 1 {
        #expect(DisplayWidth.of(line) <= columns, "\(seed): \(line)")
      }
    }
  }
}
