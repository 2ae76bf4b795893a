import Foundation
import Testing

@testable import GraphStoreModel

/// Patterns that are followed over bytes have to say what ICU says.
@Suite("Plain patterns")
struct ASCIIPatternTests {
  private func answer(_ pattern: ASCIIPattern, _ text: String) -> Bool? {
    var text = text
    return text.withUTF8 { pattern.matches($0) }
  }

  private func isWholeMatch(_ expression: String, _ text: String) throws -> Bool {
    let whole = try NSRegularExpression(pattern: "\\A(?:\(expression))\\z")
    return whole.firstMatch(in: text, range: NSRange(location: 0, length: text.utf16.count)) != nil
  }

  @Test(
    "OBJ-351: plain expressions match the whole text, as in ICU",
    arguments: [
      "[^@]+@[^@]+", "[A-Z]{2}[0-9]{6}", "^\\d{5}(-?)$", "^\\d{5}$", "a?b*c+", "\\w+\\s\\S*",
      "[\\w.-]+@[\\w-]+",
      "[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}", "x{0,2}y", "x{3}", ".*", "[-a]+", "[^-a]", "a\\$",
      "\\.",
      "a.c", "[.]x", "[a^]", "#\\d{1,3}", "a{2,}?b", "\\W\\D", "[\\d\\s]+",
    ])
  func plainExpressions(_ expression: String) throws {
    let texts = [
      "", "a", "b", "abc", "ac", "aabbcc", "me@example.com", "@", "a@", "a@b", "a@b@c", "AB123456", "AB12345",
      "12345", "123456", "12345-", "word rest", "x", "xx", "xxx", "xxxy", "y", "-", "--a", "a$", "a.c", "a-c",
      ".x",
      "^", "#1", "#1234", "aab", "ab", " 1", "1 2", "%a", "a_b-c@d-e",
    ]
    guard let pattern = ASCIIPattern(expression) else {
      #expect(expression.contains("("), "is left to ICU: \(expression)")
      return
    }
    for text in texts {
      #expect(try answer(pattern, text) == isWholeMatch(expression, text), "\(expression) on \(text)")
    }
  }

  @Test(
    "What is no plain sequence is left to ICU",
    arguments: [
      "", "a|b", "(a)", "a++", "a**", "[[a]b]", "[a&&b]", "[]a]", "\\bword", "\\p{L}", "a{64}", "é", "(?i)a",
      "a$b",
      "[a-\\d]", "\\", "[a", "a{", "a{2", "a{3,2}", "*", "[]", "[:alpha:", "\\n",
    ])
  func otherExpressions(_ expression: String) {
    #expect(ASCIIPattern(expression) == nil)
  }

  @Test("Texts beyond printable ASCII get no answer", arguments: ["é", "a\n", "\t", "a\u{7F}", "日本"])
  func otherTexts(_ text: String) throws {
    let pattern = try #require(ASCIIPattern(".+"))
    #expect(answer(pattern, text) == nil)
  }

  @Test("OBJ-351: a text of another script is still matched by the whole expression")
  func otherScript() throws {
    let matcher = try #require(StringPattern("[^@]+@[^@]+"))
    #expect(matcher.matches("jürgen@example.com") == true)
    #expect(matcher.matches("jürgen") == false)
    #expect(matcher.matches("a\nb@c") == true)
  }

  @Test(
    "OBJ-351: random plain expressions say of random texts what ICU says",
    arguments: TestSeed.sequence(3, from: 1))
  func randomExpressions(seed: TestSeed) throws {
    var random = PatternRandom(generator: seed.generator)
    for _ in 0..<300 {
      let expression = random.expression()
      let pattern = try #require(ASCIIPattern(expression), "\(expression), \(seed)")
      for _ in 0..<12 {
        let text = random.text()
        let expected = try isWholeMatch(expression, text)
        #expect(answer(pattern, text) == expected, "\(expression) on \(text), \(seed)")
      }
    }
  }
}

/// Makes expressions and texts over few characters, so that many of them match.
private struct PatternRandom {
  var generator: SeededGenerator

  private mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

  private mutating func one(of choices: [String]) -> String { choices[number(below: choices.count)] }

  mutating func expression() -> String {
    let atoms = [
      "a", "b", "1", "-", ".", "\\.", "\\d", "\\w", "\\S", "[ab]", "[^a]", "[a-c1]", "[\\d-]", "[^\\w]",
    ]
    let quantifiers = ["", "", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "{1,3}", "*?", "+?"]
    return (0...number(below: 5)).map { _ in one(of: atoms) + one(of: quantifiers) }.joined()
  }

  mutating func text() -> String {
    (0..<number(below: 7)).map { _ in one(of: ["a", "b", "c", "1", "2", "-", ".", " "]) }.joined()
  }
}
