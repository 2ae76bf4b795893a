import Foundation
import GraphStorePredicates
import Testing

@Suite struct PredicateAPITests {
  @Test("PRD-002, PRD-214: the types stand beside Foundation's of similar names")
  func names() throws {
    let sort: QuerySortDescriptor = try QuerySortDescriptor(key: "a")
    let foundation = SortDescriptor(\String.count)
    #expect(sort.ascending && foundation.order == .forward)
    let predicate: Predicate<Int> = #Predicate { $0 > 1 }
    #expect(try predicate.evaluate(2))
  }

  @Test("PRD-007: every part of a comparison, compound and expression can be read back")
  func parts() throws {
    let predicate = try QueryPredicate(parsing: "NOT (ANY a.b ==[cd] 'x' OR c[0] IN {1, d})")
    guard case .not(.or(let members)) = predicate, case .comparison(let first) = members[0],
      case .comparison(let second) = members[1]
    else {
      Issue.record("NOT of an OR of comparisons")
      return
    }
    #expect(first.modifier == .any && first.comparator == .equal)
    #expect(first.options == [.caseInsensitive, .diacriticInsensitive])
    #expect(first.left == .keys("a", "b") && first.right.constantValue == .string("x"))
    #expect(first.operatorRange?.offset == 13 && first.left.sourceRange?.length == 3)
    #expect(second.left.kind == .index(.key("c"), .at(.constant(0))))
    #expect(second.right.kind == .aggregate([.constant(1), .key("d")]))
  }

  @Test("PRD-211: the codes are stable")
  func codes() {
    let codes: [QueryPredicateError.Code] = [
      .syntax, .unsupportedSyntax, .tooDeep, .argumentCount, .argumentType, .unboundVariable, .unknownKey,
      .unknownFunction, .unknownType, .badCast, .unsupportedFunction, .typeMismatch, .toManyPath,
      .invalidKeyPath,
      .unorderedCollection, .aggregateOverScalar, .transientInFetch, .unsupportedInFetch, .unsupportedInStore,
      .unsupportedSort, .badRegularExpression, .limit, .arithmeticOverflow,
    ]
    let names = """
      predicate-syntax unsupported-syntax predicate-too-deep argument-count argument-type unbound-variable
      unknown-key unknown-function unknown-type bad-cast unsupported-function type-mismatch to-many-path
      invalid-key-path unordered-collection aggregate-over-scalar transient-in-fetch unsupported-in-fetch
      unsupported-in-store unsupported-sort bad-regular-expression predicate-limit arithmetic-overflow
      """
    #expect(codes.map(\.rawValue) == names.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  @Test("PRD-192: a closure prints as a word that does not parse, and is not coded")
  func closures() throws {
    let predicate = QueryPredicate.and([.block(PredicateBlock { _, _ in true }), .constant(true)])
    #expect(predicate.predicateFormat == "BLOCKPREDICATE AND TRUEPREDICATE")
    #expect(throws: QueryPredicateError.self) { try QueryPredicate(parsing: predicate.predicateFormat) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(predicate) }
    #expect(predicate == predicate)
    #expect(predicate != .and([.block(PredicateBlock { _, _ in true }), .constant(true)]))
  }

  @Test("PRD-203: the long form has one member a line")
  func indented() throws {
    let predicate = try QueryPredicate(
      parsing: "a == 1 AND (b == 2 OR NOT (c == 3 AND d == 4)) AND NOT e == 5")
    #expect(
      predicate.indentedFormat == """
        a == 1
        AND (
          b == 2
          OR NOT (
            c == 3
            AND d == 4
          )
        )
        AND NOT e == 5
        """)
  }

