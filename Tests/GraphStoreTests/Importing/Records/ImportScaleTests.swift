import CGraphStoreTestSupport
import Foundation
import Testing

@testable import GraphStore

/// Imports of many records: their memory, and what a process leaves that ends in the middle.
@Suite("Imports of many records")
struct ImportScaleTests {
  private let fixture: ImportFixture

  init() throws { fixture = try ImportFixture() }

  /// The most memory that the thread holds while records are read, above what it held before.
  private func peak(_ count: Int, batches size: Int, offset: Int) throws -> Int {
    let importer = fixture.importer(by: ["badge"]) {
      $0.batchSize = size
      $0.links = ["manager": "badge"]
    }
    let before = gs_test_live_bytes()
    var peak = 0
    let records = (0..<count).lazy.map { number -> ImportRecord in
      peak = max(peak, gs_test_live_bytes() - before)
      return [
        "badge": offset + number, "name": "E\(number)", "salary": number, "manager": offset + number / 2,
      ]
    }
    #expect(try importer.importRecords(records).inserted == count)
    return peak
  }

  @Test(
    "STO-299, STO-309, OBJ-487, OBJ-546, OBJ-547: memory depends on the size of a batch, not on the number of records",
    .enabled(if: gs_test_live_allocations() != 0))
  func memory() throws {
    _ = try peak(500, batches: 100, offset: 0)
    let few = try peak(2000, batches: 500, offset: 10_000)
    let many = try peak(10_000, batches: 500, offset: 20_000)
    #expect(Double(many) < 1.2 * Double(few))
  }

  @Test(
    "OBJ-487: records that wait for later ones are not in memory",
    .enabled(if: gs_test_live_allocations() != 0))
  func waiting() throws {
    func peak(_ count: Int, offset: Int) throws -> Int {
      let importer = fixture.importer {
        $0.batchSize = 200
        $0.links = ["manager": "badge"]
      }
      let before = gs_test_live_bytes()
      var peak = 0
      let records = (0..<count).lazy.map { number -> ImportRecord in
        peak = max(peak, gs_test_live_bytes() - before)
        return [
          "badge": offset + number, "name": String(repeating: "x", count: 500), "manager": offset + count - 1,
        ]
      }
      #expect(try importer.importRecords(records).inserted == count)
      return peak
    }
    _ = try peak(400, offset: 0)
    let (few, many) = (try peak(1000, offset: 1000), try peak(4000, offset: 10_000))
    #expect(Double(many) < 1.5 * Double(few))
  }

  @Test(
    "OBJ-488, OBJ-493, STO-300: what a process leaves that is killed is whole batches, or nothing of one transaction"
  )
  func killed() throws {
    for (mode, left) in [(ImportErrorMode.stop, 200), (.skip, 200), (.transaction, 0)] {
      let fixture = try ImportFixture()
      let copy = fixture.stack.folder.appending(path: "left.db").path
      let records = (0..<1000).lazy.map { number -> ImportRecord in
        if number == 250 {
          for ending in ["", "-wal"] {
            try? FileManager.default.copyItem(atPath: fixture.stack.path + ending, toPath: copy + ending)
          }
        }
        return ["badge": number, "name": String(repeating: "x", count: 2000)]
      }
      let importer = fixture.importer {
        $0.batchSize = 100
        $0.errorMode = mode
      }
      #expect(try importer.importRecords(records).inserted == 1000)
      let coordinator = try PersistentStoreCoordinator.open(storeAt: copy)
      defer { coordinator.close() }
      let context = ManagedObjectContext(coordinator: coordinator)
      #expect(try context.count(for: FetchRequest(entityName: "Employee")) == left)
      #expect(try StoreCheck.run(path: copy).flatMap(\.findings).isEmpty)
    }
  }
}
