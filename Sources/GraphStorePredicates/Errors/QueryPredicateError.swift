import Foundation

/// Error of a predicate, expression or sort descriptor.
///
/// ```swift
/// do {
///   print(try QueryPredicate(parsing: "salary > 50000 AND"))
/// } catch {
///   print(error.code.rawValue, error.column ?? 0)  // predicate-syntax 19
///   print(error.message)  // The text cannot be read on: expected a value after AND, but the text ends.
/// }
/// ```
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
  /// The text of the predicate, when it was parsed from text.
  public var source: String?
  /// The offset of the offending part in UTF-8 bytes from 0.
  public var offset: Int?
  /// The length of the offending part in UTF-8 bytes; 0 at the end of text.
  public var length: Int
  /// The line from 1.
  public var line: Int?
  /// The column from 1, in characters.
  public var column: Int?
  /// The expected tokens.
  public var expected: String?
  /// Advice on what to write or do instead.
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

  /// The error with a source text, from which line and column follow.
  public func located(in source: String) -> QueryPredicateError {
    var error = self
    error.source = source
    error.locate()
    return error
  }

  /// A copy of the error with a range, unless it has one.
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

extension QueryPredicateError: LocalizedError {
  /// The error as ``description`` has it.
  public var errorDescription: String? { description }
}

extension QueryPredicateError.Code {
  /// The text does not follow the grammar.
  public static let syntax = Self(rawValue: "predicate-syntax")
  /// The grammar knows the form, but it has no meaning here.
  public static let unsupportedSyntax = Self(rawValue: "unsupported-syntax")
  /// The tree nests deeper than 500 levels.
  public static let tooDeep = Self(rawValue: "predicate-too-deep")
  /// A format, or a function, has too few or too many arguments.
  public static let argumentCount = Self(rawValue: "argument-count")
  /// An argument has a type that is not allowed there.
  public static let argumentType = Self(rawValue: "argument-type")
  /// A variable has no value.
  public static let unboundVariable = Self(rawValue: "unbound-variable")
  /// An object has no such key.
  public static let unknownKey = Self(rawValue: "unknown-key")
  /// There is no function or collection operator of that name.
  public static let unknownFunction = Self(rawValue: "unknown-function")
  /// There is no type of that name to cast to.
  public static let unknownType = Self(rawValue: "unknown-type")
  /// A constant cannot be cast to the type.
  public static let badCast = Self(rawValue: "bad-cast")
  /// A known function or operator has no meaning here.
  public static let unsupportedFunction = Self(rawValue: "unsupported-function")
  /// The types of the sides do not compare.
  public static let typeMismatch = Self(rawValue: "type-mismatch")
  /// A collection is used where one value is required, or the reverse.
  public static let toManyPath = Self(rawValue: "to-many-path")
  /// A key path is incomplete.
  public static let invalidKeyPath = Self(rawValue: "invalid-key-path")
  /// A position is asked of a collection without order.
  public static let unorderedCollection = Self(rawValue: "unordered-collection")
  /// An aggregate function is applied to a key that is no collection.
  public static let aggregateOverScalar = Self(rawValue: "aggregate-over-scalar")
  /// A property that is not stored is used in a fetch.
  public static let transientInFetch = Self(rawValue: "transient-in-fetch")
  /// The form works in memory only.
  public static let unsupportedInFetch = Self(rawValue: "unsupported-in-fetch")
  /// The store cannot run the form.
  public static let unsupportedInStore = Self(rawValue: "unsupported-in-store")
  /// The sort key or comparator cannot be used.
  public static let unsupportedSort = Self(rawValue: "unsupported-sort")
  /// A regular expression does not compile.
  public static let badRegularExpression = Self(rawValue: "bad-regular-expression")
  /// A match took more steps than it may.
  public static let limit = Self(rawValue: "predicate-limit")
  /// A sum of integers exceeds 64 bits.
  public static let arithmeticOverflow = Self(rawValue: "arithmetic-overflow")
}

/// Errors that several floors throw.
extension QueryPredicateError {
  /// A number of things in words: `1 argument`, `2 arguments`.
  package static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// The error that a constant cannot be cast.
  package static func badCast(
    _ operand: QueryExpression, _ type: QueryCastType, at range: SourceRange?
  ) -> QueryPredicateError {
    QueryPredicateError(
      .badCast, "The constant \(operand.expressionFormat) cannot be cast to \(type.rawValue).", range: range,
      subject: operand.expressionFormat)
  }

  /// The error that a text or tree nests deeper than it may (PRD-029).
  package static func tooDeep(source: String? = nil, at range: SourceRange? = nil) -> QueryPredicateError {
    QueryPredicateError(
      .tooDeep, "The predicate nests deeper than \(TreeDepth.maximum) levels; split it or use IN.",
      source: source, range: range)
  }

  /// The error that a sum of integers exceeds 64 bits (PRD-187).
  package static func sumOverflow(at range: SourceRange? = nil) -> QueryPredicateError {
    QueryPredicateError(
      .arithmeticOverflow, "The sum of the integers exceeds 64 bits; cast them to Double first.", range: range
    )
  }
}
