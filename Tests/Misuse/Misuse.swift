import Dispatch
import Foundation
import GraphStore

/// Program that breaks the rules of queues, for tests of how it is stopped then: a test's own process has to
/// go on.
///
/// usage: graphstore-misuse fetch|circle
@main
enum Misuse {
  static func main() throws {
    // What is not stopped would wait for ever.
    alarm(60)
    let model = try ManagedObjectModel(ModelDefinition(entities: [EntityDefinition("Employee")]))
    let coordinator = try PersistentStoreCoordinator.inMemory(model: model)
    let contexts = ["first", "second"].map { name in
      let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
      context.name = name
      return context
    }
    switch CommandLine.arguments.dropFirst().first {
    case "fetch": _ = try contexts[0].fetch(FetchRequest(entityName: "Employee"))
    case "circle": waitInCircle(contexts[0], contexts[1])
    default: exit(64)
    }
  }

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
