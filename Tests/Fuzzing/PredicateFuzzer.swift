import Foundation

/// What libFuzzer calls with the bytes it makes up.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  PredicateFuzzer.test(text)
  return 0
}

/// Whatever a text holds, reading it answers or throws, what was read prints and reads back, and folding its
/// constants changes no answer. Compiled together with the sources of GraphStorePredicates: see `.ci/fuzz`.
enum PredicateFuzzer {
  private static let now = Date(timeIntervalSinceReferenceDate: 700_000_000)

  private static let object = Value.dictionary([
    "name": .string("Åda"), "age": .int(36), "price": .decimal(Decimal(125) / 10), "ratio": .double(0.1),
    "born": .date(now), "active": .bool(true), "nick": .null, "data": .data(Data([1, 2, 255])),
    "tags": .list([.string("a"), .string("b"), .null]), "scores": .list([.int(1), .double(2.5)]),
    "boss": .dictionary(["name": .string("Bob"), "age": .int(50)]),
    "team": .list([.dictionary(["age": .int(1)]), .dictionary(["age": .int(2)])]),
  ])

  static func test(_ text: String) {
    if let predicate = try? QueryPredicate(parsing: text) { test(predicate) }
    if let expression = try? QueryExpression(parsing: text) { test(expression) }
    if let sort = try? QuerySortDescriptor.list(parsing: text) {
      let printed = sort.map(\.description).joined(separator: ",")
      require((try? QuerySortDescriptor.list(parsing: printed)) == sort, "sort keys read back", printed)
      for descriptor in sort { _ = descriptor.order(.string(text), .string("x")) }
    }
    let value = Value.string(text)
    for type in QueryCastType.allCases { _ = value.cast(to: type).literal }
  }

  private static func test(_ predicate: QueryPredicate) {
    let printed = predicate.predicateFormat
    guard let read = try? QueryPredicate(parsing: printed) else {
      return fail("the printed text parses", printed)
    }
    require(read == predicate && read.hashValue == predicate.hashValue, "it reads back", printed)
    require(read.predicateFormat == printed, "it prints the same again", printed)
    require((try? QueryPredicate(parsing: predicate.indentedFormat)) == predicate, "indented too", printed)
    let names = predicate.names
    let values = Dictionary(uniqueKeysWithValues: names.variables.map { ($0, Value.string("name")) })
    guard let substituted = try? predicate.substituting(values) else { return }
    for logic in [PredicateLogic.twoValued, .threeValued] {
      let options = EvaluationOptions(logic: logic, locale: Locale(identifier: "en_US_POSIX"), now: now)
      let truth = try? PredicateEvaluator(substituted, options: options).truth(.value(object))
      guard let truth, !names.functions.contains(where: { $0.hasPrefix("random") }) else { continue }
      let folded = substituted.foldingConstants(now: now)
      let again = try? PredicateEvaluator(folded, options: options).truth(.value(object))
      require(again == truth, "folding keeps the answer (\(truth), \(String(describing: again)))", printed)
    }
  }

  private static func test(_ expression: QueryExpression) {
    let printed = expression.expressionFormat
    guard let read = try? QueryExpression(parsing: printed) else {
      return fail("the printed text parses", printed)
    }
    require(read == expression && read.hashValue == expression.hashValue, "it reads back", printed)
    require(read.expressionFormat == printed, "it prints the same again", printed)
    _ = try? ExpressionEvaluator(expression).value(for: .value(object))
  }

  private static func require(_ condition: Bool, _ rule: String, _ text: String) {
    if !condition { fail(rule, text) }
  }

  private static func fail(_ rule: String, _ text: String) {
    FileHandle.standardError.write(Data("Broken: \(rule): \(text)\n".utf8))
    abort()
  }
}
