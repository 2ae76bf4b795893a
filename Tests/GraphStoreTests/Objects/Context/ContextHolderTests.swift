import Foundation
import Testing

@testable import GraphStore

/// An object whose class holds the object's own context strongly.
private final class Holder: ManagedObject {
  var own: ManagedObjectContext?
}

@Suite("Objects that hold their context, and contexts that go with them", .everyStore)
struct ContextHolderTests {
  private let stack: TestStack

  init() throws {
    stack = try TestStack(
      ModelDefinition(
        name: "Holders",
        entities: [
          EntityDefinition("Holder", className: "Holder", attributes: [AttributeDefinition("name", .string)])
        ]), classes: ["Holder": Holder.self])
    for number in 0..<8 { _ = try stack.context.insert("Holder", ["name": "H\(number)"]) }
    try stack.context.save()
  }

  @Test(
    "FLT-154, FLT-165: the context goes with the last object that holds it, and so do the others' claims on it"
  )
  func lastHolder() throws {
    weak var context: ManagedObjectContext?
    var objects: [Holder] = []
    do {
      let made = ManagedObjectContext(coordinator: stack.coordinator)
      context = made
      objects = try made.fetch(Holder.self, FetchRequest(entityName: "Holder"))
      for object in objects { _ = try object.string("name") }
      objects[0].own = made
    }
    #expect(context != nil && objects[1].managedObjectContext === context)
    objects.removeFirst()
    #expect(context == nil)
    #expect(objects.allSatisfy { $0.managedObjectContext == nil })
    #expect(failure { _ = try objects[0].string("name") }?.code == .objectInvalidated)
    objects = []
    #expect(stack.coordinator.mounts[0].store.rowCache.count <= 8)
  }

  @Test("FLT-165: objects that are let go of on another thread while their context goes")
  func otherThread() async throws {
    struct Box: @unchecked Sendable {
      var objects: [ManagedObject]
    }
    for _ in 0..<40 {
      var context: ManagedObjectContext? = ManagedObjectContext(coordinator: stack.coordinator)
      let box = Box(objects: try context?.fetch(FetchRequest(entityName: "Holder")) ?? [])
      let released = Task.detached { [box] in
        var objects = box.objects
        while !objects.isEmpty { objects.removeLast() }
      }
      context = nil
      await released.value
    }
    try stack.coordinator.mounts[0].store.rowCache.checkInvariants()
  }
}
