/// A rule that a model is looked at with. It finds; it never changes anything.
protocol LintRule: Sendable {
  /// What is to be known about the rule.
  static var rule: ModelRule { get }

  /// Notes everything in the model that the rule is about.
  static func look(at model: LintedModel, _ report: inout LintReport)
}
