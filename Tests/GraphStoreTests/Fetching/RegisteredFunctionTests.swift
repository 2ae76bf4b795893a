import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Functions of the application")
struct RegisteredFunctionTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(TestModels.types)
    for number in 0..<6 {
      try stack.context.insert(
        "Thing", ["text": "text \(number)", "medium": number, "flag": number % 2 == 0, "ratio": 0.5])
    }
    try stack.context.insert("Thing", [:])
    try stack.context.save()
    stack.context.functions.register(
      "weigh:", isDeterministic: true, sqlForm: .returning(.integer)
    ) { target, arguments in
      guard case .value(.int(let number)) = target, case .value(.bool(let flag))? = arguments.first else {
        return .null
      }
      return .value(.int(flag ? number : -number))
    }
  }

  private func places(_ text: String) throws -> [FetchExplanation.Part.Place] {
    try stack.context.explain(request(text)).parts.map(\.place)
  }

  private func request(_ text: String) throws -> FetchRequest<ManagedObject> {
    FetchRequest(entityName: "Thing", predicate: try QueryPredicate(parsing: text))
  }

  private func texts(_ text: String) throws -> [String?] {
    try stack.context.all("Thing", text, sort: ["objectID"]).map { try $0.string("text") }
  }

  private static let weighing = "FUNCTION(medium, 'weigh:', flag)"

  @Test("PRD-183: a deterministic function with an SQL form runs in the store, with the same answer")
  func inStore() throws {
    #expect(try places("\(Self.weighing) > 1") == [.storeFunction])
    #expect(try texts("\(Self.weighing) > 1") == ["text 2", "text 4"])
    #expect(try texts("\(Self.weighing) == nil") == [nil])
    #expect(try texts("NOT \(Self.weighing) > -4") == ["text 5"])
    try stack.context.all("Thing", "medium == 2")[0].setValue(-2, forKey: "medium")
    #expect(try texts("\(Self.weighing) > 1") == ["text 4"])
  }

  @Test("PRD-183, PRD-234: any other function runs in memory, and the reason is told")
  func inMemory() throws {
    stack.context.functions.register("plain") { target, _ in target }
    stack.context.functions.register("moody", sqlForm: .returning(.integer)) { target, _ in target }
    for (name, detail) in [("plain", "has no SQL form"), ("moody", "is not marked deterministic")] {
      let part = try stack.context.explain(request("FUNCTION(medium, '\(name)') == 3")).parts[0]
      #expect(part.place == .memory && part.reason == .customFunction)
      #expect(part.detail.contains(detail))
      #expect(try texts("FUNCTION(medium, '\(name)') == 3") == ["text 3"])
    }
  }

  @Test("PRD-183: contexts of one store may have different functions of one name")
  func contexts() throws {
    let other = stack.newContext()
    other.functions.register("weigh:", isDeterministic: true, sqlForm: .returning(.integer)) { _, _ in
      .value(.int(7))
    }
    #expect(try other.all("Thing", "\(Self.weighing) == 7").count == 7)
    #expect(try texts("\(Self.weighing) == 4") == ["text 4"])
    #expect(try other.all("Thing", "\(Self.weighing) == 7").count == 7)
  }

  @Test(
    "PRD-183: what a function throws, and a result of another type, are the errors of the fetch on both sides"
  )
  func errors() throws {
    struct Odd: Error {}
    stack.context.functions.register("odd", isDeterministic: true, sqlForm: .returning(.string)) {
      target, _ in
      if case .value(.int(3)) = target { throw Odd() }
      return .value(.string("x"))
    }
    stack.context.functions.register("wrong", isDeterministic: true, sqlForm: .returning(.string)) { _, _ in
      .value(.int(1))
    }
    for _ in 0..<2 {
      #expect(throws: Odd.self) { try texts("FUNCTION(medium, 'odd') == 'x'") }
      let error = #expect(throws: QueryPredicateError.self) { try texts("FUNCTION(medium, 'wrong') == 'x'") }
      #expect(error?.code == .typeMismatch)
      #expect(try texts("medium == 1") == ["text 1"])
      // Unsaved changes are judged in memory.
      try stack.context.all("Thing", "medium == 5")[0].setValue("five", forKey: "text")
      for object in try stack.context.all("Thing", "medium == 3") { try object.setValue("3", forKey: "text") }
    }
  }

  @Test("PRD-180: a function in place of a standard one is called, in the store as in memory")
  func replaced() throws {
    stack.context.functions.register("uppercaseString") { _, _ in .value(.string("mine")) }
    #expect(try texts("FUNCTION(text, 'uppercaseString') == 'mine'").count == 7)
  }

  @Test("PRD-180: an unregistered name is told before anything is read, with those that are like it")
  func unknown() throws {
    let error = #expect(throws: QueryPredicateError.self) {
      try texts("FUNCTION(medium, 'weight:', flag) == 1")
    }
    #expect(error?.code == .unknownFunction)
    #expect(error?.suggestions == ["weigh:"])
  }

  @Test("PRD-181: FETCH is refused in the predicate of a fetch, and cannot run elsewhere")
  func fetch() throws {
    let text = "FETCH($request, $context, YES) > 0"
    let error = #expect(throws: QueryPredicateError.self) {
      var request = try request(text)
      request.variables = ["request": .string("r"), "context": .string("c")]
      _ = try stack.context.fetch(request)
    }
    #expect(error?.code == .unsupportedInFetch)
    let other = #expect(throws: QueryPredicateError.self) {
      let predicate = try QueryPredicate(parsing: text)
      _ = try predicate.evaluate(
        with: Value.null, variables: ["request": .string("r"), "context": .string("c")])
    }
    #expect(other?.code == .unsupportedFunction)
  }

  @Test("PRD-182: functions that have no meaning here, and names that are none")
  func meaningless() throws {
    for (text, code) in [
      ("distanceToLocation:fromLocation:(medium, medium) > 1", QueryPredicateError.Code.unsupportedFunction),
      ("sums:(medium) > 1", .unknownFunction), ("abs:(medium, 1) > 1", .argumentCount),
    ] {
      let error = #expect(throws: QueryPredicateError.self) { _ = try QueryPredicate(parsing: text) }
      #expect(error?.code == code && error?.offset == 0, "\(text)")
    }
  }

  @Test(
    "PRD-234: these stay in memory",
    arguments: [
      "random:(medium) == 0", "FUNCTION(text, 'plain') == 'x'", "text MATCHES text",
    ])
  func stays(text: String) throws {
    stack.context.functions.register("plain") { target, _ in target }
    #expect(try places(text) == [.memory])
  }
}
