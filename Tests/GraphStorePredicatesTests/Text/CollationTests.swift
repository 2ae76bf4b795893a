import Foundation
import GraphStorePredicates
import Testing

@Suite struct CollationTests {
  private func sorted(
    _ values: [String], _ comparator: QuerySortDescriptor.Comparator, _ locale: String = "en_US"
  ) throws -> [String] {
    let descriptor = try QuerySortDescriptor(key: "self", comparator: comparator)
    return try values.reversed().map(Value.string).sorted(
      using: [descriptor], locale: Locale(identifier: locale)
    ).compactMap(\.text)
  }

  @Test(
    "PRD-221: what is equal so far is decided by accents, then case, lower first, then width, then bytes",
    arguments: ["en_US", "da_DK", "xx_YY"])
  func tiesOfStandardOrder(locale: String) throws {
    let wanted = ["a", "ａ", "A", "Ａ", "á", "Á", "b", "B"]
    #expect(try sorted(wanted, .localizedStandard, locale) == wanted)
    let composed = ["e\u{301}", "\u{E9}"]
    #expect(try sorted(composed, .localizedStandard, locale) == composed)
  }

  @Test(
    "PRD-120: what cannot be the name of a locale compares by the root collation",
    arguments: ["xxxxxxxxxxxx", "a-b-c-d-e-f-g"])
  func noLocale(locale: String) throws {
    #expect(try sorted(["a", "á", "b", "C"], .localized, locale) == ["a", "á", "b", "C"])
    #expect(try sorted(["a", "á", "b", "C"], .localizedStandard, locale) == ["a", "á", "b", "C"])
  }

  @Test("PRD-221: runs of digits are compared by value; case is not looked at before them")
  func digits() throws {
    let wanted = ["file2", "File02", "file007", "File7", "file10", "FILE11"]
    let found = try sorted(wanted, .localizedStandard)
    #expect(found.filter { $0.hasSuffix("2") || $0.hasSuffix("10") } == ["file2", "File02", "file10"])
    #expect(found.last == "FILE11")
    let descriptor = try QuerySortDescriptor(key: "self", comparator: .localizedStandard)
    #expect(descriptor.order(.string("007"), .string("7")) == .orderedAscending)
    #expect(descriptor.order(.string("7"), .string("007")) == .orderedDescending)
  }

  @Test(
    "PRD-267: scripts follow each other as in the root collation, or as the locale wants",
    arguments: [
      ("", "1 a α я ა א ا あ 中"), ("en_US", "1 a α я ა א ا あ 中"), ("ru_RU", "1 я a α ა א ا あ 中"),
      ("el_GR", "1 α a я ა א ا あ 中"), ("ja_JP", "1 a あ 中 α я ა א ا"),
    ])
  func scripts(_ locale: String, _ order: String) throws {
    let wanted = order.split(separator: " ").map(String.init)
    for comparator in [QuerySortDescriptor.Comparator.localized, .localizedStandard] {
      #expect(try sorted(wanted, comparator, locale) == wanted)
    }
  }

  @Test("PRD-266: the places of letters are the locale's")
  func letters() throws {
    let danish = ["Viborg", "Ølstykke-Stenløse", "Aarhus"]
    #expect(try sorted(danish, .localized, "da_DK") == danish)
    #expect(try sorted(danish, .localizedStandard, "da_DK") == danish)
    let swedish = ["Sundsvall", "Södertälje", "Zinkgruvan", "Öland"]
    #expect(
      try sorted(swedish.reversed(), .localized, "sv_SE") == [
        "Sundsvall", "Södertälje", "Zinkgruvan", "Öland",
      ])
    #expect(try sorted(["Köln", "Kyllburg"], .localized, "de_DE") == ["Köln", "Kyllburg"])
  }

  @Test("PRD-265: a locale that is not known has the root collation")
  func unknownLocale() throws {
    let words = ["Zebra", "ångström", "apple", "Öl", "œuvre"]
    #expect(try sorted(words, .localized, "xx_YY") == sorted(words, .localized, ""))
  }

  @Test("PRD-220: localizedCaseInsensitive leaves out case alone")
  func withoutCase() throws {
    let descriptor = try QuerySortDescriptor(key: "self", comparator: .localizedCaseInsensitive)
    let locale = Locale(identifier: "en_US")
    #expect(descriptor.order(.string("ab"), .string("AB"), locale: locale) == .orderedSame)
    #expect(descriptor.order(.string("ab"), .string("áb"), locale: locale) == .orderedAscending)
    let exact = try QuerySortDescriptor(key: "self", comparator: .localized)
    #expect(exact.order(.string("ab"), .string("AB"), locale: locale) == .orderedAscending)
  }

  @Test("PRD-228, PRD-229: prepared keys order texts as comparing them does")
  func sortKeys() throws {
    let words = ["", "a", "A", "á", "ab", "aB", "Ä", "z", "Z", "ß", "ss", "か", "が", "10", "9", "a-b", "a b"]
    for comparator in QuerySortDescriptor.Comparator.allCases {
      for locale in ["en_US", "sv_SE", "de_DE", "da_DK"] {
        let descriptor = try QuerySortDescriptor(key: "self", comparator: comparator)
        let evaluator = try SortEvaluator([descriptor], locale: Locale(identifier: locale))
        for left in words {
          for right in words {
            let direct = descriptor.order(.string(left), .string(right), locale: Locale(identifier: locale))
            let prepared = evaluator.order([.string(left)], [.string(right)])
            #expect(direct == prepared, "\(comparator) \(locale): \(left) \(right)")
          }
        }
      }
    }
  }

  @Test(
    "PRD-114: with [cl] parts of texts are compared by the locale's case mapping",
    arguments: [
      ("tr_TR", "Iğdır", "BEGINSWITH", "ığ", true), ("tr_TR", "Iğdır", "BEGINSWITH", "iğ", false),
      ("tr_TR", "İzmir", "BEGINSWITH", "iz", true), ("az_AZ", "İzmir", "LIKE", "iz*", true),
      ("en_US", "Iğdır", "BEGINSWITH", "iğ", true), ("en_US", "Straße", "CONTAINS", "SS", true),
      ("en_US", "e\u{301}t\u{e9}", "CONTAINS", "ÉT", true), ("lt_LT", "Ìs", "BEGINSWITH", "ìS", true),
      ("tr_TR", "Iğdır", "ENDSWITH", "DIR", true),
    ])
  func localCaseMapping(locale: String, text: String, comparator: String, part: String, isTrue: Bool) throws {
    let predicate = try QueryPredicate(parsing: "SELF \(comparator)[cl] $part")
    let options = EvaluationOptions(locale: Locale(identifier: locale))
    #expect(
      try predicate.evaluate(with: .string(text), variables: ["part": .string(part)], options: options)
        == isTrue)
  }
}
