import Foundation
import GraphStoreContextTestSupport

@testable import GraphStore

/// A shelf, a coordinator that has it, and a context; the company of the model stands in it, where it is asked
/// for.
final class ShelfStack {
  let shelf: ShelfStore
  let coordinator: PersistentStoreCoordinator
  let store: PersistentStoreReference
  let context: ManagedObjectContext

  init(
    _ definition: ModelDefinition = TestModels.company(), _ behaviour: ShelfStore.Behaviour = .init(),
    options: StoreOptions = StoreOptions()
  ) throws {
    let model = try ManagedObjectModel(definition)
    shelf = ShelfStore(model, behaviour)
    coordinator = PersistentStoreCoordinator(model: model)
    store = try coordinator.addStore(shelf, options: options)
    shelf.use(in: coordinator, store)
    context = ManagedObjectContext(coordinator: coordinator)
  }

  deinit { coordinator.close() }

  /// A context of another coordinator with the same shelf, kept as long as the stack.
  func elsewhere() throws -> ManagedObjectContext {
    let other = PersistentStoreCoordinator(model: shelf.model)
    try other.addStore(shelf)
    return keeping(ManagedObjectContext(coordinator: other))
  }

  /// Another context of the coordinator, kept as long as the stack.
  func newContext() -> ManagedObjectContext { keeping(ManagedObjectContext(coordinator: coordinator)) }

  private var others: [ManagedObjectContext] = []

  private func keeping(_ context: ManagedObjectContext) -> ManagedObjectContext {
    others.append(context)
    return context
  }

  /// Makes departments of three employees each, with a project for each department.
  @discardableResult
  func fill(departments: Int = 3) throws -> ShelfStack {
    for number in 1...departments {
      let department = try context.insert("Department", ["name": "D\(number)"])
      let project = try context.insert("Project", ["name": "P\(number)"])
      for place in 1...3 {
        let employee = try context.insert(
          "Employee", ["name": "E\(number)\(place)", "salary": number * 10 + place, "department": department])
        try employee.addObjects([project], forKey: "projects")
      }
    }
    try context.save()
    context.reset()
    shelf.forgetCalls()
    return self
  }

  func identifier(_ entity: String, _ number: Int64) -> NodeIdentifier {
    NodeIdentifier(entity: entity, reference: .integer(number))
  }
}

extension ShelfStore {
  /// Has predicates that name objects be understood.
  func use(in coordinator: PersistentStoreCoordinator, _ store: PersistentStoreReference) {
    let scope = store.mount.scope
    use { [model] identifier in
      guard let entity = model.entitiesByName[identifier.entity],
        let key = scope.references?.key(of: identifier.reference, in: entity.rootEntity.name)
      else { return nil }
      return ManagedObjectID(scope: scope, entityIndex: entity.index, key: key)
    }
  }

  var saveCount: Int { calls.filter { $0 == .save }.count }
}
