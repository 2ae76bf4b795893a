import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStore

@Suite("Contexts that wait for each other")
struct QueueWaitTests {
  @Test("CTX-326: two private contexts whose blocks wait for each other are reported with both names")
  func circle() throws {
    let text = try MisusedProgram.errors(of: "circle")
    let (first, second) = ("context \"first\"", "context \"second\"")
    let end = "wait for each other in performAndWait and never go on"
    #expect(
      ["\(first) and \(second)", "\(second) and \(first)"].contains {
        text.contains("GraphStore: error: concurrency violation: \($0) \(end)\n")
      }, "\(text.prefix(500))")
  }

  @Test("CTX-326: the report comes after ten seconds")
  func patience() {
    #expect(QueueWaits().patience.withLock { $0 } == .seconds(10))
  }

  @Test("CTX-326: a wait that ends is no circle, however long it lasts")
  func noCircle() async throws {
    let waits = QueueWaits()
    waits.patience.withLock { $0 = .milliseconds(1) }
    let stack = try TestStack(TestModels.company())
    let context = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    let other = ManagedObjectContext(coordinator: stack.coordinator, concurrencyType: .privateQueue)
    let waiter = ThreadRole.current
    waits.enter(other.queue, waiter)
    let wait = waits.begin(waiter, on: context.queue)
    #expect(wait.alarm == nil, "nobody runs a block of it")
    #expect(waits.circle(of: waiter) == nil)
    waits.enter(context.queue, waiter)
    #expect(
      waits.circle(of: waiter).map { $0.map(ObjectIdentifier.init) } == [ObjectIdentifier(context.queue)])
    wait.end()
    #expect(waits.circle(of: waiter) == nil)
  }
}