  @Test("PRD-204: numbers and dates print the same whatever the locale")
  func locale() throws {
    let text = "a == 1234567.5 AND b == CAST(\"1234.5\", \"NSDecimalNumber\") AND c == CAST(0.25, \"NSDate\")"
    #expect(try QueryPredicate(parsing: text).predicateFormat == text)
    let german = Locale(identifier: "de_DE")
    #expect(
      try QueryPredicate(parsing: "a == 1234.5")
        .evaluate(with: Value.dictionary(["a": .double(1234.5)])))
    #expect(german.decimalSeparator == ",")
  }

  @Test("PRD-214: a sort descriptor has a direction, a comparator and an opposite")
  func sortDescriptors() throws {
    let plain = try QuerySortDescriptor(key: "a.b")
    #expect(plain.ascending && plain.comparator == .compare && plain.keyPath.plainKeys == ["a", "b"])
    #expect(plain.reversed.reversed == plain)
    #expect(Set([plain, plain.reversed, plain]).count == 2)
  }

  @Test(
    "PRD-216: the customary names of the comparators",
    arguments: [
      ("compare:", QuerySortDescriptor.Comparator.compare), ("caseInsensitiveCompare:", .caseInsensitive),
      ("localizedCompare:", .localized), ("localizedCaseInsensitiveCompare:", .localizedCaseInsensitive),
      ("localizedStandardCompare:", .localizedStandard),
    ])
  func selectors(name: String, comparator: QuerySortDescriptor.Comparator) throws {
    #expect(try QuerySortDescriptor.Comparator(selector: name) == comparator)
  }

  @Test("PRD-222: comparators of text order other values as compare does")
  func otherValues() throws {
    for comparator in QuerySortDescriptor.Comparator.allCases {
      let descriptor = try QuerySortDescriptor(key: "a", comparator: comparator)
      #expect(descriptor.order(.int(2), .int(10)) == .orderedAscending)
      #expect(descriptor.order(.bool(false), .bool(true)) == .orderedAscending)
    }
  }

  @Test("PRD-227: each kind of value has its order")
  func order() throws {
    let pairs: [(Value, Value)] = try [
      (.bool(false), .bool(true)), (.data(Data([1])), .data(Data([1, 0]))),
      (.data(Data([1, 9])), .data(Data([2]))),
      (.uri(#require(URL(string: "http://a"))), .uri(#require(URL(string: "http://b")))),
      (.date(Date(timeIntervalSinceReferenceDate: 1)), .date(Date(timeIntervalSinceReferenceDate: 1.5))),
      (
        .decimal(#require(Decimal(string: "1.0000000000000000000000000000000000001"))),
        .decimal(#require(Decimal(string: "1.0000000000000000000000000000000000002")))
      ),
      (
        .uuid(#require(UUID(uuidString: "00000000-0000-0000-0000-0000000000FE"))),
        .uuid(#require(UUID(uuidString: "00000000-0000-0000-0000-0000000000FF")))
      ),
    ]
    let descriptor = try QuerySortDescriptor(key: "a")
    for (less, more) in pairs {
      #expect(descriptor.order(less, more) == .orderedAscending)
      #expect(descriptor.reversed.order(less, more) == .orderedDescending)
    }
  }

  @Test("PRD-215, PRD-224: white space around sort keys is skipped, and SELF is the object")
  func sortText() throws {
    let list = try QuerySortDescriptor.list(parsing: "\t-a \n,\u{3000}SELF.b:localized , SELF")
    #expect(list.map(\.description) == ["-a", "b:localized", "#self"])
    let values: [Value] = [.int(3), .int(1), .int(2)]
    #expect(try values.sorted(using: [QuerySortDescriptor(parsing: "-SELF")]) == [.int(3), .int(2), .int(1)])
    #expect(throws: QueryPredicateError.self) { try QuerySortDescriptor.list(parsing: " \t") }
  }

  @Test("PRD-105, PRD-106: a pattern may end in a comment; a bad one is told with its reason")
  func patterns() throws {
    let expression = try RegularExpression("(?x) a b # the end")
    #expect(try expression.matches("ab"))
    #expect(try !expression.matches("abc"))
    #expect(throws: Never.self) { try RegularExpression("a[)]b|(?:c)*+\\)") }
    let error = try #require(throws: QueryPredicateError.self) { try RegularExpression("a)b") }
    #expect(error.code == .badRegularExpression)
    #expect(error.message.contains("a ) closes no (, at its character 2"))
  }
}
