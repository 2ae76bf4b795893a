import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStore

/// How many texts a search looks at.
@Suite("Cost of searches")
struct SearchCostTests {
  private static let count = 12_812
  private let stack: TestStack
  private let calls = Calls()

  private final class Calls: @unchecked Sendable {
    var count = 0
  }

  init() throws {
    stack = try TestStack(
      ModelDefinition(
        name: "Cities",
        entities: [
          EntityDefinition(
            "City",
            attributes: [
              AttributeDefinition("name", .string), AttributeDefinition("plain", .string),
              AttributeDefinition("number", .int64),
            ],
            indexes: [
              IndexDefinition("byPlain", elements: [.init("plain")]),
              IndexDefinition("byNumber", elements: [.init("number")]),
            ])
        ]))
    for number in 0..<Self.count {
      let name = (number % 7 == 0 ? "Saint-Étienne " : "Köln ") + String(number)
      try stack.context.insert(
        "City", ["name": name, "plain": TextNormalizer.standard.normalize(name), "number": number])
    }
    try stack.context.save()
    stack.context.reset()
    // The store's own functions once more, counted.
    let connection = try stack.connection()
    let calls = calls
    try SQLiteTextFunctions.forEach { name, argumentCount, body in
      try connection.register(function: name, argumentCount: argumentCount) { arguments, result in
        calls.count += 1
        try body(arguments, result)
      }
    }
  }

  private func search(_ predicate: String) throws -> (found: Int, calls: Int, plan: String) {
    let request = FetchRequest(entityName: "City", predicate: try QueryPredicate(parsing: predicate))
    calls.count = 0
    let found = try stack.context.count(for: request)
    let counted = calls.count
    let steps = try stack.context.explain(request).statements.flatMap(\.plan).map(\.text)
    return (found, counted, steps.joined(separator: "; "))
  }

  @Test("PRD-275, PRD-262: a search with [cd] is one call a row, a search of an indexed copy with [n] none")
  func callsOfSearches() throws {
    for (predicate, found) in [
      ("name CONTAINS[cd] 'etienne'", 1831), ("name BEGINSWITH[cd] 'SAINT'", 1831),
      ("name ==[cd] 'koln 5'", 1),
    ] {
      let scan = try search(predicate)
      #expect(scan.found == found && scan.calls == Self.count, "\(predicate): \(scan)")
      #expect(scan.plan.contains("SCAN"))
    }
    for (predicate, found) in [
      ("plain BEGINSWITH[n] 'saint'", 1831), ("plain ==[n] 'koln 5'", 1),
      ("plain IN[n] {'koln 5', 'koln 6'}", 2), ("plain BEGINSWITH[n] normalize:('SAINT')", 1831),
    ] {
      let indexed = try search(predicate)
      #expect(indexed.found == found && indexed.calls == 0, "\(predicate): \(indexed)")
      #expect(indexed.plan.contains("SEARCH") && indexed.plan.contains("byPlain"), "\(indexed)")
    }
  }

  @Test("PRD-275: equal text and an equal number are looked up by the same steps")
  func stepsOfLookUps() throws {
    let text = try search("plain ==[n] 'koln 5'").plan
    let number = try search("number == 5").plan
    #expect(text.replacing("byPlain", with: "byNumber").replacing("ZPLAIN", with: "ZNUMBER") == number)
  }
}
