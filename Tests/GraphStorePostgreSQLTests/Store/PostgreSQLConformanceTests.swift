#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreConformance
import Testing

@testable import GraphStorePostgreSQL

@Suite("Conformance of stores on a PostgreSQL server", .enabled(if: TestStores.areThere))
struct PostgreSQLConformanceTests {
  @Test("STO-390: it keeps every promise of stores")
  func kept() throws {
    let stores = TestStores()
    let suite = StoreConformance(of: .postgreSQL, options: TestStores.options) {
      try #require(URL(string: stores.address($0)))
    }
    let report = suite.run()
    #expect(report.isKept, "\(report)")
    #expect(report.skipped.count == 1, "\(report)")
  }

  @Test(
    "FET-171, STO-051: random predicates of other seeds find the same",
    arguments: TestSeed.sequence(3, from: 21))
  func seeds(_ seed: TestSeed) throws {
    let stores = TestStores()
    var suite = StoreConformance(of: .postgreSQL, lacking: [.history], options: TestStores.options) {
      try #require(URL(string: stores.address($0)))
    }
    suite.seed = seed.number
    let report = suite.run(only: ["fetching.predicates", "fetching.orders", "fetching.windows"])
    #expect(report.isKept && report.kept.count == 3, "\(report)")
  }
}
#endif
