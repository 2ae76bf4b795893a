import GraphStore

/// Differences for people: `+` is added, `-` removed, `~` changed, `!` is what the models do not share.
final class DifferenceTextWriter: DifferenceWriter {
  /// Characters of a value that are shown on a terminal.
  private static let longest = 120

  private let comparison: StoreComparison
  private let names: (old: String, new: String)
  private let output: OutputBuffer
  private let terminal: TerminalInfo
  private let values = ObjectValueText()

  init(
    _ comparison: StoreComparison, names: (old: String, new: String), to output: OutputBuffer,
    terminal: TerminalInfo
  ) {
    self.comparison = comparison
    self.names = names
    self.output = output
    self.terminal = terminal
  }

  func begin(_ mismatches: [ModelMismatch]) {
    for mismatch in mismatches {
      switch mismatch.kind {
      case .onlyInOld: line("! \(mismatch.subject)   only in \(names.old)")
      case .onlyInNew: line("! \(mismatch.subject)   only in \(names.new)")
      case .differs(let old, let new): line("! \(mismatch.subject)   \(old) / \(new), not compared")
      }
    }
  }

  func write(_ difference: StoreDifference) throws {
    switch difference {
    case .added(let object): line(try "+ \(object.name)\(contents(of: object))")
    case .removed(let object): line(try "- \(object.name)\(contents(of: object))")
    case .changed(let old, let new, let columns):
      let name = old.key == new.key ? old.name : "\(old.name) = \(new.name)"
      for column in columns { line("~ \(name).\(column.name)   \(try change(old, new, column))") }
    }
    if let failure = output.failure { throw failure }
  }

  func end(_ counts: StoreDifferenceCounts) throws {}

  /// All values that an object has.
  private func contents(of object: StoredObject) throws -> String {
    var parts: [String] = []
    for (position, column) in object.shape.columns.enumerated() {
      let text = try values.json(position, of: object)
      if text != "null", text != "[]" { parts.append("\(column.name)=\(shown(text, column))") }
    }
    return parts.isEmpty ? "" : "   " + parts.joined(separator: " ")
  }

  private func change(
    _ old: StoredObject, _ new: StoredObject, _ column: ComparedColumn
  ) throws -> String {
    let (before, after) = (try values.json(column.old, of: old), try values.json(column.new, of: new))
    let shape = old.shape.columns[column.old]
    if case .toMany = shape.content, !comparison.differInOrder(old, new, column) {
      return Self.members(before, after, ordered: shown)
    }
    let order = comparison.differInOrder(old, new, column) ? "order " : ""
    return "\(order)\(shown(before, shape)) → \(shown(after, new.shape.columns[column.new]))"
  }

  /// Which members have come and gone.
  private static func members(
    _ before: String, _ after: String, ordered: (String) -> String
  ) -> String {
    let (old, new) = (list(before), list(after))
    let gone = old.filter { !Set(new).contains($0) }.map { "-\($0)" }
    let come = new.filter { !Set(old).contains($0) }.map { "+\($0)" }
    return ordered((gone + come).joined(separator: " "))
  }

  private static func list(_ json: String) -> [String] {
    json.dropFirst().dropLast().split(separator: ",").map { String($0.dropFirst().dropLast()) }
  }

  /// A value as it is shown: what is no text stands without quotes.
  private func shown(_ json: String, _ column: StoredShape.Column) -> String {
    var text = json
    switch column.content {
    case .attribute(let attribute) where attribute.type == .string || attribute.type == .uri: break
    case .toMany: text = "[" + Self.list(json).joined(separator: ", ") + "]"
    default: if json.hasPrefix("\"") { text = String(json.dropFirst().dropLast()) }
    }
    return shown(text)
  }

  private func shown(_ text: String) -> String {
    guard terminal.isTerminal, text.count > Self.longest else { return text }
    return text.prefix(Self.longest) + "…"
  }

  private func line(_ text: String) {
    output.append(terminal.isTerminal ? VisibleText.escape(text) : text)
    output.append(byte: 0x0A)
  }
}
