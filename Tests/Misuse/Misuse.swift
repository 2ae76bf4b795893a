import Dispatch
import Foundation
import GraphStore
import Synchronization

/// Program that breaks the rules of queues, for tests of how it is stopped then, and that tells how diagnostics
/// are set, which is read once a process: a test's own process has to go on.
///
/// usage: graphstore-misuse fetch|circle|settings [SWITCH…]
@main
enum Misuse {
  static func main() throws {
    // What is not stopped would wait for ever.
    alarm(60)
    switch CommandLine.arguments.dropFirst().first {
    case "fetch": _ = try context("first").fetch(FetchRequest(entityName: "Employee"))
    case "circle": waitInCircle(try context("first"), try context("second"))
    case "settings": try tellSettings()
    default: exit(64)
    }
  }

  /// A context over a store of its own.
  private static func context(_ name: String) throws -> ManagedObjectContext {
    let model = try ManagedObjectModel(ModelDefinition(entities: [EntityDefinition("Employee")]))
    let coordinator = try PersistentStoreCoordinator.inMemory(model: model)
    let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    context.name = name
    return context
  }

  // MARK: Settings

  /// Prints how diagnostics are set: with the first store, once variables have others values, and once the
  /// program has set them.
  private static func tellSettings() throws {
    Diagnostics.readLaunchArguments()
    try tell()
    for (name, value) in [("TRACE", "faults"), ("SQL_LOG", "3"), ("MIGRATION_DEBUG", "3")] {
      setenv("GRAPHSTORE_" + name, value, 1)
    }
    try tell()
    (Diagnostics.sqlLevel, Diagnostics.migrationLevel) = (9, 9)
    Diagnostics.tracedKinds = [.misses]
    Diagnostics.checksQueues.toggle()
    try tell()
  }

  private static func tell() throws {
    let context = try context("told")
    let isGuarded = Mutex(false)
    Diagnostics.onConcurrencyViolation = { _ in isGuarded.withLock { $0 = true } }
    _ = context.hasChanges
    Diagnostics.onConcurrencyViolation = nil
    let kinds = Diagnostics.tracedKinds.map(\.rawValue).sorted().joined(separator: ",")
    print(
      "sql=\(Diagnostics.sqlLevel) migration=\(MigrationOptions().log.level)", "traced=\(kinds)",
      "guarded=\(isGuarded.withLock(\.self))")
  }

  // MARK: Queues

  private static func waitInCircle(_ first: ManagedObjectContext, _ second: ManagedObjectContext) {
    QueueWaits.shared.patience.withLock { $0 = .milliseconds(100) }
    let (hasFirst, hasSecond) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    first.enqueue {
      hasFirst.signal()
      hasSecond.wait()
      second.performAndWait {}
    }
    second.performAndWait {
      hasSecond.signal()
      hasFirst.wait()
      first.performAndWait {}
    }
  }
}
