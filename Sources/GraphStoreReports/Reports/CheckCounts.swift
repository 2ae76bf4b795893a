import GraphStore

/// How many findings a check has, by how bad they are.
package struct CheckCounts {
  /// What is lost or read wrongly.
  package private(set) var failures = 0
  /// What is worth knowing.
  package private(set) var warnings = 0
  /// The failures among them that a repair may mend.
  private var repairable = 0

  init(_ findings: [StoreCheckFinding]) {
    for finding in findings {
      guard finding.severity == .failure else {
        warnings += 1
        continue
      }
      failures += 1
      if finding.isRepairable { repairable += 1 }
    }
  }

  static func + (left: CheckCounts, right: CheckCounts) -> CheckCounts {
    var sum = left
    sum.failures += right.failures
    sum.warnings += right.warnings
    sum.repairable += right.repairable
    return sum
  }

  /// The line below a report; nil where nothing is wrong.
  ///
  /// - Parameter isRepaired: Whether the findings are what a repair has left.
  package func summary(isRepaired: Bool) -> String? {
    guard failures > 0 else { return nil }
    let problems = "\(failures) \(failures == 1 ? "problem" : "problems")"
    if isRepaired { return "\(problems) left, which somebody has to decide" }
    guard repairable > 0 else { return problems }
    return problems
      + "; run \"graphstore check --repair\" to mend what can be mended without losing data"
  }

  /// `"failures":…,"warnings":…`
  func writeMembers(to json: inout JSONBuilder) {
    json.key("failures")
    json.value(failures)
    json.key("warnings")
    json.value(warnings)
  }
}
