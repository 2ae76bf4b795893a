import GraphStoreReports

/// Range of a source that an error is about.
struct ShellPlace: Hashable, Sendable {
  var source: ShellSource
  /// UTF-8 bytes of the source's text.
  var range: Range<Int>
}

/// Error of the shell itself, found before a command sees the statement.
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
    case programFailed = "program-failed"
    case unknownQuery = "unknown-query"
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

/// Failure whose error has been shown already; it only ends what is running.
struct ReportedFailure: Error, Hashable, Sendable {
  var exitCode: ExitCode
}

/// Style in which errors of statements are shown.
struct FailureStyle: Sendable {
  /// True if each error is one line of JSON: no other sentences then go to standard error.
  var isJSON = false
  /// A diagnostic as it is printed, with its last newline.
  var describe: @Sendable (Diagnostic) -> String
}

extension Diagnostic {
  /// An error that the shell itself found.
  init(_ error: ShellError) {
    self.init(
      code: error.code.rawValue, message: error.message, hints: error.hint.map { [$0] } ?? [],
      suggestions: error.suggestions, exitCode: error.exitCode)
    if !suggestions.isEmpty {
      hints.insert("did you mean \(suggestions.map { "\"\($0)\"" }.joined(separator: " or "))?", at: 0)
    }
  }

  /// The diagnostic with its place in a script, or in the line that was typed.
  ///
  /// - Parameter keepsSource: leaves the text that the command complained about as it is, for programs.
  func located(at place: ShellPlace, keepsSource: Bool) -> Diagnostic {
    var copy = self
    if let name = place.source.name {
      let position = place.source.position(at: place.range.lowerBound)
      copy.location = Location(file: name, line: position.line, column: position.column)
    }
    if !keepsSource {
      copy.source = Source(
        label: source?.label ?? place.source.name ?? "", text: place.source.text,
        offset: place.range.lowerBound, length: place.range.count)
    }
    return copy
  }

  /// The words of a statement that the diagnostic is about: those that hold the text it complains about, else
  /// the assignment to its key.
  func place(in statement: ShellStatement) -> ShellPlace? {
    if let source {
      for word in statement.words {
        let shift = word.text.utf8.count - source.text.utf8.count
        // What stands behind the = of an assignment or of an option is a part of its word.
        guard word.text == source.text || (shift > 0 && word.text.hasSuffix("=" + source.text)) else {
          continue
        }
        let start = shift + source.offset
        return ShellPlace(
          source: statement.source, range: word.sourceRange(of: start..<start + max(0, source.length)))
      }
    }
    if let property {
      let word = statement.words.first { word in
        word.text.hasPrefix(property)
          && word.text.dropFirst(property.count).first.map { "=:?+".contains($0) } == true
      }
      if let word { return ShellPlace(source: statement.source, range: word.range) }
    }
    return nil
  }
}
