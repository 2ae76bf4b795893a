import GraphStorePredicates

extension PredicateTyping {
  mutating func check(_ written: QueryComparison) -> QueryComparison {
    let comparison = written.withListOnTheRight
    var left = check(comparison.left)
    var right = check(comparison.right)
    let range = comparison.operatorRange
    switch comparison.comparator {
    case .typeConformsTo, .typeEquals:
      report(
        .unsupportedFunction, "\(comparison.comparator.rawValue) has no meaning here.", at: range,
        subject: comparison.comparator.rawValue)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      checkPlain(comparison, left: &left, right: &right)
    case .between, .in:
      checkMembership(comparison, left: &left, right: &right)
    case .contains:
      checkContains(comparison, left: &left, right: &right)
    case .beginsWith, .endsWith, .like, .matches:
      checkText(comparison, left: &left, right: &right)
    }
    // The names of entities are no text to be folded (PRD-118, PRD-286).
    let namesEntity = left.type == .entity || right.type == .entity || left.type.member == .entity
    return membership(of: comparison, left, right)
      ?? QueryComparison(
        left: left.expression, modifier: comparison.modifier, comparator: comparison.comparator,
        options: namesEntity ? [] : comparison.options, right: right.expression,
        operatorRange: comparison.operatorRange)
  }

  /// Membership in a to-many path as a quantified comparison, which is never unknown (PRD-091), also where
  /// a to-one on the way to it leads nowhere.
  private func membership(
    of comparison: QueryComparison, _ left: Typed, _ right: Typed
  ) -> QueryComparison? {
    guard comparison.modifier == .direct else { return nil }
    let collection: Typed
    let element: Typed
    switch comparison.comparator {
    case .in: (collection, element) = (right, left)
    case .contains: (collection, element) = (left, right)
    default: return nil
    }
    guard case .keyPath(let path) = collection.expression.kind, path.base == nil,
      case .collection? = Optional(collection.type),
      path.collectionOperatorIndex == nil
    else { return nil }
    if element.expression.constantValue == nil {
      guard case .object = element.type else { return nil }
    }
    return QueryComparison(
      left: collection.expression, modifier: .any, comparator: .equal, options: comparison.options,
      right: element.expression, operatorRange: comparison.operatorRange)
  }

  /// The type of one left value: a member's, when a quantifier precedes the comparison.
  private mutating func leftType(_ comparison: QueryComparison, _ left: Typed) -> ExpressionType {
    guard comparison.modifier != .direct else { return left.type }
    switch left.type {
    case .collection(let member, _): return member
    case .anything: return .anything
    default:
      report(
        .toManyPath,
        "\(comparison.modifier.rawValue) needs a collection, and what follows it is \(left.type).",
        at: left.expression.sourceRange, hint: "Leave \(comparison.modifier.rawValue) out.",
        subject: text(of: left.expression))
      return .anything
    }
  }

  private mutating func checkPlain(_ comparison: QueryComparison, left: inout Typed, right: inout Typed) {
    let leftType = leftType(comparison, left)
    if refusesCollection(leftType, side: left, against: right.expression, comparator: comparison.comparator)
      || refusesCollection(
        right.type, side: right, against: left.expression, comparator: comparison.comparator)
    {
      return
    }
    let ordered = comparison.comparator != .equal && comparison.comparator != .notEqual
    if convert(&right, to: leftType, comparison, key: left)
      || convert(&left, to: right.type, comparison, key: right)
    {
      if ordered { checkOrder(leftType, comparison: comparison, left: left) }
      return
    }
    guard leftType.compares(with: right.type) else {
      return report(
        .typeMismatch, "\(text(of: left.expression)) is \(leftType) and does not compare with \(right.type).",
        at: left.expression.sourceRange ?? comparison.operatorRange,
        hint: leftType == .composite || right.type == .composite
          ? "A composite attribute compares with nil only; name one of its elements."
          : "CAST one of the sides.",
        subject: text(of: left.expression))
    }
    if ordered {
      checkOrder(leftType == .anything ? right.type : leftType, comparison: comparison, left: left)
    }
  }

  private mutating func checkOrder(_ type: ExpressionType, comparison: QueryComparison, left: Typed) {
    guard !type.isOrdered else { return }
    report(
      .typeMismatch, "\(text(of: left.expression)) is \(type) and has no order.",
      at: comparison.operatorRange ?? left.expression.sourceRange, hint: "Use == or !=.",
      subject: text(of: left.expression))
  }

