import GraphStore
import Testing

@testable import GraphStoreReports

/// Exit codes of commands that migrate.
struct MigrationExitCodeTests {
  @Test("MIG-330, DGN-205 to DGN-211, DGN-213, DGN-214: each kind of failure has its own")
  func codes() {
    let codes: [(GraphStoreError.Code, Int32)] = [
      (.migrationFailed, 74), (.migrationConstraint, 65), (.migrationCancelled, 130),
      (.sourceModelMissing, 66),
      (.mappingMissing, 78), (.migrationSource, 74), (.migrationDestination, 73), (.migrationPolicy, 65),
      (.modelReference, 78), (.migrationVersion, 78), (.migrationBackward, 78), (.lossyMigration, 4),
      (.storeTimeout, 75), (.storePermission, 77), (.readOnlyStore, 77), (.diskFull, 74),
    ]
    for (code, exit) in codes {
      #expect(
        DiagnosticMapper.exitCode(of: GraphStoreError(code, "", remedy: "")).rawValue == exit, "\(code)")
    }
  }

  @Test(
    "MIG-330, MIG-166, MIG-173, MIG-272: what the data or the disk are the reason of has the code of that")
  func causes() {
    let value = GraphStoreError(.migrationFailed, "", remedy: "", property: "n")
    #expect(DiagnosticMapper.exitCode(of: value).rawValue == 65)
    var invalid = GraphStoreError(.migrationFailed, "", remedy: "")
    invalid.errors = [value]
    #expect(DiagnosticMapper.exitCode(of: invalid).rawValue == 65)
    let full = GraphStoreError(
      .migrationDestination, "", remedy: "", underlying: GraphStoreError(.diskFull, "", remedy: ""))
    #expect(DiagnosticMapper.exitCode(of: full).rawValue == 74)
  }
}
