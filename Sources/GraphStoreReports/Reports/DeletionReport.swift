import GraphStore

/// The tree of consequences of a deletion, in lines for people.
package struct DeletionReport {
  private let preview: DeletionPreview

  /// The report of a deletion that was tried.
  package init(_ preview: DeletionPreview) { self.preview = preview }

  /// What the command ends with that only shows it, as the deed would end.
  package var exitCode: ExitCode {
    if preview.wouldSucceed { return .success }
    return preview.failures.isEmpty ? .refused : .dataError
  }

  /// Everything: what would go, what would be cleared, what forbids it, and the sum.
  package var lines: [String] {
    let sum =
      "\(preview.deletions.count.counted("object")) deleted, \(preview.updatedCount.grouped) updated; nothing written"
    guard preview.wouldSucceed else { return treeLines + refusals }
    return treeLines + [Self.indent + sum]
  }

  /// `{"deleted":12,"updated":4,"dryRun":true,"deletions":[…],"clearings":[…],"dangling":[…],"refusals":[…]}`
  package func writeJSON(to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    ChangeCounts(
      counts: preview.wouldSucceed
        ? [("deleted", preview.deletions.count), ("updated", preview.updatedCount)]
        : [("deleted", 0), ("updated", 0)], isDryRun: true
    ).write(to: &json)
    json.list("deletions", of: preview.counts) { count, json in
      json.beginObject()
      json.member("entity", count.entity)
      json.member("count", count.count)
      if let relationship = count.relationship { json.member("relationship", relationship) }
      if let rule = count.rule { json.member("rule", rule.rawValue) }
      json.endObject()
    }
    json.list("clearings", of: preview.clearings) { clearing, json in
      json.beginObject()
      json.member("relationship", clearing.relationship)
      json.member("count", Set(clearing.objectIDs).count)
      json.member("rule", clearing.rule.rawValue)
      json.endObject()
    }
    json.list("dangling", of: preview.danglingReferences) { reference, json in
      json.beginObject()
      json.member("relationship", reference.relationship)
      json.member("count", Set(reference.objectIDs).count)
      json.endObject()
    }
    json.list("refusals", of: refusalDiagnostics) { refusal, json in
      json.beginObject()
      json.member("code", refusal.code)
      json.member("message", refusal.message)
      json.member("details", refusal.details)
      json.endObject()
    }
    json.endObject()
    output.append(byte: 0x0A)
  }

  /// What goes, in one line: `deletes 1 Department, 9 Employee (cascade)`.
  package var summary: String {
    let parts = preview.counts.map {
      "\($0.count.grouped) \($0.entity)\($0.relationship == nil ? "" : " (cascade)")"
    }
    return "deletes " + (parts.isEmpty ? "nothing" : parts.joined(separator: ", "))
  }

  /// What would go, what would be cleared, and what would be left referring to nothing.
  package var treeLines: [String] {
    let counts = preview.counts
    let width = counts.map(\.entity.count).max() ?? 0
    var lines: [String] = []
    for (index, count) in counts.enumerated() {
      var line = (index == 0 ? "would delete  " : Self.indent) + "\(count.count.grouped) "
      if let relationship = count.relationship {
        line += Self.padded(count.entity, width + 3) + "cascade \(relationship)"
      } else {
        line += count.entity
      }
      lines.append(line)
    }
    if counts.isEmpty { lines.append("would delete  nothing") }
    let clearings = preview.clearings
    let longest = clearings.map(\.relationship.count).max() ?? 0
    for (index, clearing) in clearings.enumerated() {
      lines.append(
        (index == 0 ? "would clear   " : Self.indent)
          + "\(Set(clearing.objectIDs).count.grouped) \(Self.padded(clearing.relationship, longest))  \(clearing.rule.rawValue)"
      )
    }
    let references = preview.danglingReferences
    let widest = references.map(\.relationship.count).max() ?? 0
    for (index, reference) in references.enumerated() {
      lines.append(
        (index == 0 ? "would leave   " : Self.indent)
          + "\(Set(reference.objectIDs).count.grouped) \(Self.padded(reference.relationship, widest))  noAction, "
          + "referring to what is gone")
    }
    return lines
  }

  private var refusals: [String] {
    refusalDiagnostics.map { "refused       " + ([$0.message] + $0.details).joined(separator: ", ") }
      + [Self.indent + "0 objects deleted, 0 updated; nothing written"]
  }

  private var refusalDiagnostics: [Diagnostic] {
    guard !preview.wouldSucceed else { return [] }
    return (preview.denials.map(\.error) + preview.failures).flatMap { $0.errors.isEmpty ? [$0] : $0.errors }
      .map { DiagnosticMapper.diagnostic($0) }
  }

  private static let indent = String(repeating: " ", count: 14)

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: Swift.max(0, width - text.count))
  }
}
