import Foundation

extension QueryPredicate {
  /// The predicate with everything that is the same for every object replaced by its value.
  ///
  /// Functions, arithmetic, CAST, TERNARY, comparisons and connectives of constants are folded, `now()` to
  /// the time passed. What stays: `noindex:`, `random`, `FUNCTION`, `FETCH`, closures, `[l]`, anything nil,
  /// unknown or an error (so that it surfaces only where it is reached), and computed doubles and decimals,
  /// which unlike literals are not taken for the other where they meet it. Parts without anything to fold are
  /// shared.
  public func foldingConstants(now: Date) -> QueryPredicate {
    withLargeStack(nesting: TreeDepth.depth(of: self)) { foldedConstants(now: now) ?? self }
  }

  /// As ``foldingConstants(now:)``, but nil when there is nothing to fold.
  package func foldedConstants(now: Date) -> QueryPredicate? {
    ConstantFolding(now: now).fold(self)
  }
}

extension QueryExpression {
  /// The expression with everything that is the same for every object replaced by its value; see
  /// ``QueryPredicate/foldingConstants(now:)``.
  public func foldingConstants(now: Date) -> QueryExpression {
    withLargeStack(nesting: TreeDepth.depth(of: self)) { ConstantFolding(now: now).fold(self) ?? self }
  }

  /// The value of an expression that is the same for every object, computed doubles and nil included; nil
  /// when it depends on the object, is drawn anew for each one or cannot be computed.
  public func commonValue(now: Date) -> Value? {
    if let constantValue { return constantValue }
    guard isFoldable else { return nil }
    return ConstantFolding(now: now).value(of: self)
  }

  /// Whether every part is a constant or a function that returns equal results for equal arguments.
  fileprivate var isFoldable: Bool {
    switch kind {
    case .constant: true
    case .function(let function, let arguments):
      switch function {
      case .noIndex, .random, .randomBelow, .randomNumber: false
      default: arguments.allSatisfy(\.isFoldable)
      }
    case .cast(let operand, _): operand.isFoldable
    case .aggregate(let members): members.allSatisfy(\.isFoldable)
    case .index(let collection, let index):
      if case .at(let position) = index {
        collection.isFoldable && position.isFoldable
      } else {
        collection.isFoldable
      }
    case .setOperation(_, let left, let right): left.isFoldable && right.isFoldable
    case .keyPath(let path):
      path.base?.isFoldable ?? false
        && path.steps.allSatisfy { if case .variable = $0 { false } else { true } }
    default: false
    }
  }
}

private struct ConstantFolding {
  let now: Date

  // MARK: Expressions

  func fold(_ expression: QueryExpression) -> QueryExpression? {
    let parts = expression.rewritingParts(expression: { fold($0) }, predicate: { fold($0) })
    let new = parts ?? expression
    switch new.kind {
    case .constant, .aggregate: return parts
    case .ternary(.constant(let isTrue), let then, let otherwise):
      let chosen = isTrue ? then : otherwise
      if let value = chosen.constantValue, !isKept(value) { return parts }
      return QueryExpression(chosen.kind, sourceRange: expression.sourceRange)
    default: break
    }
    guard new.isFoldable, let value = value(of: new), isKept(value) else { return parts }
    return QueryExpression(.constant(value), sourceRange: expression.sourceRange)
  }

  func value(of expression: QueryExpression) -> Value? {
    let options = EvaluationOptions(locale: Locale(identifier: "en_US_POSIX"), now: now)
    return try? ExpressionEvaluator(expression, options: options, isResult: false).value(for: .null)
  }

  /// Whether a computed value means the same as a literal.
  private func isKept(_ value: Value) -> Bool {
    switch value {
    case .null, .double, .decimal: false
    case .list(let members): members.allSatisfy(isKept)
    case .dictionary: false
    default: !value.isNaN
    }
  }

  // MARK: Predicates

  func fold(_ predicate: QueryPredicate) -> QueryPredicate? {
    let parts = predicate.rewritingParts(expression: { fold($0) }, predicate: { fold($0) })
    switch parts ?? predicate {
    case .comparison(let comparison):
      if isFaultyPattern(comparison), case .comparison(let original) = predicate,
        original.right.constantValue == nil
      {
        return nil
      }
      return truth(of: comparison).map(QueryPredicate.constant) ?? parts
    case .and(let members): return fold(members, neutral: true) ?? parts
    case .or(let members): return fold(members, neutral: false) ?? parts
    case .not(.constant(let value)): return .constant(!value)
    default: return parts
    }
  }

  /// Whether a comparison matches against a pattern that does not compile: an error where it is a constant,
  /// while one that is computed matches nothing (PRD-106).
  private func isFaultyPattern(_ comparison: QueryComparison) -> Bool {
    guard comparison.comparator == .matches, case .string(let pattern)? = comparison.right.constantValue
    else { return false }
    return (try? RegularExpression(pattern, options: comparison.options)) == nil
  }

  private func fold(_ members: [QueryPredicate], neutral: Bool) -> QueryPredicate? {
    if members.contains(.constant(!neutral)) { return .constant(!neutral) }
    guard members.isEmpty || members.contains(.constant(neutral)) else { return nil }
    let rest = members.filter { $0 != .constant(neutral) }
    return neutral ? .all(of: rest) : .any(of: rest)
  }

  /// The truth of a comparison of two constants, where both logics agree on it.
  private func truth(of comparison: QueryComparison) -> Bool? {
    guard comparison.modifier == .direct, !comparison.options.contains(.localized),
      comparison.left.constantValue != nil, comparison.right.constantValue != nil
    else { return nil }
    let options = EvaluationOptions(
      logic: .threeValued, locale: Locale(identifier: "en_US_POSIX"), now: now)
    switch try? PredicateEvaluator(.comparison(comparison), options: options).truth(.null) {
    case .yes: return true
    case .no: return false
    default: return nil
    }
  }
}
