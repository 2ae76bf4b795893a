import Foundation
import GraphStore
import Synchronization
import Testing

/// What typed accessors cannot throw is told at once, whether or not there is a context to keep it.
@Suite("Deferred errors", .serialized)
struct DeferredErrorTests {
  private static let name = AttributeKey<ManagedObject, String>("name")
  private static let unknown = AttributeKey<ManagedObject, String>("nam")
  private static let number = AttributeKey<ManagedObject, Int64>("name")
  private static let identifier = AttributeKey<ManagedObject, UUID>("name")
  private static let amount = AttributeKey<ManagedObject, Decimal>("name")
  private static let department = ToOneKey<ManagedObject, ManagedObject>("department")
  private static let reports = ToManyKey<ManagedObject, Set<ManagedObject>>("reports")

  private let stack: TestStack
  private let object: ManagedObject

  init() throws {
    // An entity of a name that no other test has, since what is told is told for the whole process.
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Told", attributes: [AttributeDefinition("name", .string)],
          relationships: [
            RelationshipDefinition("department", to: "Told", inverse: "reports"),
            RelationshipDefinition("reports", to: "Told", inverse: "department", isToMany: true),
          ])
      ]))
    object = try stack.context.insert("Told", ["name": "Ada"])
    try stack.context.save()
  }

  private final class Codes: Sendable {
    private let list = Mutex<[GraphStoreError.Code]>([])
    var all: [GraphStoreError.Code] { list.withLock { $0 } }

    func note(_ error: any Error) {
      guard let error = error as? GraphStoreError, error.entity == "Told" else { return }
      list.withLock { $0.append(error.code) }
    }
  }

  private func told(_ body: () throws -> Void) rethrows -> [GraphStoreError.Code] {
    let codes = Codes()
    Diagnostics.onDeferredError = { codes.note($0) }
    defer { Diagnostics.onDeferredError = nil }
    try body()
    return codes.all
  }

  @Test("A key with a wrong name or a wrong type is told when it is read, and thrown by the next save")
  func wrongKeys() throws {
    let codes = told {
      #expect(object[Self.unknown] == nil)
      #expect(object[Self.number] == nil)
      #expect(object[Self.identifier] == nil)
      #expect(object[Self.amount] == nil)
      #expect(object[Self.name] == "Ada")
    }
    #expect(codes == [.unknownKey, .valueType, .valueType, .valueType])
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .unknownKey }
    #expect(stack.context.takeDeferredErrors().count == 4)
    try stack.context.save()
  }

  @Test("Setters of an object whose deletion was saved change nothing and are told")
  func detached() throws {
    try stack.context.delete(object)
    try stack.context.save()
    let other = try stack.context.insert("Told", ["name": "Bob"])
    let codes = told {
      object[Self.name] = "x"
      object[Self.department] = other
      object.add([other], to: Self.reports)
    }
    #expect(codes == [.objectDetached, .objectDetached, .objectDetached])
  }

  @Test("Accesses to an object whose context is gone are told")
  func invalidated() throws {
    stack.context.reset()
    let codes = told {
      #expect(object[Self.name] == nil)
      object[Self.name] = "x"
    }
    #expect(codes == [.objectInvalidated, .objectInvalidated])
  }

  @Test("However many accesses fail, the context keeps a bounded number of errors")
  func bounded() throws {
    _ = told { for _ in 0..<5000 { _ = object[Self.unknown] } }
    #expect(stack.context.takeDeferredErrors().count == 1000)
  }
}
