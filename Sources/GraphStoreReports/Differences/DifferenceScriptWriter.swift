import GraphStore

/// Differences as a script in the command's own language, which makes the first store what the second one is.
///
/// All of it is one save: new objects with their attributes, then values and references, then the members of
/// to-manys, then deletions, before which the objects let go of all others, so that no delete rule reaches
/// any. Values that the store computes are not written.
final class DifferenceScriptWriter: DifferenceWriter {
  private let names: (old: String, new: String)
  private let output: OutputBuffer
  private let values = ObjectValueText()
  /// Statements that have to wait for those before them.
  private let updates = OutputBuffer.memory()
  private let members = OutputBuffer.memory()
  private let deletions = OutputBuffer.memory()

  init(_ comparison: StoreComparison, names: (old: String, new: String), to output: OutputBuffer) {
    self.names = names
    self.output = output
  }

  func begin(_ mismatches: [ModelMismatch]) {
    line("# makes \(names.old) what \(names.new) is", output)
    for mismatch in mismatches {
      line("# \(mismatch.subject) is not the same in both models, and left out", output)
    }
  }

  func write(_ difference: StoreDifference) throws {
    switch difference {
    case .added(let object): try insert(object)
    case .removed(let object): delete(object)
    case .changed(let old, let new, let columns): try update(old, to: new, columns)
    }
    if let failure = output.failure { throw failure }
  }

  func end(_ counts: StoreDifferenceCounts) throws {
    guard !counts.isEmpty else { return }
    for part in [updates, members, deletions] { unsafe output.append(part.bytes) }
    line(".commit", output)
  }

  private var hasBegun = false

  private func beginOnce() {
    if !hasBegun { line(".begin", output) }
    hasBegun = true
  }

  // MARK: Statements

  private func insert(_ object: StoredObject) throws {
    beginOnce()
    var words: [String] = []
    var links: [String] = []
    for (position, column) in object.shape.columns.enumerated() {
      let text = try values.json(position, of: object)
      guard text != "null", text != "[]" else { continue }
      switch column.content {
      case .attribute(let attribute):
        guard !attribute.isDerived else { continue }
        if let word = word(column.name, text, attribute, object) { words.append(word) }
      case .toOne: links.append("\(column.name)=\(text.dropFirst().dropLast())")
      case .toMany: line("update \(object.name) \(column.name):='\(text)'", members)
      }
    }
    line((["insert \(object.entityName) --id \(object.name)"] + words).joined(separator: " "), output)
    if !links.isEmpty { line("update \(object.name) \(links.joined(separator: " "))", updates) }
  }

  private func update(_ old: StoredObject, to new: StoredObject, _ columns: [ComparedColumn]) throws {
    beginOnce()
    var words: [String] = []
    for column in columns where !column.isDerived {
      let text = try values.json(column.new, of: new)
      switch new.shape.columns[column.new].content {
      case .attribute(let attribute):
        if let word = word(column.name, text, attribute, old) { words.append(word) }
      case .toOne:
        words.append(
          text == "null" ? "\(column.name):=null" : "\(column.name)=\(text.dropFirst().dropLast())")
      case .toMany: line("update \(old.name) \(column.name):='\(text)'", members)
      }
    }
    if !words.isEmpty { line("update \(old.name) \(words.joined(separator: " "))", updates) }
  }

  private func delete(_ object: StoredObject) {
    beginOnce()
    var links: [String] = []
    for relationship in object.shape.entity.relationships where !relationship.isTransient {
      links.append("\(relationship.name):=\(relationship.isToMany ? "[]" : "null")")
    }
    if !links.isEmpty { line("update \(object.name) \(links.joined(separator: " "))", members) }
    line("delete \(object.name)", deletions)
  }

  /// A value as JSON in single quotes; nil for one that the language cannot say.
  private func word(
    _ name: String, _ json: String, _ attribute: AttributeDescription, _ object: StoredObject
  ) -> String? {
    let isNumberForDate = attribute.type == .date && !json.hasPrefix("\"") && json != "null"
    guard !json.hasPrefix("{"), !isNumberForDate else {
      line("# \(object.name).\(name) has a value that no script can give", output)
      return nil
    }
    return "\(name):='\(json.replacing("'", with: "\\u0027"))'"
  }

  private func line(_ text: String, _ output: OutputBuffer) {
    output.append(text)
    output.append(byte: 0x0A)
  }
}