  /// Whether there are several values where one is required, which is then reported (PRD-123). A test for nil
  /// most likely asks whether there are any (PRD-125).
  mutating func refusesCollection(
    _ type: ExpressionType, side: Typed, against other: QueryExpression? = nil,
    comparator: QueryComparison.Operator = .equal
  ) -> Bool {
    guard type.member != nil else { return false }
    switch side.expression.kind {
    case .keyPath(let path):
      if path.collectionOperatorIndex != nil { return false }
    case .subquery, .setOperation: break
    default: return false
    }
    let testsForNil =
      other?.constantValue?.isNull == true && (comparator == .equal || comparator == .notEqual)
    report(
      .toManyPath, "\(text(of: side.expression)) leads to several values and cannot be compared as one.",
      at: side.expression.sourceRange,
      hint: testsForNil
        ? "Write \(text(of: side.expression)).@count \(comparator.rawValue) 0."
        : "Write ANY or ALL before it, or compare its .@count.",
      subject: text(of: side.expression))
    return true
  }

  /// Whether the side is a constant; it is then turned into the type of the key it meets.
  private mutating func convert(
    _ side: inout Typed, to type: ExpressionType, _ comparison: QueryComparison, key: Typed
  ) -> Bool {
    guard type != .anything, isConvertible(side.expression) else { return false }
    if isConvertible(key.expression) { return true }
    side.expression = converted(side.expression, to: type, comparison, key: key)
    return true
  }

  private func isConvertible(_ expression: QueryExpression) -> Bool {
    switch expression.kind {
    case .constant: true
    case .function(.noIndex, let arguments): arguments.allSatisfy { isConvertible($0) }
    default: false
    }
  }

  private mutating func converted(
    _ expression: QueryExpression, to type: ExpressionType, _ comparison: QueryComparison, key: Typed
  ) -> QueryExpression {
    switch expression.kind {
    case .function(.noIndex, let arguments):
      return QueryExpression(
        .function(.noIndex, arguments.map { converted($0, to: type, comparison, key: key) }),
        sourceRange: expression.sourceRange)
    case .aggregate(let parts):
      return QueryExpression(
        .aggregate(parts.map { converted($0, to: type, comparison, key: key) }),
        sourceRange: expression.sourceRange)
    case .constant(let value):
      do throws(ConstantConverter.Mismatch) {
        let converted = try checker.converter.convert(value, to: type, for: comparison.comparator)
        return QueryExpression(.constant(converted), sourceRange: expression.sourceRange)
      } catch {
        report(
          .typeMismatch,
          "\(text(of: key.expression)) is \(type) and does not compare with \(text(of: expression)).",
          at: expression.sourceRange ?? comparison.operatorRange, hint: error.reason,
          subject: text(of: expression))
        return expression
      }
    default: return expression
    }
  }

  private mutating func checkMembership(
    _ comparison: QueryComparison, left: inout Typed, right: inout Typed
  ) {
    let leftType = leftType(comparison, left)
    if refusesCollection(leftType, side: left) { return }
    switch right.expression.kind {
    case .constant(.list), .aggregate:
      if !isConvertible(left.expression) {
        right.expression = converted(right.expression, to: leftType, comparison, key: left)
      } else if case .aggregate = right.expression.kind, let member = right.type.member {
        left.expression = converted(left.expression, to: member, comparison, key: right)
      }
      let others = aggregateMembers(right.expression)
      for other in others where !leftType.compares(with: other.type) {
        report(
          .typeMismatch,
          "\(text(of: left.expression)) is \(leftType) and does not compare with \(other.type).",
          at: other.expression.sourceRange ?? comparison.operatorRange, hint: "CAST one of the sides.",
          subject: text(of: left.expression))
      }
      if comparison.comparator == .between {
        checkBounds(comparison, leftType: leftType, left: left, right: right)
      }
    default:
      if let member = right.type.member {
        if !convert(&left, to: member, comparison, key: right), !leftType.compares(with: member) {
          report(
            .typeMismatch, "\(text(of: left.expression)) is \(leftType) and is no member of \(right.type).",
            at: left.expression.sourceRange ?? comparison.operatorRange, subject: text(of: left.expression))
        }
      } else if comparison.comparator == .in, right.type == .string || right.type == .data {
        if !convert(&left, to: right.type, comparison, key: right), !leftType.compares(with: right.type) {
          report(
            .typeMismatch, "\(text(of: left.expression)) is \(leftType) and is no part of \(right.type).",
            at: left.expression.sourceRange ?? comparison.operatorRange, subject: text(of: left.expression))
        }
      } else if right.type != .anything {
        report(
          .typeMismatch, "\(comparison.comparator.rawValue) needs a collection and was given \(right.type).",
          at: right.expression.sourceRange ?? comparison.operatorRange, hint: "Write {a, b}.",
          subject: text(of: right.expression))
      }
    }
  }

