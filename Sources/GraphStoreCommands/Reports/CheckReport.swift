import GraphStore

/// Report of a store check, in lines for people or as JSON.
struct CheckReport {
  private let results: [StoreCheckResult]
  /// What was mended before the check; nil where nothing was.
  private let repair: StoreRepair.Result?
  private let usesColor: Bool

  init(_ results: [StoreCheckResult], _ repair: StoreRepair.Result? = nil, usesColor: Bool) {
    self.results = results
    self.repair = repair
    self.usesColor = usesColor
  }

  /// The number of findings that are failures.
  var failureCount: Int {
    results.reduce(0) { $0 + $1.findings.filter { $0.severity == .failure }.count }
  }

  /// A line for each finding, and one for the checks between them that found nothing.
  var lines: [String] {
    let width = results.filter { !$0.findings.isEmpty }.map(\.name.count).max() ?? 0
    var lines = repairLines
    var passed: [String] = []
    func endPassed() {
      guard !passed.isEmpty else { return }
      let wrapped = Self.wrapped(passed)
      lines.append(Style.green.apply("ok", if: usesColor) + "    " + wrapped[0])
      lines += wrapped.dropFirst().map { "      " + $0 }
      passed = []
    }
    for result in results {
      if result.findings.isEmpty {
        passed.append(result.name)
        continue
      }
      endPassed()
      let name = result.name + String(repeating: " ", count: width - result.name.count)
      lines += result.findings.map { line($0, name) }
    }
    endPassed()
    return lines
  }

  private var repairLines: [String] {
    guard let repair else { return [] }
    return repair.steps.map {
      Style.green.apply("done", if: usesColor)
        + "  \($0.check)  \(VisibleText.escape($0.subject))   \($0.message)"
    } + ["      the former state is in \(VisibleText.escape(repair.backup))"]
  }

  /// Names in lines that fit a terminal of 80 columns.
  private static func wrapped(_ names: [String]) -> [String] {
    var lines = [""]
    for (index, name) in names.enumerated() {
      let part = index < names.count - 1 ? name + ", " : name
      if lines[lines.count - 1].count + part.count > 74 { lines.append("") }
      lines[lines.count - 1] += part
    }
    return lines.map { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 }
  }

  private func line(_ finding: StoreCheckFinding, _ name: String) -> String {
    let isFailure = finding.severity == .failure
    let word = isFailure ? "FAIL" : "warn"
    return (isFailure ? Style.boldRed : .boldYellow).apply(word, if: usesColor)
      + "  \(name)  \(VisibleText.escape(finding.subject))   \(VisibleText.escape(finding.message))"
      + Self.objects(finding)
  }

  private static func objects(_ finding: StoreCheckFinding) -> String {
    guard !finding.objects.isEmpty else { return "" }
    let more = finding.count - finding.objects.count
    return ": " + finding.objects.joined(separator: ", ") + (more > 0 ? " … (\(more) more)" : "")
  }

  /// `{"ok":…,"checks":[{"name":…,"ok":…,"findings":[…]}]}`
  func writeJSON(to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    writeMembers(to: &json)
    json.endObject()
    output.append(byte: 0x0A)
  }

  fileprivate func writeMembers(to json: inout JSONBuilder) {
    json.key("ok")
    json.value(failureCount == 0)
    if let repair {
      json.member("backup", repair.backup)
      json.key("repairs")
      json.beginArray()
      for step in repair.steps {
        json.beginObject()
        json.member("name", step.check)
        json.member("subject", step.subject)
        json.member("message", step.message)
        json.endObject()
      }
      json.endArray()
    }
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
        json.member("severity", finding.severity.rawValue)
        json.member("subject", finding.subject)
        json.member("message", finding.message)
        json.member("count", finding.count)
        json.key("objects")
        json.value(finding.objects)
        json.endObject()
      }
      json.endArray()
      json.endObject()
    }
    json.endArray()
  }
}

/// Report of the checks of several stores, each under its name.
struct CheckReports {
  private let reports: [(store: NamedStore, report: CheckReport)]
  private let usesColor: Bool

  init(_ reports: [(store: NamedStore, report: CheckReport)], usesColor: Bool) {
    self.reports = reports
    self.usesColor = usesColor
  }

  /// The number of findings that are failures.
  var failureCount: Int { reports.reduce(0) { $0 + $1.report.failureCount } }

  /// Name and path of each store, and the lines of its report below.
  var lines: [String] {
    reports.flatMap { store, report in
      [Style.bold.apply(store.name, if: usesColor) + "  " + VisibleText.escape(store.path)]
        + report.lines.map { "  " + $0 }
    }
  }

  /// `{"ok":…,"stores":[{"store":…,"path":…,"ok":…,"checks":[…]}]}`
  func writeJSON(to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    json.key("ok")
    json.value(failureCount == 0)
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
    json.endObject()
    output.append(byte: 0x0A)
  }
}
