extension Diagnostic {
  /// The same with what was probably meant as the beginning of the first hint, as people read it.
  package var withSuggestionsInHints: Diagnostic {
    guard !suggestions.isEmpty else { return self }
    var shown = self
    let quoted = suggestions.map { "\"\($0)\"" }
    let names =
      quoted.count == 1
      ? quoted[0] : quoted.dropLast().joined(separator: ", ") + " or " + quoted[quoted.count - 1]
    let question = "did you mean \(names)?"
    shown.hints = [([question] + hints.prefix(1)).joined(separator: "  ")] + hints.dropFirst()
    return shown
  }
}
