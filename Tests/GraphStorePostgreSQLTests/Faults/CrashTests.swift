#if PostgreSQL
import Foundation
import Synchronization
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

/// How far the writers have come.
private final class Progress: Sendable {
  let isEnding = Atomic(false)
  let wasKilled = Atomic(false)
  /// Changes that were made since the server was killed last.
  let after = Atomic(0)
}

@Suite("A PostgreSQL server that is killed", .enabled(if: TestStores.areThere))
struct CrashTests {
  @Test("STO-395: writers in whose midst the server is killed and started again lose nothing that was done")
  func killed() async throws {
    StoreType.registerPostgreSQL()
    let server = try PrivateServer()
    try #require(server.address.hasPrefix("postgresql://"), "\(server.address)")
    // What was committed is on the disk then.
    let address = server.address + "&schema=staff&options=-c%20synchronous_commit%3Don"
    let coordinator = PersistentStoreCoordinator(model: StaffModel.model)
    try coordinator.addStore(at: address, options: TestStores.options)
    let setup = ManagedObjectContext(coordinator: coordinator, concurrencyType: .privateQueue)
    try setup.performAndWait { try TransferWriter.prepare(setup) }
    let log = TransferLog()
    let progress = Progress()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              TransferWriter(number: number, address: address, options: TestStores.options) {
                log.note($0, $1)
                if $1 == .done, progress.wasKilled.load(ordering: .relaxed) {
                  progress.after.add(1, ordering: .relaxed)
                }
                return !progress.isEnding.load(ordering: .relaxed)
              }
              .run(changes: 100_000)
              continuation.resume()
            }
          }
        }
      }
      group.addTask {
        for _ in 0..<2 {
          let before = log.doneCount
          while log.doneCount < before + 25 { try? await Task.sleep(for: .milliseconds(5)) }
          let isKilled = (try? server.perform("kill")) == true
          let isStarted = (try? server.perform("start")) == true
          #expect(isKilled && isStarted)
          progress.wasKilled.store(true, ordering: .relaxed)
        }
        let deadline = ContinuousClock.now + .seconds(20)
        while progress.after.load(ordering: .relaxed) < 25, .now < deadline {
          try? await Task.sleep(for: .milliseconds(5))
        }
        progress.isEnding.store(true, ordering: .relaxed)
      }
    }
    #expect(progress.after.load(ordering: .relaxed) >= 25)
    #expect(log.failureCount > 0)
    let findings = try log.findings(TestStores(), address)
    #expect(findings == [], "\(findings)")
  }
}
#endif
