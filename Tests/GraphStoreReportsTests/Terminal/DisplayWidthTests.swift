import Testing

@testable import GraphStoreReports

@Suite("Display width")
struct DisplayWidthTests {
  @Test("The width of text counts wide, combining and invisible characters")
  func displayWidth() {
    let cases: [(String, Int)] = [
      ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本", 4), ("ｱ", 1), ("Ａ", 2), ("👩‍👩‍👧", 2), ("👍🏽", 2),
      ("🇫🇷", 2), ("❤️", 2),
      ("❤", 1), ("1️⃣", 2), ("שלום", 4), ("한국", 4), ("한", 2), ("\u{200B}", 0), ("\u{200D}", 0), ("\0", 0),
      ("∅", 1), ("…", 1),
      ("☕", 2), ("─", 1),
    ]
    for (text, width) in cases { #expect(DisplayWidth.of(text) == width, "\(text)") }
  }

  @Test("Cutting never splits a character and never exceeds the width")
  func cut() {
    #expect(DisplayWidth.cut("abcdef", to: 6) == "abcdef")
    #expect(DisplayWidth.cut("abcdef", to: 4) == "abc…")
    #expect(DisplayWidth.cut("日本語", to: 4) == "日…")
    #expect(DisplayWidth.cut("👩‍👩‍👧x", to: 2) == "…")
    #expect(DisplayWidth.cut("ab", to: 0) == "")
  }

  @Test("A list is cut behind a member, and the whole of it is left where it fits")
  func cutList() {
    #expect(DisplayWidth.cut("A/p1, A/p2", behind: ", ", to: 10) == "A/p1, A/p2")
    #expect(DisplayWidth.cut("A/p1, A/p2, A/p3", behind: ", ", to: 12) == "A/p1, …")
    #expect(DisplayWidth.cut("A/p1, A/p2, A/p3", behind: ", ", to: 13) == "A/p1, A/p2, …")
    #expect(DisplayWidth.cut("A/p1, A/p2", behind: ", ", to: 3) == "…")
  }
}
