import GraphStorePredicates

/// Functions that `$manager` has in expressions of mappings (MIG-168, MIG-172).
package enum MappingFunction: String, CaseIterable, Sendable {
  /// The objects that an entity mapping made for objects of the source.
  case destinationInstances = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  /// The objects of the source that an entity mapping made objects of.
  case sourceInstances = "sourceInstancesForEntityMappingNamed:destinationInstances:"
}

/// A call of a function on a variable.
struct MappingCall {
  /// The variable, without `$`; nil for a call on something else.
  let target: String?
  let name: String
  let arguments: [QueryExpression]
  let range: SourceRange?
}

/// Collects the calls of an expression, and finds keys of an object under test.
struct MappingCallCollector: PredicateVisitor {
  private(set) var calls: [MappingCall] = []
  /// The range of the first key that begins at no variable.
  private(set) var bareKey: SourceRange?

  mutating func visit(_ predicate: QueryPredicate) {}

  mutating func visit(_ expression: QueryExpression) {
    switch expression.kind {
    case .call(let target, let name, let arguments):
      var variable: String?
      if case .variable(let name) = target.kind { variable = name }
      calls.append(
        MappingCall(target: variable, name: name, arguments: arguments, range: expression.sourceRange))
    case .evaluatedObject: note(expression.sourceRange)
    case .keyPath(let path) where path.base == nil: note(expression.sourceRange)
    default: return
    }
  }

  private mutating func note(_ range: SourceRange?) {
    if bareKey == nil { bareKey = range ?? SourceRange(offset: 0, length: 0) }
  }
}
