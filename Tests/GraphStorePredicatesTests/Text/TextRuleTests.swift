import Foundation
import Testing

@testable import GraphStorePredicates

@Suite struct TextRuleTests {
  private static let sample: Value = .dictionary([
    "n": .int(5), "flag": .bool(true), "date": .date(Date(timeIntervalSinceReferenceDate: 0)),
    "data": .data(Data([1, 2, 3])), "text": .string("5"), "list": .list([.string("a")]),
    "map": .dictionary(["a": .int(1)]), "composed": .string("\u{E9}"), "decomposed": .string("e\u{301}"),
  ])

  private func isTrue(_ text: String, locale: String = "en_US") throws -> Bool {
    try PredicateEvaluator(
      QueryPredicate(parsing: text), options: EvaluationOptions(locale: Locale(identifier: locale))
    ).evaluate(.value(Self.sample))
  }

  @Test("PRD-102: empty data is no part, beginning or end of data")
  func emptyData() throws {
    for comparison in ["CONTAINS", "BEGINSWITH", "ENDSWITH"] {
      #expect(try !isTrue("data \(comparison) CAST('', 'NSData')"))
      #expect(try isTrue("data \(comparison) data"))
    }
  }

  @Test("PRD-103: several stars are as one")
  func stars() throws {
    for pattern in ["a**c", "**abc", "abc**", "***", "a*?*c"] {
      #expect(try isTrue("'abc' LIKE '\(pattern)'"), "\(pattern)")
    }
    #expect(try isTrue("'ac' LIKE 'a**c'"))
    #expect(try isTrue("'AC' LIKE[c] 'a***c'"))
    #expect(try !isTrue("'ac' LIKE 'a*?*c'"))
  }

  @Test("PRD-107: a constant regular expression is compiled once, one from a key once a run of equal ones")
  func compiledOnce() throws {
    let pass = EvaluationPass(options: EvaluationOptions(), variables: [:], slotCount: 0)
    func text(_ text: String) -> QueryOperand { .value(.string(text)) }
    let rule = try MatchesRule(options: [.caseInsensitive], constantPattern: .string("a.*"), range: nil)
    let compiled = try #require(rule.expression?.matcher)
    for name in ["Ab", "b", "", "a"] {
      #expect(try rule.truth(text(name), text("a.*"), pass) == Ternary(name.lowercased().hasPrefix("a")))
      #expect(rule.expression?.matcher === compiled)
    }
    let other = try MatchesRule(options: [], constantPattern: nil, range: nil)
    #expect(try other.truth(text("ab"), text("a."), pass) == .yes)
    let first = try #require(other.expression?.matcher)
    #expect(try other.truth(text("cd"), text("a."), pass) == .no)
    #expect(other.expression?.matcher === first)
    #expect(try other.truth(text("cd"), text("c."), pass) == .yes)
    #expect(other.expression?.matcher !== first)
  }

  @Test("PRD-108: text operators are false where the left side is no text, data or collection")
  func noText() throws {
    for key in ["n", "flag", "date", "map"] {
      for comparison in [
        "CONTAINS '5'", "BEGINSWITH '5'", "ENDSWITH '5'", "LIKE '*'", "MATCHES '.*'", "CONTAINS text",
        "BEGINSWITH n",
      ] {
        for logic in [PredicateLogic.twoValued, .threeValued] {
          #expect(try truth("\(key) \(comparison)", Self.sample, logic) == .no, "\(key) \(comparison)")
        }
      }
    }
    #expect(try isTrue("CAST(n, 'NSString') CONTAINS '5'"))
  }

  @Test("PRD-108: data is matched with data only, and never by LIKE and MATCHES")
  func data() throws {
    for comparison in [
      "CONTAINS text", "BEGINSWITH '\u{1}'", "ENDSWITH n", "LIKE data", "MATCHES data", "LIKE '*'",
      "MATCHES '.*'",
    ] {
      for logic in [PredicateLogic.twoValued, .threeValued] {
        #expect(try truth("data \(comparison)", Self.sample, logic) == .no, "\(comparison)")
      }
    }
    #expect(try isTrue("data CONTAINS CAST('Ag==', 'NSData') AND data ENDSWITH CAST('AgM=', 'NSData')"))
    #expect(try !isTrue("text CONTAINS data"))
  }

  @Test("PRD-109: ANY goes with every operator")
  func anyOperator() throws {
    let owner = Value.dictionary([
      "tags": .list([object(["name": "Ärger", "n": 1]), object(["name": "Lob", "n": 7])])
    ])
    for text in [
      "ANY tags.name CONTAINS[cd] 'RG'", "ANY tags.name BEGINSWITH[cd] 'a'", "ANY tags.name ENDSWITH 'b'",
      "ANY tags.name LIKE 'L?b'", "ANY tags.name MATCHES 'L.b'", "ANY tags.name IN {'Lob', 'x'}",
      "ANY tags.n BETWEEN {5, 9}", "ANY tags.n != 1", "ANY tags.n >= 7", "ANY tags.n < 2",
    ] {
      #expect(try truth(text, owner) == .yes, "\(text)")
    }
    for text in ["ANY tags.name CONTAINS[cd] 'x'", "ANY tags.n > 7", "ANY tags.name LIKE 'l?b'"] {
      #expect(try truth(text, owner) == .no, "\(text)")
    }
  }

