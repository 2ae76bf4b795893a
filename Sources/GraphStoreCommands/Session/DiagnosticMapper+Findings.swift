import GraphStore

extension DiagnosticMapper {
  /// A finding about a model, as a warning.
  static func warning(_ finding: ModelFinding, file: String?) -> Diagnostic {
    var diagnostic = Diagnostic(
      code: finding.rule, message: sentence(finding.message),
      hints: finding.remedy.map { [hint($0)] } ?? [], exitCode: .success)
    diagnostic.severity = .warning
    diagnostic.location = file.map {
      Diagnostic.Location(file: $0, line: finding.line, column: finding.column)
    }
    return diagnostic
  }
}
