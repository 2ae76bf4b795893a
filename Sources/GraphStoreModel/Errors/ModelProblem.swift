/// A problem of a model: what is wrong, where, and what to do.
///
/// A problem of severity ``Severity/error`` makes a model unusable and is one of those that a ``ModelError``
/// lists; one of severity ``Severity/warning`` is advice of a ``ModelRule``.
///
/// ```swift
/// for problem in ModelLinter().findings(in: model) {
///   print(problem.severity, problem.code.rawValue, problem.path, problem.message, problem.remedy ?? "-")
/// }
/// ```
public struct ModelProblem: Hashable, Sendable {
  /// The stable code of a problem, which never changes meaning: of an error one of those here, of a warning
  /// the name of its rule, such as `missing-inverse`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code as text.
    public let rawValue: String

    /// Makes a code of its text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a code of the name of a rule.
    public init(_ rule: String) { rawValue = rule }

    /// There is no file.
    public static let notFound = Code("model-not-found")
    /// The file is there and cannot be read.
    public static let unreadable = Code("model-unreadable")
    /// The text is not JSON, or not of the form that its kind of model has.
    public static let syntax = Code("model-syntax")
    /// A key occurs twice in one object.
    public static let duplicateKey = Code("model-duplicate-key")
    /// A key that the format does not have.
    public static let unknownKey = Code("model-unknown-key")
    /// A required key is missing.
    public static let missingKey = Code("model-missing-key")
    /// A value of another JSON type than asked for.
    public static let wrongType = Code("model-wrong-type")
    /// A name with characters that are not allowed.
    public static let badName = Code("model-bad-name")
    /// A property named like a member of every object.
    public static let reservedName = Code("model-reserved-name")
    /// A name that is used twice.
    public static let duplicateName = Code("model-duplicate-name")
    /// A name that no entity has.
    public static let unknownEntity = Code("model-unknown-entity")
    /// A name that no property of the entity has.
    public static let unknownProperty = Code("model-unknown-property")
    /// A chain of parents that returns to its start.
    public static let inheritanceCycle = Code("model-inheritance-cycle")
    /// A property that an ancestor already has.
    public static let propertyRedefined = Code("model-property-redefined")
    /// An inverse that does not lead back.
    public static let badInverse = Code("model-bad-inverse")
    /// A value that is not allowed at its position.
    public static let badValue = Code("model-bad-value")
    /// A key that has no meaning at its position.
    public static let notApplicable = Code("model-not-applicable")
    /// A predicate, expression or pattern with a mistake.
    public static let badExpression = Code("model-bad-expression")
    /// A version that does not exist.
    public static let badVersion = Code("model-bad-version")
    /// Two models that define one name differently.
    public static let mergeClash = Code("model-merge-clash")

    /// The codes of all errors, in the order in which models are read and checked.
    public static let errors: [Code] = [
      .notFound, .unreadable, .syntax, .duplicateKey, .unknownKey, .missingKey, .wrongType, .badName,
      .reservedName, .duplicateName, .unknownEntity, .unknownProperty, .inheritanceCycle, .propertyRedefined,
      .badInverse, .badValue, .notApplicable, .badExpression, .badVersion, .mergeClash,
    ]
  }

  /// The weight of a problem.
  public enum Severity: String, Hashable, Sendable {
    /// The model cannot be used.
    case error
    /// The model can be used.
    case warning
  }

  /// The kind of the problem.
  public var code: Code
  /// The severity of the problem.
  public var severity: Severity
  /// The path to it in the model.
  public var path: ModelPath
  /// The file, where several are read together; else it is that of the ``ModelError``.
  public var file: String?
  /// The line in the file, from 1; nil for a model made in code.
  public var line: Int?
  /// The column in the line, from 1 and in characters; nil for a model made in code.
  public var column: Int?
  /// The offset in the text of the predicate, expression or pattern at `path`, in UTF-8 bytes from 0.
  public var offset: Int?
  /// The offending value as text.
  public var value: String?
  /// The message, as a sentence.
  public var message: String
  /// The name that was probably meant.
  public var suggestion: String?
  /// The remedy, as a sentence.
  public var remedy: String?

  /// Makes a problem; positions are filled in by what reads the file.
  public init(
    _ code: Code, severity: Severity = .error, at path: ModelPath, value: String? = nil, message: String,
    suggestion: String? = nil, remedy: String? = nil, offset: Int? = nil, line: Int? = nil,
    column: Int? = nil
  ) {
    self.code = code
    self.severity = severity
    self.path = path
    self.value = value
    self.message = message
    self.suggestion = suggestion
    self.remedy = remedy
    self.offset = offset
    self.line = line
    self.column = column
  }

  /// Makes a problem that leaves the model usable.
  package static func warning(
    _ code: Code, at path: ModelPath, value: String? = nil, message: String, suggestion: String? = nil,
    remedy: String? = nil, offset: Int? = nil, line: Int? = nil, column: Int? = nil
  ) -> ModelProblem {
    ModelProblem(
      code, severity: .warning, at: path, value: value, message: message, suggestion: suggestion,
      remedy: remedy, offset: offset, line: line, column: column)
  }
}

extension ModelProblem.Code: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Makes a code of its text.
  public init(stringLiteral text: String) { self.init(rawValue: text) }

  /// The code as text.
  public var description: String { rawValue }
}

extension ModelProblem: CustomStringConvertible {
  /// One line: position, severity, code, path, sentence, offset, suggestion and remedy.
  public var description: String { line(titled: "\(severity.rawValue): \(code)") }

  /// The line without the severity, for where all are errors.
  package var briefDescription: String { line(titled: code.rawValue) }

  private func line(titled title: String) -> String {
    var text = ""
    if let line, let column { text += "\(line):\(column): " }
    text += "\(title): "
    let place = path.description
    if !place.isEmpty { text += "\(place): " }
    text += message
    if let offset { text += " (offset \(offset))" }
    if let suggestion { text += " Did you mean \"\(suggestion)\"?" }
    if let remedy { text += " \(remedy)" }
    return text
  }
}

extension ModelProblem {
  /// Sorts problems in document order: by position where they have one, else by path in the order of keys in
  /// the model format.
  package static func inDocumentOrder(_ problems: [ModelProblem]) -> [ModelProblem] {
    let keyed = problems.enumerated().map { (key: $1.documentOrder, order: $0, problem: $1) }
    return keyed.sorted { left, right in
      if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
      return left.order < right.order
    }.map(\.problem)
  }

  private var documentOrder: [Int] {
    if let line, let column { return [line, column] }
    return path.components.map { component in
      switch component {
      case .index(let position): position
      case .key(let name): Self.keyOrder[name] ?? Self.keyOrder.count
      }
    }
  }

  private static let keyOrder: [String: Int] = {
    var order: [String: Int] = [:]
    for name in ModelKeys.all where order[name] == nil { order[name] = order.count }
    return order
  }()
}
