extension QueryPredicate: Codable {
  /// Reads the printed text.
  public init(from decoder: any Decoder) throws {
    try self.init(parsing: decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the printed text; throws `EncodingError` for a predicate with a closure.
  public func encode(to encoder: any Encoder) throws {
    guard !containsBlock else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "A closure has no text."))
    }
    var container = encoder.singleValueContainer()
    try container.encode(predicateFormat)
  }
}

extension QueryExpression: Codable {
  /// Reads the printed text.
  public init(from decoder: any Decoder) throws {
    try self.init(parsing: decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the printed text; throws `EncodingError` for an expression with a closure.
  public func encode(to encoder: any Encoder) throws {
    guard !containsBlock else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: encoder.codingPath, debugDescription: "A closure has no text."))
    }
    var container = encoder.singleValueContainer()
    try container.encode(expressionFormat)
  }
}
