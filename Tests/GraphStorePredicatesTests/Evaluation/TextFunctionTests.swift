import Foundation
import GraphStorePredicates
import Testing

/// Functions of texts and numbers that are this library's own.
@Suite("Functions of texts") struct TextFunctionTests {
  private static let sample: Value = .dictionary([
    "name": .string("Ada Lovelace"), "mail": .string("ada@example.org"), "face": .string("a😀b"),
    "spaced": .string(" \t x y\n"), "price": .decimal(Decimal(string: "2.675") ?? 0), "one": .int(1),
    "empty": .string(""),
  ])

  private func value(_ text: String) throws -> Value {
    try ExpressionEvaluator(QueryExpression(parsing: text)).value(for: .value(Self.sample))
  }

  @Test(
    "PRD-294: parts of texts",
    arguments: [
      ("substring:(name, 4)", "Lovelace"), ("substring:(name, 0, 3)", "Ada"),
      ("substring:(name, -4)", "lace"),
      ("substring:(name, -4, 2)", "la"), ("substring:(name, 100)", ""), ("substring:(name, -100, 1)", "A"),
      ("substring:(name, 2, 1000)", "a Lovelace"), ("substring:(face, 1, 2)", "😀"),
      ("substring:(face, 2)", "b"),
      ("substring:(face, 0, 2)", "a"), ("substring:(face, 2, 1)", ""), ("trimmed:(spaced)", "x y"),
      ("concatenated:(name, ' <', mail, '>')", "Ada Lovelace <ada@example.org>"),
      ("concatenated:(name)", "Ada Lovelace"),
      ("replaced:(mail, 'a', '')", "d@exmple.org"), ("replaced:(mail, '', 'x')", "ada@example.org"),
      ("firstPart:(mail, '@')", "ada"), ("lastPart:(mail, '@')", "example.org"),
      ("lastPart:(name, '@')", "Ada Lovelace"),
      ("firstPart:(empty, 'x')", ""), ("firstPart:(mail, '')", "ada@example.org"),
    ])
  func texts(_ text: String, _ expected: String) throws { #expect(try value(text) == .string(expected)) }

  @Test(
    "PRD-294: without a value, and for what is no text, there is none",
    arguments: [
      "substring:(missing, 1)", "substring:(name, missing)", "substring:(name, 1, -1)",
      "concatenated:(name, missing)",
      "trimmed:(one)", "replaced:(name, missing, 'x')", "firstPart:(missing, 'x')",
    ])
  func missing(_ text: String) throws { #expect(try value(text) == .null) }

  @Test(
    "PRD-295: rounding keeps the kind of a number",
    arguments: [
      ("round:(2.5)", Value.double(3)), ("round:(-2.5)", .double(-3)), ("round:(2.675, 2)", .double(2.68)),
      ("round:(1.005, 2)", .double(1.01)), ("round:(1e300, 2)", .double(1e300)),
      ("round:(1e-200)", .double(0)), ("round:(9007199254740992.0, -2)", .double(9_007_199_254_741_000)),
      ("round:(1.25e16, -17)", .double(0)), ("round:(one, 2)", .int(1)),
      ("round:(1250, -2)", .int(1300)), ("round:(-1249, -2)", .int(-1200)), ("round:(one, 99)", .null),
      ("round:(price, 2)", .decimal(Decimal(string: "2.68") ?? 0)), ("round:(missing)", .null),
      ("round:(name)", .null),
    ])
  func rounding(_ text: String, _ expected: Value) throws { #expect("\(try value(text))" == "\(expected)") }

  @Test("PRD-295: the first value that is there")
  func coalescing() throws {
    #expect(try value("coalesce:(missing, name, mail)") == .string("Ada Lovelace"))
    #expect(try value("coalesce:(missing, nil)") == .null)
    #expect(try value("coalesce:(missing, 3)") == .int(3))
  }

  @Test(
    "PRD-296: they print and parse back, and say how many arguments they take",
    arguments: [
      "year:(at)", "hour:(at, \"Europe/Berlin\")", "truncated:(at, \"month\")",
      "adding:(at, -3, \"day\", \"UTC\")",
      "difference:(a, b, \"year\")", "substring:(name, 0, 1)", "coalesce:(a, b, c)", "round:(x, 2)",
    ])
  func printing(_ text: String) throws {
    #expect(try QueryExpression(parsing: text).description == text)
    #expect(throws: QueryPredicateError.self) { try QueryExpression(parsing: "truncated:(at)") }
  }
}
