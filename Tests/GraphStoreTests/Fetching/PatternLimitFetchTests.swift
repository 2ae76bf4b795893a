import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Matches that take too many steps", .everyStore)
struct PatternLimitFetchTests {
  private let stack: TestStack
  private static let slow = "((a+)+c|a*b)"

  init() throws {
    stack = try TestStack(TestModels.company())
    try stack.context.insert("Department", ["name": "Labs"])
    try stack.context.insert("Department", ["name": String(repeating: "a", count: 40) + "b"])
    try stack.context.save()
    stack.context.reset()
  }

  private func request(_ text: String) throws -> FetchRequest<ManagedObject> {
    FetchRequest(entityName: "Department", predicate: try QueryPredicate(parsing: text))
  }

  private func expectLimit(_ body: () throws -> Void) throws {
    let error = try #require(throws: QueryPredicateError.self, performing: body)
    #expect(error.code == .limit && error.subject == Self.slow)
  }

  @Test("STO-216: fetches and counts throw, negated or not, of stored objects and of unsaved ones")
  func fetches() throws {
    for text in ["name MATCHES '\(Self.slow)'", "NOT name MATCHES[c] '\(Self.slow)'"] {
      let request = try request(text)
      try expectLimit { _ = try stack.context.fetch(request) }
    }
    let request = try request("NOT name MATCHES '\(Self.slow)'")
    try expectLimit { _ = try stack.context.count(for: request) }
    #expect(try stack.context.fetch(self.request("name MATCHES 'L.*'")).count == 1)
    for object in try stack.context.all("Department", "name != 'Labs'") {
      try object.setValue("x", forKey: "name")
    }
    try stack.context.save()
    #expect(try stack.context.count(for: request) == 2)
    try stack.context.insert("Department", ["name": String(repeating: "a", count: 50) + "b"])
    try expectLimit { _ = try stack.context.fetch(request) }
  }
}

@Suite("Patterns of models that take too many steps", .everyStore)
struct PatternLimitValidationTests {
  @Test("STO-216, OBJ-382: a save is refused with the number of the limit, and nothing is written")
  func saves() throws {
    var attribute = AttributeDefinition("t", .string)
    attribute.pattern = "((a+)+c|a*b)"
    let stack = try TestStack(
      ModelDefinition(name: "Patterns", entities: [EntityDefinition("V", attributes: [attribute])]))
    let object = try stack.context.insert("V", ["t": String(repeating: "a", count: 40) + "b"])
    let error = try #require(throws: GraphStoreError.self) { try stack.context.save() }
    #expect(error.number == 136035 && error.entity == "V" && error.property == "t")
    #expect(error.message.contains("takes too many steps") && error.message.contains("((a+)+c|a*b)"))
    try object.setValue("aab", forKey: "t")
    try stack.context.save()
    #expect(try stack.newContext().all("V").count == 1)
  }
}
