import Foundation
import GraphStore
import GraphStoreTestSupport
import Testing

@Suite("The list of error codes")
struct ErrorListTests {
  @Test("The specification lists every code of the library with its number")
  func list() throws {
    let file = Repository.root.appendingPathComponent("Tests/Specification/09-diagnostics.md")
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
      $0.hasPrefix("| DGN-")
    }
    for code in GraphStoreError.Code.allCases {
      #expect(
        rows.contains { $0.contains("`\(code.rawValue)`") && $0.contains("\(code.number)") },
        "\(code.rawValue) (\(code.number))")
    }
  }
}
