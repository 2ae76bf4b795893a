import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("What errors say to people and logs")
struct ErrorTextTests {
  private func failure(_ body: () throws -> Void) throws -> GraphStoreError {
    try #require(throws: GraphStoreError.self, performing: body)
  }

  @Test(
    "OBJ-141, OBJ-142: a value of the attribute's own kind that it cannot hold is refused for what is wrong with it",
    arguments: [
      ("ratio", Value.double(.nan), GraphStoreError.Code.valueType, "not NaN"),
      ("single", .double(.nan), .valueType, "not NaN"),
      (
        "moment", .date(Date(timeIntervalSinceReferenceDate: .infinity)), .valueType,
        "a date at no finite time"
      ),
      ("large", UInt64.max.queryValue, .valueOutOfRange, "does not fit int64"),
      ("small", UInt64.max.queryValue, .valueOutOfRange, "does not fit int16"),
      ("large", .double(1e30), .valueOutOfRange, "does not fit int64"),
      ("large", .double(-.infinity), .valueOutOfRange, "does not fit int64"),
      (
        "large", .decimal(Decimal(sign: .minus, exponent: 20, significand: 1)), .valueOutOfRange,
        "does not fit int64"
      ),
      ("large", .double(1.5), .valueType, "not a double"), ("large", .double(.nan), .valueType, "not NaN"),
      ("large", .decimal(Decimal(sign: .plus, exponent: -1, significand: 15)), .valueType, "not a decimal"),
    ])
  func refusedValues(_ key: String, _ value: Value, _ code: GraphStoreError.Code, _ text: String) throws {
    let thing = try TestStack(TestModels.types).context.insert(entityNamed: "Thing")
    let error = try failure { try thing.setQueryValue(value, forKey: key) }
    #expect(error.code == code && error.message.contains(text), "\(error)")
  }

  @Test("DGN-113: what Foundation asks of an error is there: its message, and what to do")
  func localizedErrors() throws {
    let thing = try TestStack(TestModels.types).context.insert(entityNamed: "Thing")
    let error = try failure { try thing.setValue("x", forKey: "large") }
    #expect((error as any Error).localizedDescription == error.message)
    #expect(error.recoverySuggestion == error.remedy)
    let others: [any Error] = [
      try #require(throws: QueryPredicateError.self) { _ = try QueryPredicate(parsing: "a >") },
      try #require(throws: ModelError.self) { _ = try ManagedObjectModel(json: "{".utf8) },
      try #require(throws: ModelLookupError.self) { _ = try thing.entity.model.entity(named: "Thin") },
    ]
    for error in others { #expect(error.localizedDescription == "\(error)") }
  }

  @Test("DGN-119: several failures are named in print and in logs, the first twenty of them")
  func severalFailures() throws {
    var attribute = AttributeDefinition("name", .string)
    attribute.isOptional = false
    let stack = try TestStack(
      ModelDefinition(name: "M", entities: [EntityDefinition("P", attributes: [attribute])]))
    for _ in 0..<23 { try stack.context.insert(entityNamed: "P") }
    let error = try failure { try stack.context.save() }
    #expect(error.errors.count == 23)
    for text in ["\(error)", error.localizedDescription] {
      #expect(
        text.split(separator: "\n").count { $0.contains("name is a required property") } == 20, "\(text)")
    }
    #expect("\(error)".hasSuffix("- and 3 more"))
  }

  private final class Stranger: ManagedObject {}

  @Test("PAT-036: the remedy of class-mismatch is a call as it is written")
  func classMismatch() throws {
    let stack = try TestStack(TestModels.company())
    let error = try failure { _ = try stack.context.insert(Stranger.self) }
    #expect(error.code == .classMismatch && error.remedy.contains(#"classes: ["Stranger": Stranger.self])"#))
    _ = try PersistentStoreCoordinator.open(storeAt: stack.path, classes: ["Stranger": Stranger.self])
  }

  @Test("An object whose context has gone says so")
  func contextGone() throws {
    let stack = try TestStack(TestModels.company())
    let object = try ManagedObjectContext(coordinator: stack.coordinator).insert("Department", ["name": "x"])
    let error = try failure { _ = try object.value(forKey: "name") }
    #expect(error.code == .objectInvalidated)
    #expect(error.remedy.contains("in a context that is held: its own has gone"))
  }

  @Test("OBJ-202: a path given where a key is wanted is told the call that takes paths")
  func keyPaths() throws {
    let employee = try TestStack(TestModels.company()).context.insert("Employee", ["name": "x"])
    let set = try failure { try employee.setValue("y", forKey: "department.name") }
    let got = try failure { _ = try employee.value(forKey: "department.name") }
    for error in [set, got] {
      #expect(error.code == .unknownKey)
      #expect(error.remedy.contains("value(forKeyPath:) and setValue(_:forKeyPath:)"), "\(error)")
    }
  }

  @Test("STO-026: a hard link of a store that is open is that store")
  func hardLink() throws {
    let stack = try TestStack(TestModels.company())
    let link = stack.folder.appending(path: "link.db").path
    try FileManager.default.linkItem(atPath: stack.path, toPath: link)
    let error = try failure { try stack.coordinator.addStore(at: link) }
    #expect(error.code == .storeAlreadyOpen && error.message.contains("open under the coordinator already"))
    #expect(error.message.contains(link) && error.message.contains("store.db"), "\(error)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: stack.folder.path).filter {
        $0.hasPrefix("link.db-")
      } == [])
  }
}
