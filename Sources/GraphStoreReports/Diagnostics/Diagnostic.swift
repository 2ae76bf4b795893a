import GraphStore

/// Error or warning for the user, with all that is needed to find and mend its cause.
///
/// It carries data only; `DiagnosticPrinter` decides how it looks.
package struct Diagnostic: Error, Sendable {
  /// How bad it is.
  package enum Severity: String, Sendable {
    case error
    case warning
  }

  /// The text in which the problem lies, and where in it.
  package struct Source: Sendable {
    /// Where the text came from, such as `--where`.
    package var label: String
    /// The whole text.
    package var text: String
    /// UTF-8 offset of the problem in `text`, from 0.
    package var offset: Int
    /// Length of the problem in UTF-8 bytes; 0 marks a place between characters.
    package var length: Int
    /// Whether the text is a line of the file that the diagnostic is located in.
    package var isInFile = true

    /// A place in a text.
    package init(label: String, text: String, offset: Int, length: Int) {
      self.label = label
      self.text = text
      self.offset = offset
      self.length = length
    }
  }

  /// A place in a file.
  package struct Location: Sendable {
    /// The file's name as the user gave it.
    package var file: String
    /// Line, from 1.
    package var line: Int?
    /// Column in characters, from 1.
    package var column: Int?

    /// A place in a file, or the file as a whole.
    package init(file: String, line: Int? = nil, column: Int? = nil) {
      self.file = file
      self.line = line
      self.column = column
    }
  }

  /// How bad it is.
  package var severity: Severity
  /// Stable, in kebab-case.
  package let code: String
  /// The number under which Core Data, or the project, knows the failure.
  package var number: Int?
  /// A sentence that says what is wrong.
  package var message: String
  /// The text in which the problem lies, where it lies in one.
  package var source: Source?
  /// The place in a file, where the problem has one.
  package var location: Location?
  /// Further lines under the message, such as the objects in the way.
  package var details: [String]
  /// What to do about it, a sentence each.
  package var hints: [String]
  /// Names that were probably meant, the likeliest first.
  package var suggestions: [String]
  /// The entity concerned.
  package var entity: String?
  /// The attribute or relationship concerned, or the key that there is none for.
  package var property: String?
  /// The object concerned, by its id.
  package var object: String?
  /// The value that was refused.
  package var value: Value?
  /// The single problems, where there are several.
  package var errors: [Diagnostic] = []
  /// What two writers made of the same values.
  var conflicts: [ConflictingValue] = []
  /// What another layer said, such as SQLite, in its own words.
  var cause: String?
  /// The status the command ends with because of this.
  package var exitCode: ExitCode

  /// A diagnostic, whose code decides on its number.
  package init(
    _ severity: Severity = .error, code: String, message: String, source: Source? = nil,
    location: Location? = nil, details: [String] = [], hints: [String] = [], suggestions: [String] = [],
    entity: String? = nil, property: String? = nil, exitCode: ExitCode = .failure
  ) {
    self.severity = severity
    self.code = code
    number = Self.number(of: code)
    self.message = message
    self.source = source
    self.location = location
    self.details = details
    self.hints = hints
    self.suggestions = suggestions
    self.entity = entity
    self.property = property
    self.exitCode = exitCode
  }

  /// The number of a code; nil where a word is all there is.
  private static func number(of code: String) -> Int? {
    switch code {
    case "predicate-syntax": 136_030
    case "predicate-limit": 136_035
    case "argument-type": 136_038
    default: GraphStoreError.Code(rawValue: code)?.number
    }
  }

  /// A line or more for each of several problems, as far as they are not too many.
  package static func details(of parts: [Diagnostic]) -> [String] {
    parts.prefix(20).flatMap { ["\($0.message)   [\($0.code)]"] + $0.details.map { "  " + $0 } }
      + (parts.count > 20 ? ["… and \(parts.count - 20) more"] : [])
  }
}
