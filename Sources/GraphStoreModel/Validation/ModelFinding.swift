/// Something that a look at a model found: a fault that makes it unusable, or a habit worth a second thought.
public struct ModelFinding: Hashable, Sendable {
  /// How much a finding weighs.
  public enum Severity: String, Hashable, Sendable {
    /// The model cannot be used.
    case error
    /// The model can be used.
    case warning
  }

  /// The stable name of the rule, such as `missing-inverse`; for an error the code of the fault.
  public var rule: String
  /// How much it weighs.
  public var severity: Severity
  /// Where it is in the model.
  public var path: ModelPath
  /// The line in the file, from 1; nil where the file has no lines or the model was made in code.
  public var line: Int?
  /// The column in the line, from 1 and in characters.
  public var column: Int?
  /// The offset in the text of the predicate, expression or pattern at `path`, in UTF-8 bytes from 0.
  public var offset: Int?
  /// The offending value as text.
  public var value: String?
  /// What was found, as a sentence that names the entity and the property.
  public var message: String
  /// The name that was probably meant.
  public var suggestion: String?
  /// What to do, as a sentence.
  public var remedy: String?

  /// Makes a finding.
  public init(
    _ rule: String, severity: Severity = .warning, at path: ModelPath, value: String? = nil,
    message: String, suggestion: String? = nil, remedy: String? = nil, offset: Int? = nil,
    line: Int? = nil, column: Int? = nil
  ) {
    self.rule = rule
    self.severity = severity
    self.path = path
    self.value = value
    self.message = message
    self.offset = offset
    self.suggestion = suggestion
    self.remedy = remedy
    self.line = line
    self.column = column
  }

  /// The finding that a fault of a model is.
  public init(_ problem: ModelProblem) {
    self.init(
      problem.code.rawValue, severity: .error, at: problem.path, value: problem.value,
      message: problem.message,
      suggestion: problem.suggestion, remedy: problem.remedy, offset: problem.offset, line: problem.line,
      column: problem.column)
  }
}

extension ModelFinding: CustomStringConvertible {
  /// One line: position, severity, rule, path, sentence, offset, suggestion and remedy.
  public var description: String { line(titled: "\(severity.rawValue): \(rule)") }

  /// One line with the words that say what kind of finding it is.
  func line(titled title: String) -> String {
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
