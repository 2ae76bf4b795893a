import GraphStoreReports

extension DiagnosticMapper {
  /// The diagnostic of any error that a command can throw.
  static func diagnostic(for error: any Error) -> Diagnostic {
    if let known = knownDiagnostic(for: error) { return known }
    return switch error {
    case let error as InputError:
      Diagnostic(
        code: error.code.rawValue, message: error.message,
        location: error.line.map { Diagnostic.Location(file: "-", line: $0, column: error.column) },
        property: error.field, exitCode: error.exitCode)
    case let error as JSONError:
      Diagnostic(code: "json-syntax", message: error.message, exitCode: .dataError)
    case let error as ShellError:
      Diagnostic(
        code: error.code.rawValue, message: error.message, hints: error.hint.map { [$0] } ?? [],
        suggestions: error.suggestions, exitCode: error.exitCode)
    default: parserDiagnostic(error)
    }
  }
}
