import GraphStore

extension Diagnostic {
  /// What a look at a model found, for standard error.
  init(_ finding: ModelFinding, file: String?) {
    let place = finding.path.description
    self.init(
      code: finding.rule,
      message: (place.isEmpty ? "" : "\(place): ") + DiagnosticMapper.sentence(finding.message),
      location: file.map { Location(file: $0, line: finding.line, column: finding.column) },
      hints: finding.remedy.map { [$0] } ?? [], exitCode: finding.severity == .error ? .dataError : .success)
    severity = finding.severity == .error ? .error : .warning
  }
}
