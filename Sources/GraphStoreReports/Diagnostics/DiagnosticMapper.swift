import GraphStore

/// Mapping from errors to diagnostics, in the words and with the exit codes of the command.
package enum DiagnosticMapper {
  /// The diagnostic of an error of the library, of a query or of an output; nil for every other error.
  package static func knownDiagnostic(for error: any Error) -> Diagnostic? {
    switch error {
    case let error as Diagnostic: error
    case let error as GraphStoreError: diagnostic(error)
    case let error as LocatedPredicateError: diagnostic(error)
    case let error as QueryPredicateError:
      diagnostic(LocatedPredicateError(error: error, label: "predicate", text: error.source ?? ""))
    case let error as ModelError: diagnostic(error)
    case let error as ModelLookupError: diagnostic(error)
    case let error as ValueConversionError:
      Diagnostic(code: error.code.rawValue, message: clause(error.message), exitCode: .dataError)
    case let error as OutputError:
      Diagnostic(
        code: error.code.rawValue, message: error.message + (error.remedy.map { "; \($0)" } ?? ""),
        exitCode: error.exitCode)
    default: nil
    }
  }

  /// A sentence as a clause after `error:`: without its full stop.
  package static func sentence(_ text: String) -> String {
    text.hasSuffix(".") && !text.hasSuffix("..") ? String(text.dropLast()) : text
  }

  /// A sentence of the library as a clause after `error:`: without its full stop, and begun in lower case as
  /// all messages of commands are. Names, such as that of an entity, keep their case.
  package static func clause(_ text: String) -> String {
    let sentence = sentence(text)
    let first = sentence.prefix { $0 != " " }
    guard sentenceStarts.contains(String(first)) else { return sentence }
    return first.lowercased() + sentence.dropFirst(first.count)
  }

  /// Words with which the library begins sentences, none of which is likely to be a name.
  private static let sentenceStarts: Set<String> = [
    "A", "An", "Another", "Both", "Cannot", "Deleting", "Each", "Every", "If", "In", "It", "Its", "No",
    "Nothing",
    "One", "Only", "Several", "The", "There", "They", "This", "Two", "What", "When", "Where",
  ]

  /// A remedy as a hint: in lower case and without its full stop.
  package static func hint(_ text: String) -> String {
    let clause = sentence(CommandRemedy.text(text))
    guard let first = clause.first, first.isUppercase else { return clause }
    let second = clause.dropFirst().first
    return second?.isUppercase == true ? clause : first.lowercased() + clause.dropFirst()
  }

  /// `Also known: a, b`, or `Known: a, b` where nothing is suggested before.
  package static func known(_ names: [String], after suggestions: [String]) -> String {
    let shown = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? " …" : "")
    return (suggestions.isEmpty ? "known: " : "Also known: ") + shown
  }
}