  @Test(
    "PRD-110: plain and [n] comparisons go scalar by scalar",
    arguments: [
      "composed == decomposed", "composed BEGINSWITH decomposed", "composed LIKE decomposed", "'a' == 'A'",
      "composed IN {decomposed}", "'straße' == 'strasse'", "'Ab' BEGINSWITH 'a'", "'ab' ENDSWITH 'B'",
    ])
  func scalars(text: String) throws {
    let comparison = try #require(
      ["==", "BEGINSWITH", "LIKE", "IN", "ENDSWITH"].first { text.contains(" \($0) ") })
    for options in ["", "[n]", "[cdn]", "[nl]"] {
      let written = text.replacingOccurrences(of: " \(comparison) ", with: " \(comparison)\(options) ")
      #expect(try !isTrue(written, locale: "tr_TR"), "\(written)")
    }
    if text.contains("composed") {
      #expect(try isTrue(text.replacingOccurrences(of: " \(comparison) ", with: " \(comparison)[c] ")))
    }
    #expect(try isTrue("composed ==[n] '\\u00E9' AND 'a' <[n] 'b' AND 'B' <[cn] 'a'"))
  }

  @Test(
    "PRD-115: options apply to both sides, each member, both bounds and patterns",
    arguments: [
      "'É' ==[cd] 'e'", "'e' ==[cd] 'É'", "'b' IN[c] {'A', 'B'}", "'É' IN[d] {'a', 'E'}",
      "'b' BETWEEN[c] {'A', 'C'}",
      "'B' BETWEEN[c] {'a', 'c'}", "'Ä' BETWEEN[cd] {'a', 'b'}", "'STRASSE' LIKE[c] 'stra??e'",
      "'straße' LIKE[c] 'STRA??E'", "'ﬁ' LIKE[c] '??'", "'xÉy' LIKE[d] 'x?y'",
      "'É*' LIKE[d] 'e\\\\*' OR 'É*' LIKE[cd] 'e\\\\*'",
      "'eé' LIKE[d] 'É*' OR 'eé' LIKE[cd] 'É*'", "'Köln' CONTAINS[cd] 'Ö'", "'koln' CONTAINS[cd] 'Ö'",
      "{'É'} CONTAINS[cd] 'e'", "ANY {'x', 'É'} ==[cd] 'e'",
    ])
  func bothSides(text: String) throws {
    #expect(try isTrue(text))
  }

  @Test(
    "PRD-115: without options the same comparisons are false",
    arguments: [
      "'É' == 'e'", "'b' IN {'A', 'B'}", "'b' BETWEEN {'A', 'C'} AND 'B' BETWEEN {'a', 'c'}", "'ﬁ' LIKE '??'",
      "'straße' LIKE[c] 'stra?e'", "'a*' LIKE[c] 'A\\\\*b'", "'ab' LIKE[c] 'A\\\\*'",
    ])
  func plain(text: String) throws {
    #expect(try !isTrue(text))
  }

  @Test("PRD-116: with options < and its kin order by the bytes of the folded keys")
  func orders() throws {
    for text in [
      "'a' <[c] 'B'", "'B' >[c] 'a'", "'Z' <=[c] 'z'", "'Z' >=[c] 'z'", "'ä' <[d] 'b'", "'Ä' <[cd] 'b'",
      "'ß' <[c] 'st'", "'z' <[c] 'é'",
    ] {
      #expect(try isTrue(text), "\(text)")
    }
    for text in ["'B' <[c] 'a'", "'a' < 'B'", "'ä' < 'b'", "'ß' < 'st'", "'Z' <[c] 'z'", "'é' <[c] 'z'"] {
      #expect(try !isTrue(text), "\(text)")
    }
  }

  @Test("PRD-117: MATCHES with options: [c] ignores case, [d] folds text and pattern, [l] adds nothing")
  func matches() throws {
    for text in [
      "'ABC' MATCHES[c] 'a.c'", "'É' MATCHES[d] 'E'", "'E' MATCHES[d] 'É'", "'É' MATCHES[cd] 'e'",
      "'e' MATCHES[cd] 'É'", "'I' MATCHES[cl] 'i'",
    ] {
      #expect(try isTrue(text, locale: "tr_TR"), "\(text)")
    }
    for text in [
      "'ABC' MATCHES 'a.c'", "'É' MATCHES 'E'", "'É' MATCHES[c] 'e'", "'É' MATCHES[d] 'e'",
      "'I' MATCHES[l] 'i'",
      "'ı' MATCHES[cl] 'I'", "'a' MATCHES[l] 'A'",
    ] {
      #expect(try !isTrue(text, locale: "tr_TR"), "\(text)")
    }
  }

  @Test("PRD-220: localized tells all differences apart, localizedCaseInsensitive all but case")
  func localizedOrder() throws {
    let locale = Locale(identifier: "en_US")
    let full = try QuerySortDescriptor(key: "a", comparator: .localized)
    let caseless = try QuerySortDescriptor(key: "a", comparator: .localizedCaseInsensitive)
    func order(_ descriptor: QuerySortDescriptor, _ left: String, _ right: String) -> ComparisonResult {
      descriptor.order(.string(left), .string(right), locale: locale)
    }
    #expect(order(full, "a", "A") == .orderedAscending)
    #expect(order(caseless, "a", "A") == .orderedSame)
    for descriptor in [full, caseless] {
      #expect(order(descriptor, "A", "b") == .orderedAscending)
      #expect(order(descriptor, "e", "é") == .orderedAscending)
      #expect(order(descriptor, "é", "f") == .orderedAscending)
      #expect(order(descriptor, "file10", "file2") == .orderedAscending)
      #expect(order(descriptor.reversed, "A", "b") == .orderedDescending)
    }
    let swedish = Locale(identifier: "sv_SE")
    #expect(caseless.order(.string("Ö"), .string("z"), locale: swedish) == .orderedDescending)
    #expect(caseless.order(.string("Ö"), .string("z"), locale: locale) == .orderedAscending)
  }
}
