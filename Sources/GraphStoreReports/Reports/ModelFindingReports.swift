import GraphStore

/// Report of the findings of one model file, or of several, each under its name.
package struct ModelFindingReports {
  private let reports: [ModelFindingReport]
  private let fileCount: Int

  /// - Parameter fileCount: How many files were named; those that cannot be read have no report.
  package init(_ reports: [ModelFindingReport], fileCount: Int) {
    self.reports = reports
    self.fileCount = fileCount
  }

  /// The number of findings of a severity in all files.
  package func count(_ severity: ModelProblem.Severity) -> Int {
    reports.reduce(0) { $0 + $1.count(severity) }
  }

  /// The findings of one file after the other, as a form of errors wants them.
  package func lines(as format: DiagnosticPrinter.Format) -> [String] {
    reports.flatMap { $0.lines(as: format) }
  }

  /// `2 errors, 1 warning`
  package var summary: String {
    "\(count(.error).counted("error")), \(count(.warning).counted("warning"))"
  }

  /// That of the file; of several `{"ok":…,"models":[…],"errors":…,"warnings":…}`.
  package func writeJSON(to output: OutputBuffer) {
    write(to: output) { $0.write(to: &$1) }
  }

  /// That of the file, with errors and warnings apart; of several `{"ok":…,"models":[…],…}`.
  package func writeProblemsJSON(to output: OutputBuffer) {
    write(to: output) { $0.writeProblems(to: &$1) }
  }

  private func write(to output: OutputBuffer, _ writeReport: (ModelFindingReport, inout JSONBuilder) -> Void)
  {
    var json = JSONBuilder(output)
    if fileCount == 1 {
      for report in reports { writeReport(report, &json) }
    } else {
      json.beginObject()
      json.key("ok")
      json.value(reports.count == fileCount && count(.error) == 0)
      json.key("models")
      json.beginArray()
      for report in reports { writeReport(report, &json) }
      json.endArray()
      json.member("errors", count(.error))
      json.member("warnings", count(.warning))
      json.endObject()
    }
    output.append(byte: 0x0A)
  }
}
