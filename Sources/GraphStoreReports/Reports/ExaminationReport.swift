import Foundation

/// One line of an examination of a program's surroundings.
package struct ExaminationFinding: Sendable {
  /// How good or bad it is.
  package enum Severity: String, Sendable {
    case ok
    /// Worth knowing; everything works.
    case warning
    /// Something does not work.
    case failure
  }

  package let severity: Severity
  /// The subject, in one word.
  package let name: String
  /// The finding, without a full stop.
  package let message: String
  /// What to do about it; nil where nothing is wrong.
  package let remedy: String?

  /// A finding that is good.
  package init(_ name: String, _ message: String) {
    self.init(.ok, name, message, remedy: nil)
  }

  /// A finding of some severity.
  package init(_ severity: Severity, _ name: String, _ message: String, remedy: String?) {
    (self.severity, self.name, self.message, self.remedy) = (severity, name, message, remedy)
  }
}

/// Report of an examination, in lines for people or as JSON.
package struct ExaminationReport {
  private let findings: [ExaminationFinding]
  private let usesColor: Bool

  /// The findings in an order.
  package init(_ findings: [ExaminationFinding], usesColor: Bool) {
    (self.findings, self.usesColor) = (findings, usesColor)
  }

  /// Whether nothing fails; warnings do not count.
  package var isOK: Bool { !findings.contains { $0.severity == .failure } }

  /// A line for each finding, with its remedy behind an arrow.
  package var lines: [String] {
    let width = findings.map(\.name.count).max() ?? 0
    return findings.map { finding in
      let name = finding.name.padding(toLength: width, withPad: " ", startingAt: 0)
      let remedy = finding.remedy.map { "  → \(VisibleText.escape($0))" } ?? ""
      return "\(word(finding.severity))  \(name)  \(VisibleText.escape(finding.message))\(remedy)"
    }
  }

  private func word(_ severity: ExaminationFinding.Severity) -> String {
    switch severity {
    case .ok: Style.green.apply("ok", if: usesColor) + "  "
    case .warning: Style.boldYellow.apply("warn", if: usesColor)
    case .failure: Style.boldRed.apply("FAIL", if: usesColor)
    }
  }

  /// `{"ok":…,"findings":[{"severity":…,"name":…,"message":…,"remedy":…}]}`
  package func writeJSON(to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    json.key("ok")
    json.value(isOK)
    json.key("findings")
    json.beginArray()
    for finding in findings {
      json.beginObject()
      json.member("severity", finding.severity.rawValue)
      json.member("name", finding.name)
      json.member("message", finding.message)
      if let remedy = finding.remedy { json.member("remedy", remedy) }
      json.endObject()
    }
    json.endArray()
    json.endObject()
    output.append(byte: 0x0A)
  }
}
