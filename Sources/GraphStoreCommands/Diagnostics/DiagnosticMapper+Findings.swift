import GraphStore

extension DiagnosticMapper {
  /// A finding about a model, as a warning.
  static func warning(_ finding: ModelProblem, file: String?) -> Diagnostic {
    let place = finding.path.description
    return Diagnostic(
      .warning, code: finding.code.rawValue,
      message: (place.isEmpty ? "" : "\(place): ") + clause(finding.message),
      location: file.map { Diagnostic.Location(file: $0, line: finding.line, column: finding.column) },
      hints: finding.remedy.map { [hint($0)] } ?? [],
      suggestions: finding.suggestion.map { [$0] } ?? [], exitCode: .success)
  }
}
