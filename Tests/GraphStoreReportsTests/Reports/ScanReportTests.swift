import GraphStore
import Testing

@testable import GraphStoreReports

@Suite("Reports of scans")
struct ScanReportTests {
  private func report() throws -> ExplanationReport {
    let model = try ManagedObjectModel(
      ModelDefinition(entities: [EntityDefinition("Note", attributes: [AttributeDefinition("rank", .int64)])])
    )
    let context = ManagedObjectContext(coordinator: try .inMemory(model: model))
    for rank in 0..<2 {
      try context.insert(entityNamed: "Note").setValue(Int64(rank), forKey: "rank")
    }
    try context.save()
    let request = FetchRequest(
      entityName: "Note", predicate: try QueryPredicate(parsing: "rank > 0"),
      sortDescriptors: [try QuerySortDescriptor(parsing: "rank")], fetchLimit: 1)
    return ExplanationReport(try context.explain(request), isEmpty: false, usesColor: false)
  }

  @Test("DGN-079, DGN-069: a block scan is printed in the place of sql and plan")
  func lines() throws {
    #expect(
      try report().lines == [
        "predicate   rank > 0   → in the scan", "scan        Note: 2 objects in memory",
        "sort        sorted after the scan", "window      limit 1 after the scan",
        "rows        2 of 2 read from the store", "advice      none",
      ])
  }
}
