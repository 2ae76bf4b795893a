import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("What no statement runs")
struct MemoryOnlyTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(TestModels.company())
    for (name, salaries) in [("Labs", [10, 20, 20]), ("Shop", [5]), ("Void", [])] {
      let department = try stack.context.insert("Department", ["name": name])
      for salary in salaries {
        try stack.context.insert("Employee", ["salary": salary, "department": department])
      }
    }
    try stack.context.save()
    stack.context.reset()
    stack.context.functions.register("itself") { target, _ in target }
  }

  private func request(_ text: String) throws -> FetchRequest<ManagedObject> {
    var request = FetchRequest(entityName: "Department", predicate: try QueryPredicate(parsing: text))
    request.variables = ["seats": .dictionary(["Labs": .int(7), "Shop": .int(2)])]
    return request
  }

  private func names(_ text: String) throws -> Set<String> {
    Set(try stack.context.fetch(request(text)).compactMap { try $0.string("name") })
  }

  private static let cases: [(String, Set<String>)] = [
    ("random() >= 0", ["Labs", "Shop", "Void"]), ("random:(3) < 3", ["Labs", "Shop", "Void"]),
    ("randomn:(1) == 1", []), ("count:(employees.salary UNION {10, 30}) == 3", ["Labs", "Shop"]),
    ("count:(employees.salary INTERSECT {20}) == 1", ["Labs"]),
    ("count:(employees.salary MINUS {20}) == 1", ["Labs", "Shop"]),
    ("ANY employees UNION employees.reports == nil", []), ("$seats[name] == 7", ["Labs"]),
    ("count:(employees.@unionOfObjects.salary) == 3", ["Labs"]),
    ("count:(employees.@distinctUnionOfObjects.salary) == 2", ["Labs"]),
    ("mode:(employees.salary) == {20}", ["Labs"]), ("stddev:(employees.salary) == 0", ["Shop"]),
    ("stddev:(employees.@count, 1) == 0", ["Shop"]), ("median:(employees.@count, 5) == 4", ["Labs"]),
    ("FUNCTION(name, 'itself') == 'Labs'", ["Labs"]), ("'Labs' MATCHES name", ["Labs"]),
  ]

  @Test("PRD-234, PRD-179: they are evaluated over the rows that come back", arguments: cases)
  func inMemory(_ text: String, _ expected: Set<String>) throws {
    let parts = try stack.context.explain(request(text)).parts
    #expect(parts.map(\.place) == [.memory])
    #expect(try names(text) == expected)
    #expect(try names("NOT (\(text))").isDisjoint(with: expected))
    #expect(try names("TERNARY(\(text), 1, 2) == 2") == Set(["Labs", "Shop", "Void"]).subtracting(expected))
    #expect(try names("name != 'Void' AND \(text)") == expected.subtracting(["Void"]))
  }

  @Test(
    "PRD-234, PRD-232: a request that forbids evaluation in memory refuses each by name", arguments: cases)
  func refused(_ text: String, _ expected: Set<String>) throws {
    var request = try request(text)
    request.inMemoryEvaluation = .refused
    let part = try #require(request.predicate).substituting(request.variables).predicateFormat
    let error = #expect(throws: GraphStoreError.self) { _ = try stack.context.fetch(request) }
    #expect(error?.code == .unsupportedInStore)
    #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
  }
}
