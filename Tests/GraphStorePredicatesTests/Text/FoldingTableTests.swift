import Foundation
import Testing

@testable import GraphStorePredicates

@Suite struct FoldingTableTests {
  private static let foldings = [TextFolding.caseInsensitive, .diacriticInsensitive, .canonical]

  /// Every scalar that is assigned, by the page.
  private static let pages: [[Unicode.Scalar]] = {
    (UInt32(0)..<0x1100).compactMap { page in
      let scalars = (0..<256).compactMap { Unicode.Scalar(page << 8 | $0) }.filter {
        switch $0.properties.generalCategory {
        case .unassigned, .privateUse: false
        default: true
        }
      }
      return scalars.isEmpty ? nil : scalars
    }
  }()

  private func expectAgreement(_ text: String, _ folding: TextFolding, _ note: @autoclosure () -> String) {
    let (found, wanted) = (folding.key(of: text), folding.slowKey(text))
    if found.utf8.elementsEqual(wanted.utf8) { return }
    Issue.record("\(note()): \(text.debugDescription) \(folding)")
  }

  @Test(
    "PRD-111–113, PRD-120: every scalar, alone and between others, has the key of the general path"
  )
  func everyScalar() {
    for scalars in Self.pages {
      var joined = String.UnicodeScalarView()
      for scalar in scalars {
        joined += [" ", scalar, "e", scalar, "か", scalar, "\u{301}"]
      }
      let text = String(joined)
      for folding in Self.foldings
      where !folding.key(of: text).utf8.elementsEqual(folding.slowKey(text).utf8) {
        for scalar in scalars {
          var single = String.UnicodeScalarView()
          single += [" ", scalar, "e", scalar, "か", scalar, "\u{301}"]
          expectAgreement(String(single), folding, "U+\(String(scalar.value, radix: 16))")
        }
      }
    }
  }

  @Test("PRD-111, PRD-112: what composes with a scalar before it never counts as beginning anew")
  func compositions() {
    for scalars in Self.pages {
      for scalar in scalars {
        let parts = Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
        for part in parts.dropFirst() where !part.joinsInFolding {
          let joined = String(String.UnicodeScalarView(parts)).precomposedStringWithCanonicalMapping
          #expect(joined.unicodeScalars.count == parts.count, "U+\(String(part.value, radix: 16))")
        }
      }
    }
  }

  @Test(
    "PRD-111–113: strings of letters, marks, syllables and emoji have the keys of the general path",
    arguments: TestSeed.sequence(1, from: 113))
  func randomStrings(seed: TestSeed) {
    var random = seed.generator
    let alphabets: [[Unicode.Scalar]] = [
      Array("aeiouAEIOU sS1-".unicodeScalars), Array("éÉßẞİıſﬁǰΐΣσςᾷᾳÅÅøłđ".unicodeScalars),
      (0x300...0x345).compactMap(Unicode.Scalar.init), Array("가각각힣ᇂᅵ".unicodeScalars),
      Array("かがは\u{3099}\u{309A}".unicodeScalars),
      Array("क\u{93C}\u{94D}ক\u{9BE}\u{9C7}\u{9D7}".unicodeScalars),
      Array("👨👩\u{200D}\u{FE0F}\u{1F3FD}🇩🇪❤".unicodeScalars),
      Array("אבּ\u{5B0}\u{5BC}لآ\u{653}\u{64B}\u{651}".unicodeScalars),
      Array("ꭰᎠᏸ\u{1D15E}\u{1D165}\u{1E94B}𐐀\u{110BA}\u{11127}".unicodeScalars),
    ]
    for _ in 0..<4_000 {
      var scalars = String.UnicodeScalarView()
      let kinds = Int.random(in: 1...3, using: &random)
      let chosen = (0..<kinds).compactMap { _ in alphabets.randomElement(using: &random) }
      for _ in 0..<Int.random(in: 0...10, using: &random) {
        if let scalar = chosen.randomElement(using: &random)?.randomElement(using: &random) {
          scalars.append(scalar)
        }
      }
      for folding in Self.foldings { expectAgreement(String(scalars), folding, "\(seed)") }
    }
  }

  @Test("PRD-111: more runs than are kept, long ones and many at once have the keys of the general path")
  func manyRuns() async {
    await withTaskGroup(of: Void.self) { group in
      for task in UInt32(0)..<4 {
        group.addTask {
          for base in UInt32(0x61)...0x7A {
            for mark in UInt32(0x300)...0x32F {
              guard let base = Unicode.Scalar(base), let mark = Unicode.Scalar(mark),
                let other = Unicode.Scalar(0x330 + task)
              else { continue }
              var scalars = String.UnicodeScalarView()
              scalars += [base, mark, other, " ", "z", mark]
              self.expectAgreement(String(scalars), .caseInsensitive, "task \(task)")
            }
          }
        }
      }
    }
    let long = "e" + String(repeating: "\u{301}\u{327}", count: 100)
    for folding in Self.foldings { expectAgreement(long, folding, "a long run") }
  }

  @Test("PRD-264: text that is not well formed has the key of its repaired form")
  func malformed() {
    let bytes: [UInt8] = [0x45, 0xC3, 0x28, 0xE2, 0x82, 0xFF, 0xF0]
    let repaired = String(decoding: bytes, as: UTF8.self)
    for folding in Self.foldings {
      let key = bytes.withUnsafeBufferPointer { text in folding.withKey(of: text) { Array($0) } }
      #expect(key == Array(folding.slowKey(repaired).utf8))
    }
  }
}
