import GraphStore

/// Report of a fetch plan, in labelled blocks for people (DGN-069).
package struct ExplanationReport {
  let explanation: FetchExplanation
  /// Whether a limit of 0 keeps the fetch from running at all.
  let isEmpty: Bool
  private let usesColor: Bool
  private static let labelWidth = 12

  /// The report of how a fetch runs.
  package init(_ explanation: FetchExplanation, isEmpty: Bool, usesColor: Bool) {
    self.explanation = explanation
    self.isEmpty = isEmpty
    self.usesColor = usesColor
  }

  /// The blocks, line by line.
  package var lines: [String] {
    let main = explanation.statements.filter { $0.prefetches == nil }
    let others = explanation.statements.filter { $0.prefetches != nil }
    var lines = block("predicate", parts(.predicate)) + block("fields", memoryFields)
    lines +=
      block("groups", parts(.group)) + block("results", parts(.result)) + block("having", parts(.having))
    for statement in main {
      let name = main.count > 1 ? statement.store : nil
      lines += block("sql", [name, sql(statement)].compactMap { $0 })
      lines += block("plan", plan(statement))
    }
    lines += block("scan", scans)
    if main.count + explanation.scans.count > 1 {
      lines += block("merge", ["in memory (\(InMemoryReason.severalStores.rawValue))"])
    }
    lines += block("sort", explanation.sort.map { [Self.text($0)] } ?? [])
    lines += block("window", window.map { [$0] } ?? [])
    lines += block("prefetch", others.flatMap { [sql($0)] + plan($0).map { "  " + $0 } })
    lines += block("rows", [rows] + analysis)
    lines += block("advice", advice.isEmpty ? ["none"] : advice)
    return lines + block("note", explanation.notes)
  }

  private func block(_ label: String, _ content: [String]) -> [String] {
    content.enumerated().map { index, line in
      let head = index == 0 ? label : ""
      let padding = String(repeating: " ", count: Self.labelWidth - head.count)
      return Style.bold.apply(head, if: usesColor && !head.isEmpty) + padding + VisibleText.escape(line)
    }
  }

  private func parts(_ kind: FetchExplanation.Part.Kind) -> [String] {
    let parts = explanation.parts.filter { $0.kind == kind }
    let width = parts.map { DisplayWidth.of($0.text) }.max() ?? 0
    return parts.map { part in
      let padding = String(repeating: " ", count: width - DisplayWidth.of(part.text))
      return "\(part.text)\(padding)   → \(Self.place(part))"
    }
  }

  /// Fields are said only where they make the fetch read objects.
  private var memoryFields: [String] {
    explanation.parts.contains { $0.kind == .field && !$0.isInStore } ? parts(.field) : []
  }

  private static func place(_ part: FetchExplanation.Part) -> String {
    guard !part.isInStore else { return part.place.rawValue }
    guard let reason = part.reason else { return "\(part.place.rawValue) (\(part.detail))" }
    return "\(part.place.rawValue) (\(reason.rawValue))"
  }

  private func sql(_ statement: FetchExplanation.Statement) -> String {
    let values = statement.bindings
    return statement.sql + (values.isEmpty ? "" : "   [" + values.joined(separator: ", ") + "]")
  }

  private func plan(_ statement: FetchExplanation.Statement) -> [String] {
    statement.plan.map { String(repeating: "  ", count: $0.depth) + $0.text }
  }

  private var scans: [String] {
    explanation.scans.map { scan in
      let name = explanation.scans.count > 1 ? scan.store + ": " : ""
      return "\(name)\(scan.entity): \(scan.objects.grouped) objects in memory"
    }
  }

  static func text(_ sort: FetchExplanation.Sort) -> String {
    switch sort {
    case .index(let name): "in SQL, by index \(name)"
    case .primaryKey: "in SQL, by primary key"
    case .afterReading: "in SQL, sorted after reading"
    case .afterScan: "sorted after the scan"
    case .memory(let reason): "in memory (\(reason.rawValue))"
    }
  }

  private var window: String? {
    if isEmpty { return "limit 0: nothing is read" }
    guard let window = explanation.window else { return nil }
    var parts: [String] = []
    if window.limit > 0 { parts.append("limit \(window.limit)") }
    if window.offset > 0 { parts.append("offset \(window.offset)") }
    let place =
      window.reason.map { "in memory (\($0.rawValue))" }
      ?? (explanation.scans.isEmpty ? "in SQL" : "after the scan")
    return parts.joined(separator: ", ") + " " + place
  }

  private var rows: String {
    let rows = explanation.rows
    let total = rows.total.grouped
    if isEmpty { return "0 of \(total) read from the store" }
    guard let read = rows.read else { return "unknown of \(total) read from the store" }
    let count = read.grouped
    if explanation.analysis != nil { return "\(count) of \(total) returned by the store" }
    return (rows.isExact ? count : "about \(count)") + " of \(total) read from the store"
  }

  private var analysis: [String] {
    guard let analysis = explanation.analysis else { return [] }
    return [
      "\(analysis.objects.grouped) returned as \(explanation.resultType == .dictionary ? "dictionaries" : "objects")",
      "sql connection fetch time: \(Self.seconds(analysis.storeTime))",
      "total fetch execution time: \(Self.seconds(analysis.totalTime)) for \(analysis.objects) rows",
    ]
  }

  private var advice: [String] {
    var lines: [String] = []
    for advice in explanation.advice {
      if let index = advice.index {
        lines.append("add index to \(advice.entity): \(index.json)")
        lines.append("  " + advice.reason)
      } else {
        lines.append(advice.reason)
      }
    }
    if explanation.advice.contains(where: { $0.index != nil }) {
      lines.append(
        "  an index makes writing slower and the file larger: it pays for few writes and many reads")
    }
    return lines
  }

  /// Seconds with four decimals (DGN-021).
  static func seconds(_ time: Duration) -> String { time.secondsText(decimals: 4) + "s" }
}
