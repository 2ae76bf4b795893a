import Foundation
import Testing

@testable import GraphStorePredicates

@Suite struct TextTests {
  @Test(
    "PRD-111–113, PRD-120: the fast paths give the keys that the general path gives",
    arguments: TestSeed.sequence(1, from: 111))
  func fastPathsAgree(seed: TestSeed) {
    var random = seed.generator
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0xA0...0x52F, 0x300...0x30F, 0x3040...0x30FF, 0x1E00...0x1FFF,
    ]
    for _ in 0..<2_000 {
      var scalars = String.UnicodeScalarView()
      let kinds = Int.random(in: 1...ranges.count, using: &random)
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let range = ranges[Int.random(in: 0..<kinds, using: &random)]
        if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) { scalars.append(scalar) }
      }
      let text = String(scalars)
      for folding in [TextFolding.caseInsensitive, .diacriticInsensitive, .canonical] {
        #expect(
          folding.key(of: text).utf8.elementsEqual(folding.slowKey(text).utf8),
          "\(seed): \(text.debugDescription) \(folding)")
      }
    }
  }

  @Test("PRD-113: [cd] applies [d], then [c]")
  func canonicalKey() {
    #expect(TextFolding.canonical.key(of: "Saint-Étienne") == "saint-etienne")
    #expect(TextFolding.canonical.key(of: "ΆΣ") == "ασ")
    #expect(TextFolding.caseInsensitive.key(of: "ẞ") == "ss")
    #expect(TextFolding.caseInsensitive.key(of: "Ꭰ") == "Ꭰ")
    #expect(TextFolding.caseInsensitive.key(of: "ꭰ") == "Ꭰ")
  }

  @Test("PRD-112: marks of scripts from U+0530 on stay")
  func otherScripts() {
    #expect(TextFolding.diacriticInsensitive.key(of: "が").unicodeScalars.elementsEqual("が".unicodeScalars))
    #expect(TextFolding.diacriticInsensitive.key(of: "й") == "и")
  }

  @Test("PRD-102: an empty pattern is part of nothing, with every option")
  func emptyPattern() {
    for folding in [TextFolding.none, .caseInsensitive, .diacriticInsensitive, .canonical] {
      for operation in [TextMatcher.Operation.contains, .beginsWith, .endsWith] {
        let matcher = TextMatcher(operation, pattern: "", folding: folding)
        #expect(!matcher.matches(""))
        #expect(!matcher.matches("a"))
        #expect(!matcher.matches("é"))
      }
    }
  }

  @Test("PRD-113: a match that a combining mark follows is none, since the mark belongs to the letter")
  func combiningMarks() {
    #expect(!TextMatcher(.contains, pattern: "e", folding: .caseInsensitive).matches("E\u{301}"))
    #expect(TextMatcher(.contains, pattern: "e", folding: .canonical).matches("E\u{301}"))
  }

  @Test("PRD-259: the standard normaliser gives plain lower-case Latin")
  func normaliser() {
    #expect(TextNormalizer.standard.normalize("Béziers") == "beziers")
    #expect(TextNormalizer.lettersOnly.normalize("Saint-Étienne") == "saintetienne")
    #expect(throws: QueryPredicateError.self) { try TextNormalizer(transform: "No-Such") }
  }

  @Test("PRD-258: the two normalisers are what their transforms say, and others are made from a text")
  func transforms() throws {
    let plain = try TextNormalizer(transform: "Any-Latin; Latin-ASCII; Lower")
    let letters = try TextNormalizer(transform: "Any-Latin; Latin-ASCII; Lower; [:^Letter:] Remove")
    #expect(plain == .standard && letters == .lettersOnly)
    for (text, wanted) in [
      ("Łódź-7 Groß", "lodz-7 gross"), ("Москва", "moskva"), ("北京", "bei jing"), ("ÅRHUS", "arhus"),
      ("Αθήνα", "athena"),
    ] {
      #expect(TextNormalizer.standard.normalize(text) == wanted)
      #expect(TextNormalizer.lettersOnly.normalize(text) == wanted.filter(\.isLetter))
    }
    #expect(try TextNormalizer(transform: "Upper").normalize("straße") == "STRASSE")
  }

  @Test("PRD-104: a pattern of a plain prefix and one star is known as such")
  func plainPrefix() {
    #expect(LikePattern("Matt*").plainPrefix == "Matt")
    #expect(LikePattern("Ma?t*").plainPrefix == nil)
    #expect(LikePattern("Matt").plainPrefix == nil)
  }
}
