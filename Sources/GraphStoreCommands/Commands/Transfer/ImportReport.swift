import GraphStore
import GraphStoreReports

/// Report of an import: counts, names that were left out, and rejects.
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
      return session.summarize("\(settings.once ?? "") was imported before; nothing to do", json: json)
    }
    tellDelimiters(session)
    tellIgnoredNames(session)
    if let label = outcome.storedLabel { session.report(.idsAreLabels(label)) }
    if outcome.rejected > 0 { tellRejects(session) }
    let showsTime = session.settings.showsTime || session.errorTerminal.isTerminal
    session.summarize(summary(showsTime: showsTime), json: json)
  }

  private func tellDelimiters(_ session: CommandSession) {
    for found in outcome.foundDelimiters {
      session.remark(
        "the columns of \(InputError.name(found.path)) are divided by \(found.delimiter.words)")
    }
  }

  private func tellIgnoredNames(_ session: CommandSession) {
    guard !outcome.ignoredNames.isEmpty else { return }
    let names = outcome.ignoredNames.prefix(20).map { "\"\($0)\"" }.joined(separator: ", ")
    let more = outcome.ignoredNames.count > 20 ? " … (\(outcome.ignoredNames.count - 20) more)" : ""
    session.report(
      Diagnostic(
        .warning, code: "unknown-key",
        message: "left out, because the model has no such keys: \(names)\(more)",
        hints: outcome.proposedMaps.isEmpty
          ? [] : ["perhaps " + outcome.proposedMaps.map { "--map \($0)" }.joined(separator: " ")],
        exitCode: .success))
  }

  private func tellRejects(_ session: CommandSession) {
    session.report(
      Diagnostic(
        .warning, code: "rejected",
        message:
          "\(outcome.rejected) of \(outcome.read) records \(outcome.rejected == 1 ? "was" : "were") left out",
        hints: rejectHints,
        exitCode: .partial))
  }

  private var rejectHints: [String] {
    switch settings.rejects {
    case nil: ["name a file for them: --rejects FILE"]
    case "-": []
    case let path?: ["see \(path)"]
    }
  }

  /// The counts for scripts.
  private func json(_ output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    json.member("read", outcome.read)
    json.member("inserted", outcome.counts.inserted)
    json.member("updated", outcome.counts.updated)
    json.member("ignored", outcome.counts.ignored)
    json.member("rejected", outcome.rejected)
    if settings.options.createsLinks {
      json.key("created")
      json.beginObject()
      for (entity, count) in outcome.counts.created.sorted(by: { $0.key < $1.key }) {
        json.member(entity, count)
      }
      json.endObject()
    }
    if !outcome.foundDelimiters.isEmpty {
      json.key("delimiters")
      json.beginObject()
      for found in outcome.foundDelimiters { json.member(found.path, found.delimiter.text) }
      json.endObject()
    }
    json.key("dryRun")
    json.value(settings.isDryRun)
    if let name = settings.once {
      json.member("once", name)
      json.key("wasDoneBefore")
      json.value(outcome.wasDoneBefore)
    }
    json.endObject()
  }

  /// - Parameter showsTime: whether it says how long the import took, which is no part of a log that is
  ///   compared.
  private func summary(showsTime: Bool) -> String {
    let counts = outcome.counts
    let would = settings.isDryRun ? "would be " : ""
    var parts = ["\(counts.inserted.grouped) \(would)inserted"]
    if counts.updated > 0 { parts.append("\(counts.updated.grouped) \(would)updated") }
    if counts.ignored > 0 { parts.append("\(counts.ignored.grouped) ignored") }
    let created = counts.created.sorted { $0.key < $1.key }.map { "\($0.value.grouped) \($0.key)" }
    if !created.isEmpty {
      parts.append("\(settings.isDryRun ? "would create" : "created") \(created.joined(separator: ", "))")
    }
    if outcome.rejected > 0 {
      let place = settings.rejects.map { " → " + ($0 == "-" ? "standard output" : $0) } ?? ""
      parts.append("\(outcome.rejected.grouped) rejected" + place)
    }
    let time = showsTime ? "\(elapsed.secondsText(decimals: 2)) s, " : ""
    let how =
      settings.isDryRun
      ? "dry run, nothing written"
      : settings.commit == .all ? "one transaction" : "--commit \(settings.commit.rawValue)"
    return "\(outcome.read.grouped) read: \(parts.joined(separator: ", "))   (\(time)\(how))"
  }
}

extension Diagnostic {
  /// The warning that the id of a record, which is that of a stored object, did not mean this object.
  static func idsAreLabels(_ label: String) -> Diagnostic {
    Diagnostic(
      .warning, code: "ids-are-labels",
      message:
        "ids such as \(label) are those of stored objects; here they are labels, and the objects are new",
      hints: ["to change the objects with these ids: import with --key id --on-conflict update"],
      exitCode: .success)
  }
}
