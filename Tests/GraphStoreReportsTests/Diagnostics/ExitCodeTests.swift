import GraphStore
import Testing

@testable import GraphStoreReports

@Suite("Exit codes")
struct ExitCodeTests {
  @Test("Exit statuses are those promised to scripts")
  func exitCodes() {
    #expect(
      ExitCode.promised.map(\.rawValue) == [
        0, 1, 2, 3, 4, 5, 64, 65, 66, 70, 73, 74, 75, 77, 78, 129, 130, 141, 143,
      ])
  }

  @Test("DGN-172: a save that does not settle exits with 65")
  func unsettled() {
    let error = GraphStoreError(.changesDoNotSettle, "", remedy: "")
    #expect(DiagnosticMapper.exitCode(of: error) == .dataError)
    #expect(error.number == 136040)
  }
}
