/// What is wrong with a predicate, expression or sort descriptor.
public struct QueryPredicateError: Error, Hashable, Sendable {
  /// The stable name of a kind of error.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name in kebab case.
    public let rawValue: String

    /// Makes a code from its name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }
  }

  /// The kind.
  public var code: Code
  /// One sentence.
  public var message: String
  /// The text of the predicate, when it came from text.
  public var source: String?
  /// The offset of the offending part in UTF-8 bytes from 0.
  public var offset: Int?
  /// The length of the offending part in UTF-8 bytes; 0 at the end of text.
  public var length: Int
  /// The line from 1.
  public var line: Int?
  /// The column from 1, in characters.
  public var column: Int?
  /// What could have stood there.
  public var expected: String?
  /// What to write instead, or what to do.
  public var hint: String?
  /// Near names, best first, at most three.
  public var suggestions: [String]
  /// The offending part as it prints.
  public var subject: String?

  /// Makes an error; line and column follow from the source text and the range.
  public init(
    _ code: Code, _ message: String, source: String? = nil, range: SourceRange? = nil,
    expected: String? = nil, hint: String? = nil, suggestions: [String] = [], subject: String? = nil
  ) {
    self.code = code
    self.message = message
    self.source = source
    offset = range?.offset
    length = range?.length ?? 0
    line = range?.line
    column = range?.column
    self.expected = expected
    self.hint = hint
    self.suggestions = suggestions
    self.subject = subject
    locate()
  }

  /// The same error with a source text, from which line and column follow.
  public func located(in source: String) -> QueryPredicateError {
    var error = self
    error.source = source
    error.locate()
    return error
  }

  /// The same error at a place, unless it has one.
  package func placed(at range: SourceRange?) -> QueryPredicateError {
    guard offset == nil, let range else { return self }
    var error = self
    error.offset = range.offset
    error.length = range.length
    error.line = range.line
    error.column = range.column
    error.locate()
    return error
  }

  private mutating func locate() {
    guard let source, let offset else { return }
    let position = SourcePosition(offset: offset, in: source)
    line = position.line
    column = position.column
  }
}

extension QueryPredicateError: CustomStringConvertible {
  /// The message with position, near names and hint.
  public var description: String {
    var text = message
    if let line, let column { text += " (line \(line), column \(column))" }
    if !suggestions.isEmpty { text += " Did you mean \(suggestions.joined(separator: ", "))?" }
    if let hint { text += " \(hint)" }
    return text
  }
}
