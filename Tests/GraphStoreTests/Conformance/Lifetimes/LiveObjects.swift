import GraphStore
import Synchronization
import Testing

/// An object that is counted as long as it lives, by the count of the block that has made it.
class CountedObject: ManagedObject {
  private let count = LiveObjects.current

  required init(_ origin: Origin) {
    super.init(origin)
    count?.add()
  }

  deinit { count?.remove() }
}

/// The objects, contexts and coordinators that a block makes, none of which may outlive it.
final class LiveObjects: Sendable {
  @TaskLocal fileprivate static var current: LiveObjects?

  private let counts = Mutex<(alive: Int, made: Int)>((0, 0))

  fileprivate func add() { counts.withLock { $0 = ($0.alive + 1, $0.made + 1) } }
  fileprivate func remove() { counts.withLock { $0.alive -= 1 } }

  /// What a block works with; contexts that it makes otherwise are not watched.
  struct Scene {
    let stack: TestStack
    fileprivate let contexts = WeakContexts()

    var context: ManagedObjectContext { stack.context }

    /// Another context, which nobody but the caller holds.
    func newContext() -> ManagedObjectContext {
      let context = ManagedObjectContext(coordinator: stack.coordinator)
      contexts.add(context)
      return context
    }
  }

  /// Expects that nothing a block has made is alive after it.
  static func expectNone(
    _ model: ModelDefinition, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (Scene) throws -> Void
  ) throws {
    let objects = LiveObjects()
    var contexts: WeakContexts?
    weak var coordinator: PersistentStoreCoordinator?
    try $current.withValue(objects) {
      let scene = Scene(stack: try TestStack(model.counted, classes: ["CountedObject": CountedObject.self]))
      scene.contexts.add(scene.context)
      contexts = scene.contexts
      coordinator = scene.stack.coordinator
      try body(scene)
    }
    let (alive, made) = objects.counts.withLock(\.self)
    #expect(made > 0 && alive == 0, "\(alive) of \(made) objects", sourceLocation: sourceLocation)
    #expect(contexts?.alive == 0 && coordinator == nil, sourceLocation: sourceLocation)
  }
}

/// Contexts that are watched and not held.
private final class WeakContexts {
  private struct Entry { weak var context: ManagedObjectContext? }

  private var entries: [Entry] = []

  var alive: Int { entries.count { $0.context != nil } }

  func add(_ context: ManagedObjectContext) { entries.append(Entry(context: context)) }
}

extension ModelDefinition {
  /// The model with counted objects for every entity.
  fileprivate var counted: ModelDefinition {
    var model = self
    for index in model.entities.indices { model.entities[index].className = "CountedObject" }
    return model
  }
}
