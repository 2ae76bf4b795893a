import GraphStore

/// What is told after an import.
struct ImportReport {
  private let outcome: ImportOutcome
  private let settings: ImportSettings
  private let elapsed: Duration

  init(_ outcome: ImportOutcome, _ settings: ImportSettings, elapsed: Duration) {
    self.outcome = outcome
    self.settings = settings
    self.elapsed = elapsed
  }

  func tell(_ session: CommandSession) {
    if outcome.wasDoneBefore {
      session.note("\(settings.once ?? "") was imported before; nothing to do")
      return
    }
    session.note(summary)
    guard outcome.rejected > 0 else { return }
    session.report(
      Diagnostic(
        .warning, code: "rejected",
        message: "\(outcome.rejected) of \(outcome.read) records were left out",
        hints: [settings.rejects.map { "see \($0)" } ?? "name a file for them: --rejects FILE"],
        exitCode: .partial))
  }

  var summary: String {
    let counts = outcome.counts
    var parts = ["\(counts.inserted.grouped) inserted"]
    if counts.updated > 0 { parts.append("\(counts.updated.grouped) updated") }
    if counts.ignored > 0 { parts.append("\(counts.ignored.grouped) ignored") }
    if outcome.rejected > 0 {
      parts.append(
        "\(outcome.rejected.grouped) rejected" + (settings.rejects.map { " → \($0)" } ?? ""))
    }
    let (seconds, attoseconds) = elapsed.components
    let hundredths = seconds * 100 + attoseconds / 10_000_000_000_000_000
    let time = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) s"
    let how =
      settings.isDryRun
      ? "dry run, nothing written"
      : settings.commit == .all ? "one transaction" : "--commit \(settings.commit.rawValue)"
    return "\(outcome.read.grouped) read: \(parts.joined(separator: ", "))   (\(time), \(how))"
  }
}
