import GraphStore

/// Report of a store's repair, in lines for people or as JSON.
package struct RepairReport {
  private let steps: [StoreRepair.Step]
  private let unrepaired: [StoreRepair.Unrepaired]
  /// The path of the copy; nil where nothing was mended.
  private let backup: String?

  /// Report of a repair that is to be run, or has nothing to mend.
  package init(_ repair: StoreRepair) {
    (steps, unrepaired, backup) = (repair.steps, repair.unrepaired, nil)
  }

  /// Report of what a repair has done.
  package init(_ result: StoreRepair.Result) {
    (steps, unrepaired, backup) = (result.steps, result.unrepaired, result.backup)
  }

  /// Whether something was mended.
  package var isRun: Bool { backup != nil }

  /// What is going to be done and left, a line each, before the question.
  package func planLines(_ path: String) -> [String] {
    let path = VisibleText.escape(path)
    return steps.map { "\(path): \(Self.text($0))" }
      + unrepaired.map { left in
        "\(path): left as it is: \(VisibleText.escape("\(left.finding.subject): \(left.finding.message)"))"
      }
  }

  /// What was done, or would be done, a line each.
  func lines(usesColor: Bool) -> [String] {
    let word = backup == nil ? "would do" : Style.green.apply("done", if: usesColor)
    let done = steps.map { "\(word)  \($0.check)  \(Self.text($0))" }
    return done + (backup.map { ["      the former state is in \(VisibleText.escape($0))"] } ?? [])
  }

  private static func text(_ step: StoreRepair.Step) -> String {
    VisibleText.escape("\(step.subject): \(step.message)")
      + (step.objects.isEmpty ? "" : " (\(step.objects.joined(separator: ", "))\(more(step)))")
  }

  private static func more(_ step: StoreRepair.Step) -> String {
    let count = step.count - step.objects.count
    return count > 0 ? " … \(count) more" : ""
  }

  /// Why a finding is left, and what can be done about it.
  func lines(on finding: StoreCheckFinding) -> [String] {
    unrepaired.filter { $0.finding == finding }.prefix(1).map {
      "      left: \(VisibleText.escape($0.reason)); \(VisibleText.escape(CommandRemedy.text($0.remedy)))"
    }
  }

  /// `"backup":…,"repairs":[…],"unrepaired":[…]`
  func writeMembers(to json: inout JSONBuilder) {
    if let backup { json.member("backup", backup) }
    json.key("repairs")
    json.beginArray()
    for step in steps {
      json.beginObject()
      json.member("name", step.check)
      json.member("subject", step.subject)
      json.member("message", step.message)
      json.key("count")
      json.value(step.count)
      json.key("objects")
      json.value(step.objects)
      json.endObject()
    }
    json.endArray()
    json.key("unrepaired")
    json.beginArray()
    for left in unrepaired {
      json.beginObject()
      json.member("name", left.finding.name)
      CheckReport.write(left.finding, to: &json)
      json.member("reason", left.reason)
      json.member("remedy", CommandRemedy.text(left.remedy))
      json.endObject()
    }
    json.endArray()
  }
}
