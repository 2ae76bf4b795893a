import GraphStore

extension DiagnosticMapper {
  /// A finding about a model, as a warning.
  package static func warning(_ finding: ModelProblem, file: String?) -> Diagnostic {
    let place = finding.path.description
    return Diagnostic(
      .warning, code: finding.code.rawValue,
      message: (place.isEmpty ? "" : "\(place): ") + clause(finding.message),
      location: file.map { Diagnostic.Location(file: $0, line: finding.line, column: finding.column) },
      hints: finding.remedy.map { [hint($0)] } ?? [],
      suggestions: finding.suggestion.map { [$0] } ?? [], exitCode: .success)
  }

  static func diagnostic(_ error: ModelError) -> Diagnostic {
    guard let first = error.problems.first else {
      return Diagnostic(code: error.code, message: "the model cannot be used", exitCode: .dataError)
    }
    if first.code == .badVersion, let file = error.file, ModelReference(file).version != nil {
      return Diagnostic(
        code: "unknown-version", message: clause(first.message),
        suggestions: first.suggestion.map { [$0] } ?? [], exitCode: .usage)
    }
    let exitCode: ExitCode =
      switch first.code {
      case .notFound, .unreadable, .mappingNotFound, .mappingUnreadable: .noInput
      default: .dataError
      }
    guard exitCode == .dataError, error.problems.count > 1 || !first.path.description.isEmpty else {
      return Diagnostic(
        code: error.code, message: clause(first.message), location: location(first, error.file),
        hints: first.remedy.map { [hint($0)] } ?? [], exitCode: exitCode)
    }
    let count = error.problems.count
    let shown = 20
    let isOneFile = error.problems.allSatisfy { $0.file == nil || $0.file == error.file }
    let name = isOneFile ? error.file ?? "the model" : "the models together"
    var result = Diagnostic(
      code: error.code,
      message: "\(name) \(isOneFile ? "has" : "have") \(count) \(count == 1 ? "problem" : "problems")",
      details: error.problems.prefix(shown).map {
        ((isOneFile ? nil : $0.file).map { "\($0):" } ?? "") + CommandRemedy.text($0.briefDescription)
      },
      hints: count > shown
        ? ["\(count - shown) more are not shown; graphstore model validate lists them all"] : [],
      exitCode: .dataError)
    result.number = error.number
    result.errors = error.problems.map { problem in
      var part = Diagnostic(
        code: problem.code.rawValue,
        message: (problem.path.description.isEmpty ? "" : "\(problem.path): ") + clause(problem.message),
        location: location(problem, error.file), hints: problem.remedy.map { [hint($0)] } ?? [],
        suggestions: problem.suggestion.map { [$0] } ?? [], exitCode: .dataError)
      part.number = ModelError([problem]).number
      return part
    }
    return result
  }

  private static func location(_ problem: ModelProblem, _ file: String?) -> Diagnostic.Location? {
    guard let file = problem.file ?? file else { return nil }
    if problem.line == nil, problem.message.contains(file) { return nil }
    return Diagnostic.Location(file: file, line: problem.line, column: problem.column)
  }

  static func diagnostic(_ error: ModelLookupError) -> Diagnostic {
    let kind =
      switch error.kind {
      case .entity: "entity"
      case .configuration: "configuration"
      case .template: "fetch request"
      }
    let others = error.available.filter { !error.suggestions.contains($0) }
    return Diagnostic(
      code: error.code, message: "the model has no \(kind) \"\(error.name)\"",
      hints: others.isEmpty ? [] : [known(others, after: error.suggestions)], suggestions: error.suggestions,
      entity: error.kind == .entity ? error.name : nil, exitCode: .usage)
  }
}
