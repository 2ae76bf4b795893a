import GraphStorePredicates

extension SQLTranslator {
  /// A condition that every row fulfils of which a predicate is true that cannot be translated, so that fewer
  /// rows are read for memory to judge; nil where none is known.
  func narrowing(_ predicate: QueryPredicate) -> SQLExpression? {
    switch predicate {
    case .and(let parts): return SQLExpression.all(of: parts.compactMap(exactOrNarrowing))
    case .or(let parts):
      var conditions: [SQLExpression] = []
      for part in parts {
        guard let condition = exactOrNarrowing(part) else { return nil }
        conditions.append(condition)
      }
      return conditions.isEmpty ? nil : .or(conditions)
    case .comparison(let comparison): return try? narrowing(comparison)
    case .constant, .not, .block: return nil
    }
  }

  private func exactOrNarrowing(_ predicate: QueryPredicate) -> SQLExpression? {
    (try? translate(predicate)) ?? narrowing(predicate)
  }

  private func narrowing(_ comparison: QueryComparison) throws(NotPushable) -> SQLExpression? {
    switch comparison.modifier {
    case .direct: return try narrowing(try operand(comparison.left), comparison)
    case .any:
      let members = try collection(comparison.left)
      guard let condition = try narrowing(members.operand, comparison) else { return nil }
      return .exists(members.select(where: condition))
    case .all: return nil
    }
  }

  /// The most members of a list that are compared one by one.
  private static let longestList = 100

  private func narrowing(
    _ left: SQLOperand, _ comparison: QueryComparison
  ) throws(NotPushable) -> SQLExpression? {
    let options = comparison.options
    guard comparison.comparator == .in else {
      let right = try operand(comparison.right)
      return dialect.narrow(comparison.comparator, options: options, left: left, right: right)
    }
    guard let parts = constantsOrParts(comparison.right), parts.count <= Self.longestList else { return nil }
    var conditions: [SQLExpression] = []
    for part in parts {
      let member = try operand(part)
      if member.constant?.isMissing == true {
        conditions.append(.isNull(left.expression))
      } else if let found = dialect.narrow(.equal, options: options, left: left, right: member) {
        conditions.append(found)
      } else {
        return nil
      }
    }
    return .or(conditions)
  }
}
