import GraphStore

/// Report of a model's findings by file, in lines for people or as JSON.
package struct ModelFindingReport {
  /// A finding and the file it is in.
  package struct Entry {
    /// The file, as it was named.
    package let file: String
    /// What was found.
    package let finding: ModelProblem

    /// A finding of a file.
    package init(file: String, finding: ModelProblem) {
      self.file = file
      self.finding = finding
    }
  }

  private let path: String
  /// The findings, in the order of files and places.
  package let entries: [Entry]
  private let usesColor: Bool

  /// - Parameter path: what was looked at, as it was named.
  package init(_ path: String, _ entries: [Entry], usesColor: Bool) {
    self.path = path
    self.entries = entries
    self.usesColor = usesColor
  }

  /// The report of all versions of a model.
  package init(_ path: String, _ report: ModelCheckReport, usesColor: Bool) {
    let entries = report.versions.flatMap { version in
      version.findings.map { Entry(file: version.file, finding: $0) }
    }
    self.init(path, entries, usesColor: usesColor)
  }

  /// The number of findings of a severity.
  package func count(_ severity: ModelProblem.Severity) -> Int {
    entries.count { $0.finding.severity == severity }
  }

  /// `file:line:column: severity: rule: path: sentence remedy`, a line each.
  package var lines: [String] {
    entries.map { entry in
      let finding = entry.finding
      let style: Style = finding.severity == .error ? .boldRed : .boldYellow
      var place = VisibleText.escape(entry.file) + ":"
      if let line = finding.line, let column = finding.column { place += "\(line):\(column):" }
      var unplaced = finding
      unplaced.line = nil
      let word = "\(finding.severity.rawValue):"
      let rest = unplaced.description.dropFirst(word.count)
      return
        "\(place) \(style.apply(word, if: usesColor))\(VisibleText.escape(CommandRemedy.text(String(rest))))"
    }
  }

  /// The findings as a form of errors wants them: annotations of files, or lines for people.
  package func lines(as format: DiagnosticPrinter.Format) -> [String] {
    guard format == .github else { return lines }
    return entries.map { entry in
      var diagnostic = DiagnosticMapper.warning(entry.finding, file: entry.file)
      diagnostic.severity = entry.finding.severity == .error ? .error : .warning
      return WorkflowAnnotation.line(of: diagnostic.withSuggestionsInHints)
    }
  }

  /// `{"file":…,"ok":…,"errors":…,"warnings":…,"findings":[…]}`; it is ok without errors.
  func write(to json: inout JSONBuilder) {
    json.beginObject()
    json.member("file", path)
    json.key("ok")
    json.value(count(.error) == 0)
    json.member("errors", count(.error))
    json.member("warnings", count(.warning))
    json.key("findings")
    json.beginArray()
    for entry in entries { Self.write(entry, ruleKey: "rule", to: &json) }
    json.endArray()
    json.endObject()
  }

  /// `{"file":…,"ok":…,"problems":[…],"warnings":[…]}`
  func writeProblems(to json: inout JSONBuilder) {
    json.beginObject()
    json.member("file", path)
    json.key("ok")
    json.value(count(.error) == 0)
    for (name, severity) in [("problems", ModelProblem.Severity.error), ("warnings", .warning)] {
      json.key(name)
      json.beginArray()
      for entry in entries where entry.finding.severity == severity {
        Self.write(entry, ruleKey: "code", to: &json)
      }
      json.endArray()
    }
    json.endObject()
  }

  private static func write(_ entry: Entry, ruleKey: String, to json: inout JSONBuilder) {
    let finding = entry.finding
    json.beginObject()
    json.member(ruleKey, finding.code.rawValue)
    json.member("severity", finding.severity.rawValue)
    json.member("file", entry.file)
    json.member("path", finding.path.description)
    if let line = finding.line { json.member("line", line) }
    if let column = finding.column { json.member("column", column) }
    if let offset = finding.offset { json.member("offset", offset) }
    if let value = finding.value { json.member("value", value) }
    json.member("message", finding.message)
    if let suggestion = finding.suggestion { json.member("suggestion", suggestion) }
    if let remedy = finding.remedy { json.member("remedy", CommandRemedy.text(remedy)) }
    json.endObject()
  }
}