  /// The members of an aggregate that are not constants, with their types.
  private mutating func aggregateMembers(_ expression: QueryExpression) -> [Typed] {
    guard case .aggregate(let parts) = expression.kind else { return [] }
    let found = problems.count
    let typed = parts.filter { $0.constantValue == nil }.map { check($0) }
    dropProblems(after: found)
    return typed
  }

  private mutating func checkBounds(
    _ comparison: QueryComparison, leftType: ExpressionType, left: Typed, right: Typed
  ) {
    checkOrder(leftType, comparison: comparison, left: left)
    let count: Int
    switch right.expression.kind {
    case .constant(.list(let members)): count = members.count
    case .aggregate(let parts): count = parts.count
    default: return
    }
    guard count != 2 else { return }
    report(
      .typeMismatch, "BETWEEN needs a list of two values and was given \(count).",
      at: right.expression.sourceRange ?? comparison.operatorRange, hint: "Write BETWEEN {lower, upper}.",
      subject: text(of: right.expression))
  }

  private mutating func checkContains(
    _ comparison: QueryComparison, left: inout Typed, right: inout Typed
  ) {
    let leftType = leftType(comparison, left)
    if let member = leftType.member {
      if !convert(&right, to: member, comparison, key: left), !member.compares(with: right.type) {
        report(
          .typeMismatch, "\(text(of: left.expression)) is \(leftType) and does not contain \(right.type).",
          at: right.expression.sourceRange ?? comparison.operatorRange, subject: text(of: left.expression))
      }
      return
    }
    checkText(comparison, left: &left, right: &right, leftType: leftType)
  }

  private mutating func checkText(
    _ comparison: QueryComparison, left: inout Typed, right: inout Typed
  ) {
    let leftType = leftType(comparison, left)
    if refusesCollection(leftType, side: left) { return }
    checkText(comparison, left: &left, right: &right, leftType: leftType)
  }

  private mutating func checkText(
    _ comparison: QueryComparison, left: inout Typed, right: inout Typed, leftType: ExpressionType
  ) {
    if refusesCollection(right.type, side: right) { return }
    let takesData = comparison.comparator != .like && comparison.comparator != .matches
    switch leftType {
    case .string, .anything: break
    case .data where takesData: break
    default:
      return report(
        .typeMismatch,
        "\(text(of: left.expression)) is \(leftType), and \(comparison.comparator.rawValue) needs a string.",
        at: left.expression.sourceRange ?? comparison.operatorRange,
        hint: "Write CAST(\(text(of: left.expression)), \"NSString\").", subject: text(of: left.expression))
    }
    if !convert(&right, to: leftType, comparison, key: left), !leftType.compares(with: right.type) {
      report(
        .typeMismatch,
        "\(text(of: left.expression)) is \(leftType) and does not compare with \(right.type).",
        at: right.expression.sourceRange ?? comparison.operatorRange, subject: text(of: left.expression))
    }
    if comparison.comparator == .matches { checkPattern(right.expression, comparison.options) }
  }

  private mutating func checkPattern(_ expression: QueryExpression, _ options: QueryComparison.Options) {
    guard case .string(let pattern)? = expression.constantValue else { return }
    do throws(QueryPredicateError) {
      _ = try RegularExpression(pattern, options: options)
    } catch {
      report(
        error.code, error.message, at: expression.sourceRange, hint: error.hint, subject: text(of: expression)
      )
    }
  }
}

extension QueryComparison {
  /// `list CONTAINS x` as `x IN list`, which it means (PRD-100); every other comparison as it is.
  fileprivate var withListOnTheRight: QueryComparison {
    guard comparator == .contains, modifier == .direct else { return self }
    switch left.kind {
    case .constant(.list), .aggregate:
      return QueryComparison(
        left: right, comparator: .in, options: options, right: left, operatorRange: operatorRange)
    default: return self
    }
  }
}
