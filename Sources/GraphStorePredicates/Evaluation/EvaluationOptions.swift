import Foundation

/// What an evaluation pass needs besides predicate and objects.
public struct EvaluationOptions: Sendable {
  /// How missing values are treated.
  public var logic: PredicateLogic
  /// The locale of `[l]` and of localized order.
  public var locale: Locale
  /// The moment `now()` stands for.
  public var now: Date
  /// The functions that `FUNCTION` can call.
  public var functions: PredicateFunctions

  /// Makes options; the moment is the current one, the locale the process's.
  public init(
    logic: PredicateLogic = .twoValued, locale: Locale = ProcessLocale.current, now: Date = Date(),
    functions: PredicateFunctions = .standard
  ) {
    self.logic = logic
    self.locale = locale
    self.now = now
    self.functions = functions
  }
}

/// Evaluation context: what the nodes of a compiled predicate share while one object is tested.
final class EvaluationPass {
  var options: EvaluationOptions
  let isThreeValued: Bool
  let variables: [String: QueryOperand]
  var object: QueryOperand = .null
  /// The members bound by the sub-queries around the current node, outermost first.
  var slots: [QueryOperand]

  init(options: EvaluationOptions, variables: [String: QueryOperand], slotCount: Int) {
    self.options = options
    isThreeValued = options.logic == .threeValued
    self.variables = variables
    slots = Array(repeating: .null, count: slotCount)
  }
}
