import GraphStore

/// Report of the differences of two models, in lines for people or as JSON.
package struct ModelDifferenceReport {
  private let difference: ModelDifference
  private let usesColor: Bool
  /// What is wider than this stands out of its column.
  private static let widest = 46

  /// The report of a difference.
  package init(_ difference: ModelDifference, usesColor: Bool) {
    self.difference = difference
    self.usesColor = usesColor
  }

  /// The lines of some changes alone.
  static func lines(_ changes: [ModelChange], usesColor: Bool) -> [String] {

    let rows = changes.map { change in
      (
        change: change, place: VisibleText.escape(ModelChangeText.place(change)),
        text: VisibleText.escape(ModelChangeText.text(change))
      )
    }
    let placeWidth = width(rows.map(\.place))
    let textWidth = width(rows.map(\.text))
    return rows.flatMap { row in
      let style = style(row.change)
      let line =
        style.apply(row.change.mark, if: usesColor) + " " + TextBlock.padded(row.place, to: placeWidth)
        + "   " + TextBlock.padded(row.text, to: textWidth) + "   "
        + effect(row.change, usesColor: usesColor)
      return [line] + (row.change.remedy.map { ["    hint: \(DiagnosticMapper.hint($0))"] } ?? [])
    }
  }

  /// A line for each change: mark, place, what, effect; beneath it what to do about it, where something is to
  /// be done.
  package var lines: [String] { Self.lines(difference.changes, usesColor: usesColor) }

  /// The columns of a column: its widest text, but for texts that are very wide.
  private static func width(_ texts: [String]) -> Int {
    texts.map { DisplayWidth.of($0) }.filter { $0 <= widest }.max() ?? 0
  }

  private static func style(_ change: ModelChange) -> Style {
    switch change.kind {
    case .added: .green
    case .removed: .red
    case .renamed, .moved: .cyan
    case .changed: .yellow
    }
  }

  private static func effect(_ change: ModelChange, usesColor: Bool) -> String {
    let text = VisibleText.escape(ModelChangeText.effect(change))
    return switch change.effect {
    case .none: Style.dim.apply(text, if: usesColor)
    case .lossless: text
    case .conditional: Style.yellow.apply(text, if: usesColor)
    case .lossy: Style.red.apply(text, if: usesColor)
    case .refused: Style.boldRed.apply(text, if: usesColor)
    }
  }

  /// `3 changes; version hashes differ: Employee, Dept; data would be lost`
  package var summary: String {
    let count = difference.changes.count
    guard count > 0 else { return "no difference" }
    var parts = [count == 1 ? "1 change" : "\(count) changes"]
    guard difference.needsMigration else {
      return parts[0] + "; version hashes are equal: stores stay compatible"
    }
    let names = difference.entitiesWithOtherHashes
    let shown = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " …" : "")
    parts.append(
      names.isEmpty
        ? "version hashes are equal, but values are stored in another way" : "version hashes differ: \(shown)"
    )
    if !difference.isInferable {
      parts.append("a mapping has to be written")
    } else if difference.isLossy {
      parts.append("a migration can be inferred and loses data")
    } else {
      parts.append("a migration can be inferred")
    }
    return parts.joined(separator: "; ")
  }

  /// `{"equal":…,"hashesDiffer":…,"inferable":…,"lossy":…,"entities":[…],"changes":[{…}]}`
  package func writeJSON(to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    json.key("equal")
    json.value(difference.changes.isEmpty)
    json.key("hashesDiffer")
    json.value(difference.changesHashes)
    json.key("inferable")
    json.value(difference.isInferable)
    json.key("lossy")
    json.value(difference.isLossy)
    json.key("entities")
    json.value(difference.entitiesWithOtherHashes)
    json.key("changes")
    json.beginArray()
    for change in difference.changes { Self.write(change, to: &json) }
    json.endArray()
    json.endObject()
    output.append(byte: 0x0A)
  }

  static func write(_ change: ModelChange, to json: inout JSONBuilder) {
    json.beginObject()
    json.member("kind", change.kind.rawValue)
    json.member("subject", change.subject.rawValue)
    if let entity = change.entity { json.member("entity", entity) }
    if let name = change.name { json.member("name", name) }
    if let key = change.key { json.member("key", key) }
    if let old = change.old { json.member("old", old) }
    if let new = change.new { json.member("new", new) }
    json.key("changesHash")
    json.value(change.changesHash)
    json.member("effect", change.effect.name)
    if let detail = change.effect.detail { json.member("reason", detail) }
    if let remedy = change.remedy { json.member("remedy", CommandRemedy.text(remedy)) }
    json.endObject()
  }
}

extension ModelChange {
  /// The character that marks the kind of change.
  fileprivate var mark: String {
    switch kind {
    case .added: "+"
    case .removed: "-"
    case .renamed, .moved: ">"
    case .changed: "~"
    }
  }
}
