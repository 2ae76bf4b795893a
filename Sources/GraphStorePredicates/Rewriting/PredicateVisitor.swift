/// Sees every node of a predicate once, parents before children, left before right.
///
/// ```swift
/// struct ComparisonCounter: PredicateVisitor {
///   var count = 0
///   mutating func visit(_ predicate: QueryPredicate) { if case .comparison = predicate { count += 1 } }
///   mutating func visit(_ expression: QueryExpression) {}
/// }
/// var counter = ComparisonCounter()
/// try QueryPredicate(parsing: "salary > 0 AND badge != nil").walk(&counter)
/// print(counter.count)  // 2
/// ```
public protocol PredicateVisitor {
  /// Sees a predicate before its parts.
  mutating func visit(_ predicate: QueryPredicate)
  /// Sees an expression before its parts.
  mutating func visit(_ expression: QueryExpression)
}

extension PredicateVisitor {
  /// Takes the steps of a walk, on a stack that is large enough for the tree.
  fileprivate mutating func walk(nesting: Int, _ step: @escaping (inout Self) -> Void) {
    let start = self
    self = withLargeStack(nesting: nesting) {
      var current = start
      step(&current)
      return current
    }
  }
}

extension QueryPredicate {
  /// Shows the tree to a visitor.
  public func walk(_ visitor: inout some PredicateVisitor) {
    visitor.walk(nesting: TreeDepth.depth(of: self)) { step(&$0) }
  }

  fileprivate func step(_ visitor: inout some PredicateVisitor) {
    visitor.visit(self)
    switch self {
    case .constant, .block: break
    case .comparison(let comparison):
      comparison.left.step(&visitor)
      comparison.right.step(&visitor)
    case .and(let members), .or(let members):
      for member in members { member.step(&visitor) }
    case .not(let operand): operand.step(&visitor)
    }
  }
}

extension QueryExpression {
  /// Shows the tree to a visitor.
  public func walk(_ visitor: inout some PredicateVisitor) {
    visitor.walk(nesting: TreeDepth.depth(of: self)) { step(&$0) }
  }

  fileprivate func step(_ visitor: inout some PredicateVisitor) {
    visitor.visit(self)
    if case .ternary(let condition, _, _) = kind { condition.step(&visitor) }
    for child in children { child.step(&visitor) }
    if case .subquery(_, _, let predicate) = kind { predicate.step(&visitor) }
  }
}
