extension QueryExpression {
  /// The form with those direct parts replaced for which a closure returns another; nil when it returns none.
  package func rewritingParts<Failure: Error>(
    expression: (QueryExpression) throws(Failure) -> QueryExpression?,
    predicate: (QueryPredicate) throws(Failure) -> QueryPredicate?
  ) throws(Failure) -> QueryExpression? {
    let rewritten: Kind
    switch kind {
    case .constant, .evaluatedObject, .variable, .block: return nil
    case .keyPath(let path):
      guard let base = path.base, let new = try expression(base) else { return nil }
      rewritten = .keyPath(QueryKeyPath(base: new, steps: path.steps))
    case .function(let function, let arguments):
      guard let new = try arguments.rewritten(expression) else { return nil }
      rewritten = .function(function, new)
    case .call(let target, let name, let arguments):
      let newTarget = try expression(target)
      let newArguments = try arguments.rewritten(expression)
      if newTarget == nil, newArguments == nil { return nil }
      rewritten = .call(target: newTarget ?? target, name: name, arguments: newArguments ?? arguments)
    case .cast(let operand, let type):
      guard let new = try expression(operand) else { return nil }
      rewritten = .cast(new, type)
    case .aggregate(let members):
      guard let new = try members.rewritten(expression) else { return nil }
      rewritten = .aggregate(new)
    case .subquery(let collection, let variable, let inner):
      let newCollection = try expression(collection)
      let newInner = try predicate(inner)
      if newCollection == nil, newInner == nil { return nil }
      rewritten = .subquery(
        collection: newCollection ?? collection, variable: variable, predicate: newInner ?? inner)
    case .ternary(let condition, let then, let otherwise):
      let newCondition = try predicate(condition)
      let newThen = try expression(then)
      let newOtherwise = try expression(otherwise)
      if newCondition == nil, newThen == nil, newOtherwise == nil { return nil }
      rewritten = .ternary(
        condition: newCondition ?? condition, then: newThen ?? then, otherwise: newOtherwise ?? otherwise)
    case .index(let collection, let index):
      let newCollection = try expression(collection)
      var newIndex: QueryIndex?
      if case .at(let position) = index, let new = try expression(position) { newIndex = .at(new) }
      if newCollection == nil, newIndex == nil { return nil }
      rewritten = .index(newCollection ?? collection, newIndex ?? index)
    case .setOperation(let setOperator, let left, let right):
      let newLeft = try expression(left)
      let newRight = try expression(right)
      if newLeft == nil, newRight == nil { return nil }
      rewritten = .setOperation(setOperator, newLeft ?? left, newRight ?? right)
    case .fetch(let request, let context, let countOnly):
      guard let new = try [request, context, countOnly].rewritten(expression) else { return nil }
      rewritten = .fetch(request: new[0], context: new[1], countOnly: new[2])
    }
    return QueryExpression(rewritten, sourceRange: sourceRange)
  }
}

extension QueryPredicate {
  /// The form with those direct parts replaced for which a closure returns another; nil when it returns none.
  package func rewritingParts<Failure: Error>(
    expression: (QueryExpression) throws(Failure) -> QueryExpression?,
    predicate: (QueryPredicate) throws(Failure) -> QueryPredicate?
  ) throws(Failure) -> QueryPredicate? {
    switch self {
    case .constant, .block: return nil
    case .comparison(let comparison):
      let left = try expression(comparison.left)
      let right = try expression(comparison.right)
      if left == nil, right == nil { return nil }
      return .comparison(
        QueryComparison(
          left: left ?? comparison.left, modifier: comparison.modifier, comparator: comparison.comparator,
          options: comparison.options, right: right ?? comparison.right,
          operatorRange: comparison.operatorRange))
    case .and(let members): return try members.rewritten(predicate).map(QueryPredicate.and)
    case .or(let members): return try members.rewritten(predicate).map(QueryPredicate.or)
    case .not(let operand): return try predicate(operand).map(QueryPredicate.not)
    }
  }
}

extension Array {
  /// The elements with those replaced for which a closure returns another; nil when it returns none.
  fileprivate func rewritten<Failure: Error>(
    _ rewrite: (Element) throws(Failure) -> Element?
  ) throws(Failure) -> [Element]? {
    var result: [Element]?
    for (index, element) in enumerated() {
      guard let new = try rewrite(element) else { continue }
      if result == nil { result = self }
      result?[index] = new
    }
    return result
  }
}
