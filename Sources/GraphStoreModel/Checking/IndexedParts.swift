import GraphStorePredicates

/// Finds what an index cannot hold in its expressions and its condition (MDL-284, MDL-286): what leads to other
/// objects, what changes from moment to moment, and what follows the version or the locale of the system, so that an
/// index made by one would mislead the other (PRD-254).
struct IndexedParts: PredicateVisitor {
  /// The first fault: what is wrong, and where in the text.
  private(set) var fault: (message: String, offset: Int?)?
  /// The key paths, in order.
  private(set) var paths: [(path: QueryKeyPath, offset: Int?)] = []

  private mutating func refuse(_ message: String, _ offset: Int?) {
    if fault == nil { fault = (message, offset) }
  }

  mutating func visit(_ predicate: QueryPredicate) {
    switch predicate {
    case .comparison(let comparison):
      let offset = comparison.left.sourceRange?.offset
      if comparison.modifier != .direct {
        refuse("An index covers single values; a quantifier has no place in it.", offset)
      } else if comparison.options.contains(.localized) {
        refuse("An index cannot compare by a locale: its order changes with the system.", offset)
      } else if comparison.comparator == .matches {
        refuse("An index cannot hold MATCHES: what matches changes with the system's expressions.", offset)
      } else if comparison.comparator == .in {
        refuse("An index cannot hold IN; write the comparisons with OR.", offset)
      }
    case .block: refuse("An index cannot hold a closure.", nil)
    case .constant, .and, .or, .not: break
    }
  }

  mutating func visit(_ expression: QueryExpression) {
    let offset = expression.sourceRange?.offset
    switch expression.kind {
    case .constant, .variable, .cast, .aggregate, .ternary: break
    case .keyPath(let path): paths.append((path, offset))
    case .function(let function, _): visit(function, offset)
    case .call(_, let name, _):
      if name != "uppercaseString", name != "lowercaseString" {
        refuse("An index cannot call the function \(name).", offset)
      }
    case .evaluatedObject: refuse("An index covers properties; SELF is none.", offset)
    case .subquery, .setOperation, .index, .fetch:
      refuse("An index covers single values of the object itself, no collections.", offset)
    case .block: refuse("An index cannot hold a closure.", offset)
    }
  }

  private mutating func visit(_ function: QueryFunction, _ offset: Int?) {
    switch function {
    case .now, .random, .randomBelow, .randomNumber:
      refuse("An index cannot hold \(function.rawValue), which changes from moment to moment.", offset)
    case .normalize, .normalizeWith, .power, .exponential, .logarithm, .naturalLogarithm:
      refuse(
        "An index cannot hold \(function.rawValue), which may change with the system's libraries; "
          + "index an attribute that keeps the result.", offset)
    case .count, .mode, .distinct:
      refuse("An index covers single values; \(function.rawValue) is about collections.", offset)
    default: break
    }
  }
}
