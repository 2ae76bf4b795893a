import GraphStorePredicates

/// Derivation of an attribute: what its value is computed from (MDL-172).
package enum Derivation: Hashable, Sendable {
  /// The time of the save.
  case now
  /// The value at the end of a path of to-one steps.
  case path([String])
  /// A function of the text at the end of a path of to-one steps.
  case text(QueryFunction, [String])
  /// The number of members of a to-many.
  case count(relationship: String)
  /// The sum of an attribute over the members of a to-many.
  case sum(relationship: String, attribute: String)
}

extension Derivation {
  /// The functions of text, by their names in derivations.
  private static let textFunctions: [(name: String, function: QueryFunction)] = [
    ("canonical", .canonical), ("normalize", .normalize), ("lowercase", .lowercase),
    ("uppercase", .uppercase),
  ]

  /// Parses a derivation; nil for text of no such form.
  package init?(_ text: String) {
    let source = text.filter { !$0.isWhitespace }
    if source == "now()" {
      self = .now
      return
    }
    for (name, function) in Self.textFunctions {
      for open in ["\(name):(", "\(name)("] where source.hasPrefix(open) && source.hasSuffix(")") {
        guard let keys = Self.keys(source.dropFirst(open.count).dropLast()) else { return nil }
        self = .text(function, keys)
        return
      }
      if source.hasSuffix(":\(name)") {
        guard let keys = Self.keys(source.dropLast(name.count + 1)) else { return nil }
        self = .text(function, keys)
        return
      }
    }
    let steps = source.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    switch steps.count {
    case 2 where steps[1] == "@count": self = .count(relationship: steps[0])
    case 3 where steps[2] == "@sum": self = .sum(relationship: steps[0], attribute: steps[1])
    case 3 where steps[1] == "@sum": self = .sum(relationship: steps[0], attribute: steps[2])
    default:
      guard let keys = Self.keys(source[...]) else { return nil }
      self = .path(keys)
    }
  }

  private static func keys(_ text: Substring) -> [String]? {
    let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let isPath = keys.allSatisfy { key in
      !key.isEmpty && key.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
    }
    return isPath ? keys : nil
  }
}

extension Derivation {
  /// The derivation as predicates write it; nil for the time of the save, which no expression knows.
  package var expression: QueryExpression? {
    switch self {
    case .now: nil
    case .path(let keys): Self.expression(keys.map { .key($0) })
    case .text(let function, let keys):
      QueryExpression(.function(function, [Self.expression(keys.map { .key($0) })]))
    case .count(let relationship): Self.expression([.key(relationship), .collectionOperator("count")])
    case .sum(let relationship, let attribute):
      Self.expression([.key(relationship), .collectionOperator("sum"), .key(attribute)])
    }
  }

  private static func expression(_ steps: [QueryKeyPath.Step]) -> QueryExpression {
    QueryExpression(.keyPath(QueryKeyPath(base: nil, steps: steps)))
  }
}
