import GraphStore

/// Report of a store check, in lines for people or as JSON.
package struct CheckReport {
  private let results: [StoreCheckResult]
  /// What was mended before the check, and what was left; nil where nobody asked for it.
  private let repair: RepairReport?
  private let usesColor: Bool
  private let columns: Int

  /// - Parameter columns: What lists of names are to fit into.
  package init(
    _ results: [StoreCheckResult], _ repair: RepairReport? = nil, usesColor: Bool, columns: Int = 80
  ) {
    self.results = results
    self.repair = repair
    self.usesColor = usesColor
    self.columns = columns
  }

  /// How many findings there are.
  package var counts: CheckCounts { CheckCounts(results.flatMap(\.findings)) }

  /// A line for each finding, and one for the checks between them that found nothing.
  package var lines: [String] {
    let width = results.filter { !$0.findings.isEmpty }.map(\.name.count).max() ?? 0
    var lines = repair?.lines(usesColor: usesColor) ?? []
    var passed: [String] = []
    func endPassed() {
      guard !passed.isEmpty else { return }
      let rows = wrapped(passed)
      lines.append(Style.green.apply("ok", if: usesColor) + "    " + rows[0])
      lines += rows.dropFirst().map { "      " + $0 }
      passed = []
    }
    for result in results {
      if result.findings.isEmpty {
        passed.append(result.name)
        continue
      }
      endPassed()
      let name = result.name + String(repeating: " ", count: width - result.name.count)
      lines += result.findings.flatMap { [line($0, name)] + (repair?.lines(on: $0) ?? []) }
    }
    endPassed()
    return lines
  }

  /// Names in lines that fit behind the word.
  private func wrapped(_ names: [String]) -> [String] {
    var lines = [""]
    for (index, name) in names.enumerated() {
      let part = index < names.count - 1 ? name + ", " : name
      if lines[lines.count - 1].count + part.count > columns - 6 { lines.append("") }
      lines[lines.count - 1] += part
    }
    return lines.map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 }
  }

  private func line(_ finding: StoreCheckFinding, _ name: String) -> String {
    let isFailure = finding.severity == .failure
    let word = isFailure ? "FAIL" : "warn"
    return (isFailure ? Style.boldRed : .boldYellow).apply(word, if: usesColor)
      + "  \(name)  \(VisibleText.escape(finding.subject))   \(VisibleText.escape(finding.message))"
      + Self.list(finding.objects, of: finding.count)
  }

  /// The names of the first of some objects, after a colon; nothing where there are none.
  static func list(_ objects: [String], of count: Int) -> String {
    guard !objects.isEmpty else { return "" }
    let more = count - objects.count
    return ": " + objects.joined(separator: ", ") + (more > 0 ? " … (\(more) more)" : "")
  }

  /// `{"ok":…,"checks":[{"name":…,"ok":…,"findings":[…]}],"failures":…,"warnings":…}`, and what a repair did
  /// and left.
  package func writeJSON(to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    writeMembers(to: &json)
    json.endObject()
    output.append(byte: 0x0A)
  }

  fileprivate func writeMembers(to json: inout JSONBuilder) {
    json.key("ok")
    json.value(counts.failures == 0)
    repair?.writeMembers(to: &json)
    json.key("checks")
    json.beginArray()
    for result in results {
      json.beginObject()
      json.member("name", result.name)
      json.key("ok")
      json.value(result.isOK)
      json.key("findings")
      json.beginArray()
      for finding in result.findings {
        json.beginObject()
        Self.write(finding, to: &json)
        json.endObject()
      }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    counts.writeMembers(to: &json)
  }

  static func write(_ finding: StoreCheckFinding, to json: inout JSONBuilder) {
    json.member("severity", finding.severity.rawValue)
    json.member("subject", finding.subject)
    json.member("message", finding.message)
    json.key("count")
    json.value(finding.count)
    json.key("objects")
    json.value(finding.objects)
  }
}

/// Report of the checks of several stores, each under its name.
package struct CheckReports {
  private let reports: [(store: NamedStore, report: CheckReport)]
  private let usesColor: Bool

  /// The reports of several stores as one.
  package init(_ reports: [(store: NamedStore, report: CheckReport)], usesColor: Bool) {
    self.reports = reports
    self.usesColor = usesColor
  }

  /// How many findings there are in all stores.
  package var counts: CheckCounts { reports.reduce(CheckCounts([])) { $0 + $1.report.counts } }

  /// Name and path of each store, and the lines of its report below.
  package var lines: [String] {
    reports.flatMap { store, report in
      [Style.bold.apply(store.name, if: usesColor) + "  " + VisibleText.escape(store.path)]
        + report.lines.map { "  " + $0 }
    }
  }

  /// `{"ok":…,"stores":[{"store":…,"path":…,"ok":…,"checks":[…]}],"failures":…,"warnings":…}`
  package func writeJSON(to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    json.key("ok")
    json.value(counts.failures == 0)
    json.key("stores")
    json.beginArray()
    for (store, report) in reports {
      json.beginObject()
      json.member("store", store.name)
      json.member("path", store.path)
      report.writeMembers(to: &json)
      json.endObject()
    }
    json.endArray()
    counts.writeMembers(to: &json)
    json.endObject()
    output.append(byte: 0x0A)
  }
}
