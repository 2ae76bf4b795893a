/// Lint rule over one model. It finds; it never changes anything.
protocol LintRule: Sendable {
  /// The description of the rule.
  static var rule: ModelRule { get }

  /// Records everything in the model that the rule is about.
  static func check(_ model: LintedModel, report: inout LintReport)
}

/// Collector of what a rule finds, be it one over a model or one over a model and the objects of a store.
package struct LintReport {
  package private(set) var findings: [ModelProblem] = []
  /// The rule that is running.
  private let rule: ModelRule

  package init(_ rule: ModelRule) { self.rule = rule }

  /// Records a finding, with the remedy of the rule where there is no better one.
  package mutating func add(at path: ModelPath, _ message: String, remedy: String? = nil) {
    findings.append(
      ModelProblem.warning(
        ModelProblem.Code(rule.id), at: path, message: message, remedy: remedy ?? rule.remedy))
  }
}

/// All rules over one model, in the order in which findings at one path are printed.
enum LintRules {
  static let all: [any LintRule.Type] =
    names + entities + attributes + relationships + requests + others + support

  private static let names: [any LintRule.Type] = [
    NameStyleRule.self, NamesDifferByCaseRule.self, PredicateWordRule.self, ReservedNameRule.self,
    TypeNameClashRule.self, RenamingClashRule.self,
  ]
  private static let entities: [any LintRule.Type] = [
    AbstractLeafRule.self, WideHierarchyRule.self, DuplicateConstraintRule.self, ImpliedConstraintRule.self,
    OptionalInConstraintRule.self, RedundantIndexRule.self,
  ]
  private static let attributes: [any LintRule.Type] = [
    OptionalNumberRule.self, InlineBinaryRule.self, MoneyAsDoubleRule.self, DateAsTextRule.self,
    FlagAsNumberRule.self, DefaultBreaksConstraintRule.self, DefaultTransformerNamedRule.self,
    ValidationCannotRunRule.self,
  ]
  private static let relationships: [any LintRule.Type] = [
    MissingInverseRule.self, OneWayToManyRule.self, NullifyIntoMandatoryRule.self, NoActionRule.self,
    CascadeBothWaysRule.self, CascadeLoopRule.self, CascadeIntoSharedRule.self, DenyRingRule.self,
    OrderedManyToManyRule.self, ToManyOfOneRule.self,
  ]
  private static let requests: [any LintRule.Type] = [
    RequestCannotRunRule.self, MissingValueRule.self, UnindexedSearchKeyRule.self, NotPortableRule.self,
  ]
  private static let others: [any LintRule.Type] = [
    RelationshipCrossesConfigurationsRule.self, ConfigurationSplitsHierarchyRule.self,
    LocalizationNamesNothingRule.self, UnknownIgnoredRule.self,
  ]
  private static let support: [any LintRule.Type] = [
    IndexCannotBeMadeRule.self, IndexLeftOutRule.self,
  ]
}
