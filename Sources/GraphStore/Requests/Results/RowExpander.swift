import GraphStorePredicates

/// Reader of the members over which rows in memory are grouped: hands over each combination of them.
package struct RowExpander {
  private struct Step {
    let members: ExpressionEvaluator
    /// The position of the expansion whose members have the relationship; nil for the rows' own.
    let owner: Int?
  }

  private let steps: [Step]

  package init(_ expansions: [ResultQuery.Expansion], options: EvaluationOptions) throws {
    steps = try expansions.map { expansion in
      Step(
        members: try ExpressionEvaluator(
          QueryExpression(.keyPath(QueryKeyPath(steps: expansion.keys))), options: options, isResult: false),
        owner: expansion.owner.flatMap { name in expansions.firstIndex { $0.variable == name } })
    }
  }

  /// Calls a closure with each combination of members: one of each relationship, or nil where it has none.
  package func forEach(of record: QueryOperand, _ body: ([QueryOperand]) throws -> Void) throws {
    try extend([], of: record, body)
  }

  private func extend(
    _ members: [QueryOperand], of record: QueryOperand, _ body: ([QueryOperand]) throws -> Void
  ) throws {
    guard members.count < steps.count else { return try body(members) }
    let step = steps[members.count]
    let owner = step.owner.map { members[$0] } ?? record
    var found: [QueryOperand] = []
    if !owner.isNull, case .collection(let collection, _) = try step.members.operand(for: owner) {
      found = collection
    }
    for member in found.isEmpty ? [.null] : found { try extend(members + [member], of: record, body) }
  }
}
