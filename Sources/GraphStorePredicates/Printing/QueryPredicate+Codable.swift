extension QueryPredicate: Codable {
  /// Reads the printed text.
  public init(from decoder: any Decoder) throws {
    try self.init(parsing: decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the printed text; throws `EncodingError` for a predicate with a closure or a dictionary, which have no
  /// text.
  public func encode(to encoder: any Encoder) throws {
    var search = TextlessPart()
    walk(&search)
    try search.refuse(self, at: encoder.codingPath)
    var container = encoder.singleValueContainer()
    try container.encode(predicateFormat)
  }
}

extension QueryExpression: Codable {
  /// Reads the printed text.
  public init(from decoder: any Decoder) throws {
    try self.init(parsing: decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the printed text; throws `EncodingError` for an expression with a closure or a dictionary, which have no
  /// text.
  public func encode(to encoder: any Encoder) throws {
    var search = TextlessPart()
    walk(&search)
    try search.refuse(self, at: encoder.codingPath)
    var container = encoder.singleValueContainer()
    try container.encode(expressionFormat)
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

  func refuse(_ tree: Any, at path: [any CodingKey]) throws {
    guard let found else { return }
    throw EncodingError.invalidValue(tree, .init(codingPath: path, debugDescription: "\(found) has no text."))
  }
}
