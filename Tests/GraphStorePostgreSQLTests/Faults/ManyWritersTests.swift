#if PostgreSQL
import Foundation
import Testing

@testable import GraphStore
@testable import GraphStorePostgreSQL

@Suite("Many writers of a store on a PostgreSQL server", .enabled(if: TestStores.areThere))
struct ManyWritersTests {
  private let stores = TestStores()

  @Test(
    "STO-392, STO-394: sixteen that transfer sums, link and delete lose nothing, and leave nothing dangling")
  func sixteen() async throws {
    let setup = ManagedObjectContext(
      coordinator: try stores.coordinator(StaffModel.model), concurrencyType: .privateQueue)
    try setup.performAndWait { try TransferWriter.prepare(setup) }
    let (log, address) = (TransferLog(), stores.address())
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              TransferWriter(number: number, address: address, options: TestStores.options) {
                log.note($0, $1)
                return true
              }
              .run(changes: 12)
              continuation.resume()
            }
          }
        }
      }
    }
    #expect(log.doneCount > 100, "\(log.doneCount)")
    let findings = try log.findings(stores, address)
    #expect(findings == [], "\(findings)")
  }
}
#endif
