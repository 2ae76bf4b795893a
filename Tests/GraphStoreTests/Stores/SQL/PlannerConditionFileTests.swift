import Foundation
import GraphStorePredicates
import Testing

@testable import GraphStore

/// The statement of each construct as it stands in `Conditions.golden`: a predicate about a Person, and under
/// it what follows the table in its statement.
@Suite("Conditions of the planner, as kept in a file")
struct PlannerConditionFileTests {
  @Test("PRD-231, PRD-233: every construct of the file goes down, as it is written there")
  func conditions() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
      path: "Conditions.golden")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
      !$0.hasPrefix("#")
    }
    let fixture = try PlannerFixture()
    for index in stride(from: 0, to: lines.count - 1, by: 2) {
      let predicate = String(lines[index])
      let plan = try fixture.plan("Person", predicate, locale: Locale(identifier: "sv_SE"))
      #expect(plan.residual == nil, "\(predicate): \(plan.notes.map(\.detail))")
      let condition = plan.sql.range(of: " AS t0 ").map { plan.sql[$0.upperBound...] }
      #expect(condition == lines[index + 1].dropFirst(2), "\(predicate)")
    }
    #expect(lines.count == 180)
  }
}
