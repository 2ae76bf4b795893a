import Foundation
import GraphStoreModel
import Testing

@testable import GraphStore

/// A request that validates has its values computed in memory, and one that does not in the store, where that
/// can say them.
@Suite("Batch updates by expressions", .everyStore)
struct BatchExpressionTests {
  private static let model = ModelDefinition(
    name: "Things",
    entities: [
      EntityDefinition(
        "Thing",
        attributes: [
          AttributeDefinition("id", .int64), AttributeDefinition("n", .int64),
          AttributeDefinition("s", .int16, isOptional: false, defaultValue: 0),
          AttributeDefinition("i", .int32), AttributeDefinition("rate", .double),
          AttributeDefinition("name", .string), AttributeDefinition("date", .date),
          AttributeDefinition("flag", .boolean),
        ]),
      EntityDefinition("Special", parent: "Thing", attributes: [AttributeDefinition("m", .int64)]),
    ])

  /// The same records for the same seed.
  private func stack(_ seed: TestSeed, isPlain: Bool) throws -> TestStack {
    var random = seed.generator
    let stack = try TestStack(Self.model)
    let large: [Int64] = isPlain ? [] : [.max, .min, .max - 1, 1 << 62]
    for id in 0..<30 {
      var values: [String: Any] = [
        "id": id, "s": Int.random(in: isPlain ? 0...100 : -32_768...32_767, using: &random),
      ]
      func isGiven() -> Bool { Int.random(in: 0..<5, using: &random) > 0 }
      if isGiven() { values["n"] = (large + [0, 1, -1, 7, 1 << 40]).randomElement(using: &random) }
      if isGiven() { values["i"] = Int.random(in: -1000...1000, using: &random) }
      if isGiven() {
        values["rate"] = ([0, 1.5, -2.25] + (isPlain ? [] : [1e308])).randomElement(using: &random)
      }
      if isGiven() { values["name"] = ["", "Äh", "e\u{301}t", "plain"].randomElement(using: &random) }
      if isGiven() { values["date"] = Date(timeIntervalSinceReferenceDate: Double(id) * 1.25) }
      if isGiven() { values["flag"] = Bool.random(using: &random) }
      try stack.context.insert(id % 3 == 0 ? "Special" : "Thing", values)
    }
    try stack.context.save()
    stack.context.reset()
    return stack
  }

  /// What the store has afterwards, or the code of the error.
  private func outcome(_ stack: TestStack, _ request: BatchUpdateRequest) throws -> (count: Int, text: String)
  {
    do {
      let count = try stack.context.execute(request).count
      let objects = try stack.newContext().all("Thing", sort: ["id"])
      return try (
        count,
        objects.map { object in
          try ["n", "s", "i", "rate", "name", "date", "flag"].map { "\(try object.queryValue(forKey: $0))" }
            .joined(separator: " ")
        }.joined(separator: "\n")
      )
    } catch let error as GraphStoreError {
      return (0, "\(error.code)")
    }
  }

  private static let expressions: [(key: String, text: String)] = [
    ("n", "n + 1"), ("n", "n * 2"), ("n", "n - s"), ("n", "s * s"), ("n", "n / 0"), ("n", "n + i * 2"),
    ("n", "-n"),
    ("s", "s + 1"), ("s", "s * s"), ("s", "i"), ("i", "i * 3"), ("i", "n"), ("s", "s - s"),
    ("rate", "rate * 2.5"), ("rate", "rate / rate"), ("rate", "rate * rate"), ("rate", "rate + n"),
    ("rate", "n"),
    ("name", "uppercase(name)"), ("name", "name"), ("date", "date + 86400"), ("date", "date"),
    ("flag", "flag"),
    ("n", "TERNARY(n > 3, n, s)"), ("n", "length(name)"),
  ]

  @Test(
    "FET-230, FET-231: values that the store computes, and those that it refuses, are those of memory",
    arguments: TestSeed.sequence(4), [false, true])
  func agreement(_ seed: TestSeed, isPlain: Bool) throws {
    for (key, text) in Self.expressions {
      var request = BatchUpdateRequest(
        entityName: "Thing", propertiesToUpdate: [key: try QueryExpression(parsing: text)],
        predicate: try QueryPredicate(parsing: "id != 5"))
      request.resultType = .count
      let inStore = try outcome(try stack(seed, isPlain: isPlain), request)
      request.validates = true
      let inMemory = try outcome(try stack(seed, isPlain: isPlain), request)
      #expect(inStore == inMemory, "\(seed): \(key) = \(text)")
    }
  }

  @Test(
    "FET-230: expressions and constants are written by one statement, after one that looks for values to be refused",
    .needs(.statements))
  func statements() throws {
    let stack = try stack(TestSeed.sequence(1)[0], isPlain: true)
    let request = BatchUpdateRequest(
      entityName: "Thing",
      propertiesToUpdate: [
        "name": "same", "n": try QueryExpression(parsing: "i + 5"), "i": try QueryExpression(parsing: "s"),
        "flag": true,
      ], predicate: try QueryPredicate(parsing: "id < 20 AND name != 'no'"))
    let before = try stack.newContext().all("Thing", sort: ["id"]).map { object in
      (try object.queryValue(forKey: "i"), try object.queryValue(forKey: "s"))
    }
    let texts = try stack.recordedStatements { _ = try stack.context.execute(request) }
      .filter { !["BEGIN IMMEDIATE", "COMMIT"].contains($0) }
    #expect(texts.count { $0.hasPrefix("UPDATE") } == 1 && texts.count <= 2, "\(texts)")
    let after = try stack.newContext().all("Thing", "id < 20", sort: ["id"])
    for (object, old) in zip(after, before) {
      guard try object.string("name") == "same" else { continue }
      #expect(try object.queryValue(forKey: "i") == old.1)
      let sum: Value = old.0.isNull ? .null : .int(Int64(old.0.number) + 5)
      #expect(try object.queryValue(forKey: "n") == sum)
      #expect(try object.queryValue(forKey: "flag") == .bool(true))
    }
  }
}
