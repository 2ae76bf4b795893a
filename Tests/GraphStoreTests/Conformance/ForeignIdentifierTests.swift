import Foundation
import GraphStore
import Testing

/// Identifiers of one store, given to another.
@Suite(.everyStore)
struct ForeignIdentifierTests {
  private let stack: TestStack
  private let twin: TestStack

  init() throws {
    stack = try TestStack(TestModels.company())
    twin = try TestStack(TestModels.company())
    for stack in [stack, twin] {
      try stack.context.insert("Employee", ["name": "Ada"])
      try stack.context.save()
    }
  }

  private func expectForeign(_ body: () throws -> Void) {
    #expect {
      try body()
    } throws: {
      ($0 as? GraphStoreError)?.code == .foreignObjectID
    }
  }

  @Test(
    "OBJ-120, STO-028: an identifier of another store of the same model is refused, not taken for the own record"
  )
  func foreign() throws {
    #expect(stack.coordinator.storeIdentifier != twin.coordinator.storeIdentifier)
    let id = try twin.context.all("Employee")[0].objectID
    let own = try stack.context.all("Employee")[0]
    #expect(id.shortForm == own.objectID.shortForm && id != own.objectID)
    #expect(stack.context.registeredObject(for: id) == nil)
    expectForeign { _ = try stack.context.object(with: id) }
    expectForeign { _ = try stack.context.existingObject(with: id) }
    #expect(Set([id, own.objectID]).count == 2)
  }

  @Test("OBJ-120: an identifier of a store with more entities is refused as well")
  func otherModel() throws {
    let small = try TestStack(
      ModelDefinition(
        name: "Small", entities: [EntityDefinition("One", attributes: [AttributeDefinition("name", .string)])]
      ))
    let id = try stack.context.insert("Project", ["name": "P"])
    try stack.context.save()
    expectForeign { _ = try small.context.object(with: id.objectID) }
    expectForeign { _ = try small.context.existingObject(with: id.objectID) }
    #expect(small.context.registeredObject(for: id.objectID) == nil)
  }

  @Test(
    "OBJ-118, OBJ-120, STO-028: an identifier, and its URI, is good wherever its store is open, and nowhere else"
  )
  func conversion() throws {
    let uri = try twin.context.all("Employee")[0].objectID.uriRepresentation
    #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == nil)
    let other = try twin.otherProcess()
    let id = try #require(other.coordinator.managedObjectID(forURIRepresentation: uri))
    #expect(try other.existingObject(with: id).string("name") == "Ada")
    let own = try twin.context.all("Employee")[0]
    #expect(id == own.objectID && twin.context.registeredObject(for: id) === own)
    #expect(try twin.context.existingObject(with: id) === own && twin.context.object(with: id) === own)
  }

  @Test("OBJ-118: URIs that name no record of the store are nil, whatever they hold", .needs(.numbers))
  func oddURIs() throws {
    let uuid = try #require(stack.coordinator.storeIdentifier)
    let good = "x-coredata://\(uuid)/Employee/p1"
    #expect(stack.coordinator.managedObjectID(forURIRepresentation: try #require(URL(string: good))) != nil)
    let bad = [
      "http://\(uuid)/Employee/p1", "x-coredata:///Employee/t1", "x-coredata://\(uuid)/Nobody/p1",
      "x-coredata://\(uuid)/Employee/p0", "x-coredata://\(uuid)/Employee/p01",
      "x-coredata://\(uuid)/Employee/p-1",
      "x-coredata://\(uuid)/Employee/p1/x", "x-coredata://\(uuid)/Employee", "x-coredata://\(uuid)",
      "x-coredata://\(uuid)/Employee/p99999999999999999999", "x-coredata://\(uuid)/Employee/t1",
      "x-coredata://\(UUID().uuidString)/Employee/p1",
    ]
    for text in bad {
      let uri = try #require(URL(string: text))
      #expect(stack.coordinator.managedObjectID(forURIRepresentation: uri) == nil, "\(text)")
    }
  }

  @Test("OBJ-141: an object of another coordinator's context is no destination")
  func objects() throws {
    let foreign = try twin.context.all("Employee")[0]
    let own = try stack.context.all("Employee")[0]
    #expect(throws: GraphStoreError.self) { try own.setValue(foreign, forKey: "manager") }
    #expect(throws: GraphStoreError.self) { try own.addObjects([foreign], forKey: "friends") }
    #expect(!stack.context.hasChanges && !twin.context.hasChanges)
  }
}
