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

  /// The words of a statement that the diagnostic is about: those that hold the text it complains about, else the
  /// assignment to its key.
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
