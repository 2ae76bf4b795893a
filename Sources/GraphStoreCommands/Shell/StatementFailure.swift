/// An error of a statement, ready to be shown as text or as JSON.
struct StatementFailure: Error, Hashable, Sendable {
  /// What the error is about, in words of the statement.
  struct Place: Hashable, Sendable {
    /// The index of the word.
    var word: Int
    /// UTF-8 bytes of the word's text; nil means all of it.
    var range: Range<Int>?
    /// What the word is called: `--where`, `salary`.
    var name: String?
  }

  var code: String
  /// A sentence without a full stop.
  var message: String
  var exitCode: Int32
  var place: Place?
  /// Lines between the message and the hint.
  var details: [String]
  var hint: String?
  var suggestions: [String]
  /// Further members of the JSON form, after code and message: name and JSON text.
  var fields: [Field]

  /// A member of the JSON form.
  struct Field: Hashable, Sendable {
    var name: String
    /// A JSON value as text.
    var json: String
  }

  init(
    code: String, message: String, exitCode: Int32, place: Place? = nil, details: [String] = [],
    hint: String? = nil, suggestions: [String] = [], fields: [Field] = []
  ) {
    self.code = code
    self.message = message
    self.exitCode = exitCode
    self.place = place
    self.details = details
    self.hint = hint
    self.suggestions = suggestions
    self.fields = fields
  }

  /// An error that the shell itself found.
  init(_ error: ShellError) {
    self.init(
      code: error.code.rawValue, message: error.message, exitCode: error.exitCode,
      place: error.wordIndex.map { Place(word: $0) }, hint: error.hint, suggestions: error.suggestions)
  }
}
