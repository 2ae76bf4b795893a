import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Text, moments and schemas of stores")
struct StoreTextTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(TestModels.types)
  }

  private func texts(_ predicate: String, variables: [String: Value] = [:]) throws -> [String?] {
    var request = FetchRequest(entityName: "Thing", predicate: try QueryPredicate(parsing: predicate))
    request.variables = variables
    request.sortDescriptors = try QuerySortDescriptor.list(parsing: "objectID")
    return try stack.context.fetch(request).map { try $0.string("text") }
  }

  @Test("PRD-264: stored texts keep their scalars exactly")
  func scalars() throws {
    for text in PlannerValues.texts { try stack.context.insert("Thing", ["text": text]) }
    try stack.context.save()
    let read = try stack.newContext().all("Thing", sort: ["objectID"]).compactMap { try $0.string("text") }
    #expect(read.map { Array($0.unicodeScalars) } == PlannerValues.texts.map { Array($0.unicodeScalars) })
  }

  @Test("PRD-263: text without options is compared exactly: art is not Art")
  func exact() throws {
    for text in ["art", "Art", "ART"] { try stack.context.insert("Thing", ["text": text]) }
    try stack.context.save()
    #expect(try texts("text == 'art'") == ["art"])
    #expect(try texts("text ==[n] 'Art'") == ["Art"])
    #expect(try texts("text ==[c] 'art'").count == 3)
  }

  @Test("PRD-260, PRD-261: the stored copy and the term go through one normaliser, set by hand or computed")
  func normalised() throws {
    for name in ["Saint-Étienne", "saint etienne", "Sankt"] {
      let thing = try stack.context.insert("Thing", ["text": TextNormalizer.standard.normalize(name)])
      try thing.setValue(name, forKey: "passing")
    }
    try stack.context.save()
    let term: [String: Value] = ["term": .string("SAINT-É")]
    #expect(
      try texts("text BEGINSWITH[n] normalize:($term)", variables: term) == ["saint-etienne"])
    #expect(try texts("text == normalize:(text)").count == 3)
  }

  @Test("PRD-252: dates compare as the doubles that are stored")
  func dates() throws {
    let moment = 700_000_000.123456
    for step in [moment, moment.nextUp, moment.nextDown] {
      try stack.context.insert(
        "Thing", ["moment": Date(timeIntervalSinceReferenceDate: step), "text": step.description])
    }
    try stack.context.save()
    stack.context.reset()
    let variables: [String: Value] = ["d": .date(Date(timeIntervalSinceReferenceDate: moment))]
    #expect(try texts("moment == $d", variables: variables) == [moment.description])
    #expect(try texts("moment > $d", variables: variables) == [moment.nextUp.description])
    #expect(try texts("CAST(moment, 'NSNumber') < 700000000.123456") == [moment.nextDown.description])
  }

  @Test("PRD-254: no table, index or constraint of a store orders by a locale")
  func schema() throws {
    let statements = try SQLSchema(model: LayoutModels.company()).createStatements()
    let collations = statements.flatMap { $0.components(separatedBy: "COLLATE ").dropFirst() }
    #expect(!collations.isEmpty && collations.allSatisfy { $0.hasPrefix("BINARY") })
  }

  @Test(
    "PRD-256: what looks like SQL in a request is text like any other",
    arguments: ["'; DROP TABLE ZTHING; --", "1 OR 1=1", "\") OR 1=1 --", "%' OR '1'='1"])
  func injection(text: String) throws {
    try stack.context.insert("Thing", ["text": text])
    try stack.context.insert("Thing", ["text": "other"])
    try stack.context.save()
    for predicate in ["text == $t", "text BEGINSWITH $t", "text IN {$t}", "text CONTAINS[cd] $t"] {
      #expect(try texts(predicate, variables: ["t": .string(text)]) == [text], "\(predicate)")
    }
    for predicate in ["text == $t", "text IN {$t}", "uppercase:(text) LIKE $t"] {
      let request = FetchRequest(
        entityName: "Thing",
        predicate: try QueryPredicate(parsing: predicate).substituting(["t": .string(text)]))
      #expect(try !stack.context.explain(request).statements[0].sql.contains(text))
    }
  }

  @Test(
    "PRD-232: a part that every store refuses, and one that this request does, throw before anything is read",
    arguments: [
      ("passing == 'x'", "transient-in-fetch"), ("missing == 1", "unknown-key"),
      ("FETCH($r, $r, YES) > 1", "unsupported-in-fetch"), ("random:(medium) == 1", "unsupported-in-store"),
    ])
  func refused(text: String, code: String) throws {
    try stack.context.insert("Thing", ["text": "a"])
    try stack.context.save()
    stack.context.reset()
    var request = FetchRequest(entityName: "Thing", predicate: try QueryPredicate(parsing: text))
    request.variables = ["r": .int(1)]
    request.inMemoryEvaluation = .refused
    let count = stack.coordinator.statementCount
    for operation in 0..<3 {
      do {
        switch operation {
        case 0: _ = try stack.context.fetch(request)
        case 1: _ = try stack.context.count(for: request)
        default: _ = try stack.context.fetchIdentifiers(request)
        }
        Issue.record("\(text) ran")
      } catch let error as QueryPredicateError {
        #expect(error.code.rawValue == code)
      } catch let error as GraphStoreError {
        #expect(
          "\(error.code)" == code || error.code == .unsupportedInStore && code == "unsupported-in-store")
      }
    }
    #expect(stack.coordinator.statementCount == count)
  }

  @Test("PRD-205, PRD-209: errors of a fetch carry line and column, in characters, and the printed form")
  func positions() throws {
    for (text, line, column, subject) in [
      ("medium == 1 AND missing == 2", 1, 17, "missing"),
      ("text == 'é\u{301}ü'\n  AND (medium == 1\n    OR missing == 2)", 3, 8, "missing"),
      ("text == 'ä' AND medium == 'x'", 1, 27, "\"x\""),
      ("text == '日本' OR FUNCTION(text, 'none') == 1", 1, 17, "FUNCTION(text, \"none\")"),
      ("medium == $free", 1, 11, "medium == $free"),
    ] {
      let error = #expect(throws: QueryPredicateError.self) {
        try stack.context.fetch(
          FetchRequest(entityName: "Thing", predicate: QueryPredicate(parsing: text)))
      }
      #expect(error?.line == line && error?.column == column, "\(text): \(String(describing: error))")
      #expect(error?.subject == subject, "\(text)")
    }
  }

  @Test("PRD-232: a closure is refused in the predicate of a fetch")
  func closure() throws {
    let request = FetchRequest(entityName: "Thing", predicate: .block(PredicateBlock { _, _ in true }))
    let error = #expect(throws: QueryPredicateError.self) { try stack.context.fetch(request) }
    #expect(error?.code == .unsupportedInFetch)
  }
}
