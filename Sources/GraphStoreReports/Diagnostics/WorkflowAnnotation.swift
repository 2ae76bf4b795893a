/// Annotation of a file in a workflow at GitHub: a line of the log that begins with `::error` or `::warning`.
enum WorkflowAnnotation {
  /// The annotations of a diagnostic: of each of several problems, with the place of the whole where it has
  /// none of its own.
  static func lines(of diagnostic: Diagnostic) -> String {
    let problems = diagnostic.errors.map { problem in
      var problem = problem
      problem.location = problem.location ?? diagnostic.location
      return problem
    }
    return (problems.isEmpty ? [diagnostic] : problems).map { line(of: $0) + "\n" }.joined()
  }

  static func line(of diagnostic: Diagnostic) -> String {
    var properties: [String] = []
    if let location = diagnostic.location {
      properties.append("file=\(property(location.file))")
      if let line = location.line { properties.append("line=\(line)") }
      if let column = location.column { properties.append("col=\(column)") }
    }
    properties.append("title=\(property(diagnostic.code))")
    let parts =
      [diagnostic.message] + (diagnostic.errors.isEmpty ? diagnostic.details : [])
      + diagnostic.hints.map { "hint: \($0)" }
    let text = parts.map { data(VisibleText.escape(DiagnosticPrinter.cut($0))) }.joined(separator: "%0A")
    return "::\(diagnostic.severity.rawValue) \(properties.joined(separator: ","))::\(text)"
  }

  /// A text as the command of a workflow takes it.
  private static func data(_ text: String) -> String {
    text.reduce(into: "") { escaped, character in
      switch character {
      case "%": escaped += "%25"
      case "\r": escaped += "%0D"
      case "\n", "\r\n": escaped += "%0A"
      default: escaped.append(character)
      }
    }
  }

  private static func property(_ text: String) -> String {
    data(text).reduce(into: "") { escaped, character in
      switch character {
      case ":": escaped += "%3A"
      case ",": escaped += "%2C"
      default: escaped.append(character)
      }
    }
  }
}
