/// Description of a lint rule.
///
/// ```swift
/// for rule in ModelLinter.rules where rule.isOptIn { print(rule.id, rule.explanation, rule.remedy) }
/// ```
public struct ModelRule: Hashable, Sendable {
  /// The stable name, such as `missing-inverse`.
  public let id: String
  /// The explanation of the rule's findings, as a sentence.
  public let explanation: String
  /// Why that is worth a second thought, as a sentence.
  public let reason: String
  /// What to do about it, as a sentence.
  public let remedy: String
  /// The scope of the rule.
  public let scope: Scope
  /// Whether the rule is off unless it is asked for.
  public let isOptIn: Bool

  /// Scope of a rule: the part it reads.
  public enum Scope: String, Hashable, Sendable {
    /// One model.
    case model
    /// One model, for what the library cannot do with it yet; every check includes that.
    case support
    /// All versions of a model.
    case versions
    /// A model and the objects of a store.
    case store
    /// A file of another maker's tools, when it is read.
    case reading
    /// Several models, when they are merged.
    case merging
    /// A program with its model.
    case running
  }

  /// Makes the description of a rule.
  package init(
    _ id: String, _ explanation: String, reason: String, remedy: String, scope: Scope = .model,
    isOptIn: Bool = false
  ) {
    self.id = id
    self.explanation = explanation
    self.reason = reason
    self.remedy = remedy
    self.scope = scope
    self.isOptIn = isOptIn
  }

  /// How to keep the rule quiet for one entity or property: the member that their `userInfo` takes.
  package var silencing: String { "\"\(ModelRule.ignoreKey)\": [\"\(id)\"]" }

  /// The key in the user info of a model, an entity or a property for the names of silenced rules.
  public static let ignoreKey = "checkIgnore"
}
