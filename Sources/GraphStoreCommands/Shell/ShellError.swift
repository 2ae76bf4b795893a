/// A stretch of text that an error is about.
struct ShellPlace: Hashable, Sendable {
  var source: ShellSource
  /// UTF-8 bytes of the source's text.
  var range: Range<Int>
}

/// What the shell itself refuses, before a command sees the statement.
struct ShellError: Error, Hashable, Sendable {
  /// A stable word for scripts.
  enum Code: String, Sendable {
    case unclosedQuote = "unclosed-quote"
    case unclosedBracket = "unclosed-bracket"
    case unclosedTransaction = "unclosed-transaction"
    case invalidUTF8 = "invalid-utf8"
    case unknownCommand = "unknown-command"
    case wrongArgument = "wrong-argument"
    case fileNotFound = "file-not-found"
    case unreadableFile = "unreadable-file"
    case tooDeep = "too-deep"
    case noTransaction = "no-transaction"
    case nestedTransaction = "nested-transaction"
    case interrupted
  }

  var code: Code
  var message: String
  var exitCode = ExitCode.usage
  var hint: String?
  var suggestions: [String] = []
  /// The word of the statement that is wrong.
  var wordIndex: Int?
  /// Used where no statement could be made of the text.
  var place: ShellPlace?
}
