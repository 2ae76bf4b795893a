import GraphStore

/// Takes what the rules about stores find.
struct StoreLintReport {
  private(set) var findings: [ModelProblem] = []
  /// The rule that is looking.
  var rule: ModelRule

  init(_ rule: ModelRule) { self.rule = rule }

  /// Notes a finding, with the remedy of the rule where there is no better one.
  mutating func add(at path: ModelPath, _ message: String, remedy: String? = nil) {
    findings.append(
      ModelProblem.warning(
        ModelProblem.Code(rule.id), at: path, message: message, remedy: remedy ?? rule.remedy))
  }
}
