extension QueryPredicate: Codable {
  /// Reads the printed text.
  public init(from decoder: any Decoder) throws {
    try self.init(parsing: decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the printed text; throws `EncodingError` for a predicate with a closure or a dictionary, which
  /// have no text.
  public func encode(to encoder: any Encoder) throws {
    var search = TextlessPart()
    walk(&search)
    try search.encode(self, as: predicateFormat, to: encoder)
  }
}

extension QueryExpression: Codable {
  /// Reads the printed text.
  public init(from decoder: any Decoder) throws {
    try self.init(parsing: decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the printed text; throws `EncodingError` for an expression with a closure or a dictionary, which
  /// have no text.
  public func encode(to encoder: any Encoder) throws {
    var search = TextlessPart()
    walk(&search)
    try search.encode(self, as: expressionFormat, to: encoder)
  }
}

/// Looks for a part that has no text.
private struct TextlessPart: PredicateVisitor {
  private var found: String?

  mutating func visit(_ predicate: QueryPredicate) {
    if case .block = predicate { found = "A closure" }
  }

  mutating func visit(_ expression: QueryExpression) {
    switch expression.kind {
    case .block: found = "A closure"
    case .constant(let value) where Self.holdsDictionary(value): found = "A dictionary"
    default: break
    }
  }

  private static func holdsDictionary(_ value: Value) -> Bool {
    switch value {
    case .dictionary: true
    case .list(let members): members.contains(where: holdsDictionary)
    default: false
    }
  }

  /// Encodes a tree as its text, or refuses it if a part was found that has none.
  func encode(_ tree: Any, as text: @autoclosure () -> String, to encoder: any Encoder) throws {
    if let found {
      throw EncodingError.invalidValue(
        tree, .init(codingPath: encoder.codingPath, debugDescription: "\(found) has no text."))
    }
    var container = encoder.singleValueContainer()
    try container.encode(text())
  }
}
