import Dispatch
import Testing

@testable import GraphStore

@Suite("Objects that go after their context, or with it")
struct ContextLifetimeTests {
  /// An object that keeps its context, so that the context goes in the middle of the object's own end.
  final class Keeper: ManagedObject {
    var kept: ManagedObjectContext?
  }

  @Test("FLT-080, FLT-153: an object that holds its context ends cleanly, and its row with it")
  func keeper() throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition("Thing", className: "Keeper", attributes: [AttributeDefinition("name", .string)])
      ]), classes: ["Keeper": Keeper.self])
    for _ in 0..<50 {
      let context = ManagedObjectContext(coordinator: stack.coordinator)
      weak let former = context
      let object = try #require(try context.insert("Thing", ["name": "one"]) as? Keeper)
      try context.save()
      object.kept = context
      #expect(former != nil)
    }
    #expect(stack.cachedRows == 0)
    #expect(try stack.context.all("Thing").count == 50)
  }

  @Test(
    "OBJ-011, FLT-153: an object outlives its context, coordinator and model, and still tells what it was")
  func survivor() throws {
    var stack: TestStack? = try TestStack(TestModels.company())
    let object = try #require(try stack?.context.insert("Employee", ["name": "Ada"]))
    try stack?.context.save()
    let uri = object.objectID.uriText
    stack = nil
    #expect(object.managedObjectContext == nil)
    #expect(object.objectID.uriText == uri && object.entity.name == "Employee")
    #expect(throws: GraphStoreError.self) { try object.realize() }
  }

  @Test("FLT-080: objects that go on one thread while their context goes on another leave no row")
  func race() throws {
    let stack = try TestStack(TestModels.company())
    for number in 0..<100 { try stack.context.insert("Employee", ["name": "E\(number)"]) }
    try stack.context.save()
    stack.context.reset()
    let queue = DispatchQueue(label: "release")
    for _ in 0..<100 {
      nonisolated(unsafe) var context: ManagedObjectContext? = ManagedObjectContext(
        coordinator: stack.coordinator)
      nonisolated(unsafe) var objects = try context?.all("Employee") ?? []
      #expect(objects.count == 100)
      queue.async { objects.removeAll() }
      context = nil
      queue.sync {}
    }
    #expect(stack.cachedRows == 0)
  }
}
