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
    case .direct:
      return narrowing(try operand(comparison.left), comparison, try operand(comparison.right))
    case .any:
      let members = try collection(comparison.left)
      guard let condition = narrowing(members.operand, comparison, try operand(comparison.right)) else {
        return nil
      }
      return .exists(members.select(where: condition))
    case .all: return nil
    }
  }

  private func narrowing(
    _ left: SQLOperand, _ comparison: QueryComparison, _ right: SQLOperand
  ) -> SQLExpression? {
    dialect.narrow(comparison.comparator, options: comparison.options, left: left, right: right)
  }
}
