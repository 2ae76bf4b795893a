import Foundation

/// Options of an evaluation pass besides predicate and objects.
///
/// ```swift
/// var options = EvaluationOptions(locale: Locale(identifier: "sv_SE"))
/// options.now = Date(timeIntervalSinceReferenceDate: 0)
/// let predicate = try QueryPredicate(parsing: "name < 'Ö'")
/// print(try predicate.evaluate(with: employee, options: options))
/// ```
public struct EvaluationOptions: Sendable {
  /// The treatment of missing values.
  public var logic: PredicateLogic
  /// The locale of `[l]` and of localized order.
  public var locale: Locale
  /// The time of `now()`.
  public var now: Date
  /// The functions that `FUNCTION` can call.
  public var functions: PredicateFunctions
  /// Called again and again while the members of sub-queries are tested; what it throws ends the evaluation.
  public var check: (@Sendable () throws -> Void)?

  /// Makes options; the time is the current one, the locale the process's.
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
  private let check: (@Sendable () throws -> Void)?
  private var steps = 0
  /// The number of steps between two checks.
  private static let checkInterval = 256

  init(options: EvaluationOptions, variables: [String: QueryOperand], slotCount: Int) {
    self.options = options
    isThreeValued = options.logic == .threeValued
    self.variables = variables
    slots = Array(repeating: .null, count: slotCount)
    check = options.check
  }

  /// Counts a step of an evaluation that may take very many, and lets the check end it.
  @inline(__always)
  func countStep() throws {
    guard let check else { return }
    steps &+= 1
    if steps % Self.checkInterval == 0 { try check() }
  }
}
