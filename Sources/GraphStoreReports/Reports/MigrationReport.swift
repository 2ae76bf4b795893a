import GraphStore

/// Report of a migration's plan and its result, in lines for people or as JSON.
package struct MigrationReport {
  private let plan: MigrationPlan
  private let indexes: PendingIndexes?
  private let usesColor: Bool

  /// The report of a plan, and of the indexes that differ where it has no steps.
  package init(_ plan: MigrationPlan, indexes: PendingIndexes? = nil, usesColor: Bool) {
    self.plan = plan
    self.indexes = indexes
    self.usesColor = usesColor
  }

  /// Whether steps or indexes are pending.
  package var isPending: Bool { !plan.steps.isEmpty || indexes?.isEmpty == false }

  // MARK: Plan

  /// For each step its versions and kind, the changes, and what is left behind.
  package var lines: [String] {
    var lines = plan.steps.flatMap { stepLines($0) }
    lines += alternativeLines
    lines += plan.findings.flatMap(finding)
    return lines + notices
  }

  /// What is to be known of the migrated store besides what the steps say.
  package var notices: [String] {
    guard !plan.steps.isEmpty else { return [] }
    var notices = plan.notices.map { VisibleText.escape($0) }
    if plan.recordsCoreDataHashes {
      notices.append("The migrated store has the hashes by which Core Data knows \(plan.target.label).")
    } else if plan.isForeign {
      notices.append("The programs that made the store cannot open the migrated one; the old store is kept.")
    }
    return notices
  }

  private func stepLines(_ step: MigrationStep) -> [String] {
    let versions = VisibleText.escape("\(step.source.label) → \(step.destination.label)")
    var lines = [Style.bold.apply(versions, if: usesColor) + "   \(step.kind.rawValue)"]
    lines += ModelDifferenceReport.lines(step.changes, usesColor: usesColor).map { "  " + $0 }
    for name in step.policyNames {
      lines.append("  needs the migration policy \(VisibleText.escape(name)) of the program that has it")
    }
    for loss in losses(of: step) {
      lines.append("  " + Style.red.apply("left behind: ", if: usesColor) + VisibleText.escape(loss.message))
    }
    return lines
  }

  private func losses(of step: MigrationStep) -> [MigrationLoss] {
    plan.losses.filter { $0.version == step.source.label }
  }

  /// The way that is not taken, with what it would leave behind.
  private var alternativeLines: [String] {
    guard let other = plan.alternative else { return [] }
    if !other.refusals.isEmpty {
      return [other.isStepByStep ? "Version by version there is no way:" : "At once there is no way:"]
        + Self.reasons(other).map { "  " + VisibleText.escape($0) }
    }
    let versions = ([plan.source.label] + other.steps.map(\.destination.label)).joined(separator: " → ")
    let way = other.isStepByStep ? "Version by version (--step-by-step)" : "At once"
    let amount = !other.keepsMore ? "more" : other.losses.isEmpty ? "nothing" : "less"
    let end = other.losses.isEmpty ? "." : ":"
    return [VisibleText.escape("\(way), \(versions), \(amount) would be left behind\(end)")]
      + other.losses.map { VisibleText.escape("  \($0.version): \($0.message)") }
  }

  private static func reasons(_ other: MigrationAlternative) -> [String] {
    other.refusals.flatMap { error in
      error.code == .notInferable ? error.details : [DiagnosticMapper.sentence(error.message)] + error.details
    }
  }

  private func finding(_ finding: MigrationFinding) -> [String] {
    [Style.red.apply("not allowed: ", if: usesColor) + VisibleText.escape(finding.message)]
      + finding.examples.map { example in
        "    " + VisibleText.escape(example.shortForm)
          + (example.value.map { ": " + VisibleText.escape($0) } ?? "")
      } + ["    hint: \(DiagnosticMapper.hint(finding.remedy))"]
  }

  /// `2 steps from 1 to 3; 2 things are left behind`
  package var summary: String {
    guard !plan.steps.isEmpty else { return "\(plan.path) has version \(plan.target.label): nothing to do" }
    var parts = [
      "\(plan.steps.count.counted("step")) from \(plan.source.label) to \(plan.target.label), "
        + "\(plan.objectCount.counted("object")), about \(Self.size(plan.estimatedSize)) beside the store"
    ]
    if plan.isLossy {
      parts.append(
        plan.losses.count == 1 ? "1 thing is left behind" : "\(plan.losses.count) things are left behind")
    }
    if !plan.findings.isEmpty {
      parts.append("the data break \(plan.findings.count) rules of the new version")
    }
    return parts.joined(separator: "; ")
  }

  private static func size(_ bytes: Int) -> String {
    bytes < 1 << 20 ? "\(max(1, bytes >> 10)) kB" : "\((bytes >> 20).grouped) MB"
  }

  // MARK: Status

  /// The versions of the store and what is pending, a line each.
  package var statusLines: [String] {
    var rows = [("store", plan.path), ("version", plan.source.label), ("target", plan.target.label)]
    let steps = plan.steps.map { "\($0.source.label) → \($0.destination.label) (\($0.kind.rawValue))" }
    rows.append(("pending", steps.isEmpty ? "nothing" : steps.joined(separator: ", ")))
    if let indexes, !indexes.isEmpty {
      rows.append(("indexes", "\(indexes.made.count) to make, \(indexes.removed.count) to remove"))
    }
    return rows.map { TextBlock.padded($0.0, to: 8) + "  " + VisibleText.escape($0.1) }
  }

  /// `{"store":…,"from":…,"to":…,"pending":…,"indexesToMake":[…],"indexesToRemove":[…]}`
  package func writeStatusJSON(to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    writeHead(&json)
    json.key("pending")
    json.value(plan.steps.count)
    json.key("indexesToMake")
    json.value(indexes?.made ?? [])
    json.key("indexesToRemove")
    json.value(indexes?.removed ?? [])
    json.endObject()
    output.append(byte: 0x0A)
  }

  // MARK: Result

  /// A warning for each property whose values or members were converted inexactly, or would be (MIG-123).
  package static func warnings(_ result: MigrationResult, isRehearsal: Bool) -> [Diagnostic] {
    result.inexactFindings.map { finding in
      let more = finding.count - finding.examples.count
      return Diagnostic(
        .warning, code: "inexact-conversion",
        message: (isRehearsal ? "would be converted inexactly: " : "converted inexactly: ") + finding.message,
        details: finding.examples.map { $0.shortForm + ($0.value.map { ": \($0)" } ?? "") }
          + (more > 0 ? ["and \(more) more"] : []),
        exitCode: .success)
    }
  }

  /// What was done, or would be.
  package func resultLines(_ result: MigrationResult, isRehearsal: Bool) -> [String] {
    if result.stepCount == 0, !plan.steps.isEmpty {
      return ["\(result.path) has version \(plan.target.label): another process has migrated it meanwhile"]
    }
    if plan.steps.isEmpty {
      let what = "\(plan.path) has version \(plan.target.label) already"
      return [
        isRehearsal ? "\(what), and would be copied to \(result.path)" : "\(what): copied to \(result.path)"
      ]
    }
    let objects = result.objectCounts.values.reduce(0, +).counted("object")
    let seconds = "\(Int(result.seconds * 10) / 10).\(Int(result.seconds * 10) % 10) s"
    let what =
      "\(result.path) from \(plan.source.label) to \(plan.target.label): \(objects), \(seconds)"
    if isRehearsal { return ["would migrate \(what); nothing written"] }
    return ["migrated \(what)"] + (result.backup.map { ["the old store is \($0)"] } ?? [])
  }

  /// Which indexes were made and removed, or would be.
  package func indexLine(_ pending: PendingIndexes, isRehearsal: Bool) -> String {
    if pending.isEmpty { return summary }
    let what =
      "\(pending.made.count) indexes and \(isRehearsal ? "remove" : "removed") \(pending.removed.count)"
    return isRehearsal ? "would make \(what); nothing written" : "made \(what) in \(plan.path)"
  }

  /// `{"store":…,"from":…,"to":…,"steps":[…],"lossy":…,"findings":[…],"backup":…,"seconds":…}` (MIG-329)
  package func writeJSON(_ result: MigrationResult? = nil, isRehearsal: Bool = false, to output: OutputBuffer)
  {
    var json = JSONBuilder(output)
    json.beginObject()
    writeHead(&json)
    json.key("steps")
    json.beginArray()
    for step in plan.steps { write(step, &json) }
    json.endArray()
    json.key("alternative")
    if let other = plan.alternative { write(other, &json) } else { json.null() }
    json.key("objectCount")
    json.value(plan.objectCount)
    json.key("estimatedSize")
    json.value(plan.estimatedSize)
    json.key("lossy")
    let inexact = result?.inexactFindings ?? []
    json.value(plan.isLossy || !inexact.isEmpty)
    json.key("findings")
    json.beginArray()
    for finding in plan.findings + inexact { write(finding, &json) }
    json.endArray()
    json.key("notices")
    json.value(notices)
    if let result { write(result, isRehearsal: isRehearsal, &json) }
    json.key("backup")
    if let backup = result?.backup { json.value(backup) } else { json.null() }
    json.key("seconds")
    if let seconds = result?.seconds { json.value(seconds) } else { json.null() }
    json.endObject()
    output.append(byte: 0x0A)
  }

  private func writeHead(_ json: inout JSONBuilder) {
    json.member("store", plan.path)
    json.member("from", plan.source.label)
    json.member("to", plan.target.label)
  }

  private func write(_ step: MigrationStep, _ json: inout JSONBuilder) {
    json.beginObject()
    json.member("from", step.source.label)
    json.member("to", step.destination.label)
    json.member("kind", step.kind.rawValue)
    if !step.policyNames.isEmpty {
      json.key("policies")
      json.value(step.policyNames)
    }
    json.key("changes")
    json.beginArray()
    for change in step.changes { ModelDifferenceReport.write(change, to: &json) }
    json.endArray()
    write(losses(of: step), &json)
    json.endObject()
  }

  private func write(_ losses: [MigrationLoss], _ json: inout JSONBuilder) {
    json.key("losses")
    json.beginArray()
    for loss in losses {
      json.beginObject()
      json.member("path", loss.path)
      json.member("reason", loss.reason)
      if let count = loss.count {
        json.key("objects")
        json.value(count)
      }
      if let remedy = loss.remedy { json.member("remedy", CommandRemedy.text(remedy)) }
      json.endObject()
    }
    json.endArray()
  }

  private func write(_ other: MigrationAlternative, _ json: inout JSONBuilder) {
    json.beginObject()
    json.member("way", other.isStepByStep ? "step-by-step" : "at-once")
    json.key("versions")
    json.value(other.steps.isEmpty ? [] : [plan.source.label] + other.steps.map(\.destination.label))
    write(other.losses, &json)
    json.key("refusals")
    json.value(Self.reasons(other))
    json.endObject()
  }

  private func write(_ finding: MigrationFinding, _ json: inout JSONBuilder) {
    json.beginObject()
    json.member("entity", finding.entity)
    if let property = finding.property { json.member("property", property) }
    json.member("rule", finding.rule)
    json.key("objects")
    json.value(finding.count)
    json.key("examples")
    json.beginArray()
    for example in finding.examples {
      json.beginObject()
      json.member("object", example.shortForm)
      json.member("uri", example.uri)
      if let value = example.value { json.member("value", value) }
      json.endObject()
    }
    json.endArray()
    json.member("remedy", CommandRemedy.text(finding.remedy))
    json.endObject()
  }

  private func write(_ result: MigrationResult, isRehearsal: Bool, _ json: inout JSONBuilder) {
    json.key("written")
    json.value(!isRehearsal)
    json.member("path", result.path)
    json.key("objects")
    json.beginObject()
    for (name, count) in result.objectCounts.sorted(by: { $0.key < $1.key }) {
      json.key(name)
      json.value(count)
    }
    json.endObject()
  }
}
