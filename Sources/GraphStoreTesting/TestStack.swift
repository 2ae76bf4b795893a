import Foundation
import GraphStore
import Synchronization

/// Container over a private store in memory, for tests of what works with objects.
///
/// The store is a SQLite database that no file has: it does what the store of the application does, statement
/// for statement, is there in milliseconds, and goes with the stack.
///
/// ```swift
/// let stack = try TestStack(model: model)
/// let work = try stack.counting {
///   _ = try stack.use { try $0.count(for: FetchRequest(entityName: "Employee")) }
/// }
/// print(work.statements.select)  // 1
/// ```
///
/// Any thread may use it; each context belongs to its own queue.
public final class TestStack: Sendable {
  /// The container, with the store loaded.
  public let container: PersistentContainer

  /// The coordinator that has the store.
  public var coordinator: PersistentStoreCoordinator { container.persistentStoreCoordinator }

  /// Makes a stack for a model.
  ///
  /// - Parameters:
  ///   - model: The model, whose entities the store holds.
  ///   - classes: The classes of objects by their names in the model.
  /// - Throws: ``/GraphStore/GraphStoreError``: what keeps the store from being made of the model.
  public init(model: ManagedObjectModel, classes: [String: ManagedObject.Type] = [:]) throws {
    container = PersistentContainer(name: "TestStack", model: model, classes: classes)
    try load()
  }

  /// Makes a stack for a model with its classes, as `graphstore model codegen` writes them.
  ///
  /// - Throws: what is wrong with the model.
  public init<Model: ObjectModel>(_ model: Model.Type) throws {
    container = try PersistentContainer(name: "TestStack", model: model)
    try load()
  }

  deinit { coordinator.close() }

  private func load() throws {
    container.persistentStoreDescriptions = [
      PersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
    ]
    let failure = Mutex<(any Error)?>(nil)
    container.loadPersistentStores { _, error in failure.withLock { $0 = error } }
    if let failure = failure.withLock(\.self) { throw failure }
  }

  /// A new context with a queue of its own.
  public func newContext() -> ManagedObjectContext { container.newBackgroundContext() }

  /// Does something in a new context, on its queue, and waits.
  ///
  /// - Throws: what the block throws.
  @discardableResult
  public func use<Result: Sendable>(_ body: (ManagedObjectContext) throws -> Result) throws -> Result {
    let context = newContext()
    return try context.performAndWait { () throws -> Result in try body(context) }
  }

  /// Does something, and counts the work of all contexts and the store meanwhile: statements by kind,
  /// fetches, faults, saves.
  ///
  /// The counters of the ``coordinator`` begin anew by it.
  ///
  /// - Throws: what the block throws.
  public func counting(_ body: () throws -> Void) rethrows -> ActivityCounters {
    coordinator.resetCounters()
    try body()
    return coordinator.counters
  }
}
