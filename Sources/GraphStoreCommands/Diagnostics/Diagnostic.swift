import GraphStore

/// Error or warning for the user, with all that is needed to find and mend its cause.
///
/// It carries data only; `DiagnosticPrinter` decides how it looks.
struct Diagnostic: Error, Sendable {
  /// How bad it is.
  enum Severity: String, Sendable {
    case error
    case warning
  }

  /// The text in which the problem lies, and where in it.
  struct Source: Sendable {
    /// Where the text came from, such as `--where`.
    var label: String
    /// The whole text.
    var text: String
    /// UTF-8 offset of the problem in `text`, from 0.
    var offset: Int
    /// Length of the problem in UTF-8 bytes; 0 marks a place between characters.
    var length: Int
    /// Whether the text is a line of the file that the diagnostic is located in.
    var isInFile = true

    init(label: String, text: String, offset: Int, length: Int) {
      self.label = label
      self.text = text
      self.offset = offset
      self.length = length
    }
  }

  /// A place in a file.
  struct Location: Sendable {
    /// The file's name as the user gave it.
    var file: String
    /// Line, from 1.
    var line: Int?
    /// Column in characters, from 1.
    var column: Int?

    init(file: String, line: Int? = nil, column: Int? = nil) {
      self.file = file
      self.line = line
      self.column = column
    }
  }

  var severity: Severity
  /// Stable, in kebab-case.
  let code: String
  /// The number under which Core Data, or the project, knows the failure.
  var number: Int?
  /// A sentence that says what is wrong.
  var message: String
  var source: Source?
  var location: Location?
  /// Further lines under the message, such as the objects in the way.
  var details: [String]
  /// What to do about it, a sentence each.
  var hints: [String]
  /// Names that were probably meant, the likeliest first.
  var suggestions: [String]
  var entity: String?
  /// The attribute or relationship concerned, or the key that there is none for.
  var property: String?
  /// The object concerned, by its id.
  var object: String?
  /// The value that was refused.
  var value: Value?
  /// The single problems, where there are several.
  var errors: [Diagnostic] = []
  /// What two writers made of the same values.
  var conflicts: [ConflictingValue] = []
  /// What another layer said, such as SQLite, in its own words.
  var cause: String?
  /// The status the command ends with because of this.
  var exitCode: ExitCode

  init(
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
}
