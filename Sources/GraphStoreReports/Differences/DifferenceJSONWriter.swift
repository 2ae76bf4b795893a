import GraphStore

/// Differences for programs: as one JSON object, or an object a line.
final class DifferenceJSONWriter: DifferenceWriter {
  private let comparison: StoreComparison
  private let output: OutputBuffer
  private let isDocument: Bool
  private let values = ObjectValueText()
  private var hasItems = false
  private var mismatches: [ModelMismatch] = []

  init(_ comparison: StoreComparison, to output: OutputBuffer, isDocument: Bool) {
    self.comparison = comparison
    self.output = output
    self.isDocument = isDocument
  }

  func begin(_ mismatches: [ModelMismatch]) {
    self.mismatches = mismatches
    if isDocument {
      output.append("{\"differences\":[")
    } else {
      for mismatch in mismatches { item { Self.write(mismatch, &$0) } }
    }
  }

  func write(_ difference: StoreDifference) throws {
    switch difference {
    case .added(let object): try write("added", object)
    case .removed(let object): try write("removed", object)
    case .changed(let old, let new, let columns): try write(old, new, columns)
    }
    if let failure = output.failure { throw failure }
  }

  func end(_ counts: StoreDifferenceCounts) throws {
    guard isDocument else { return }
    output.append(hasItems ? "\n],\"mismatches\":[" : "],\"mismatches\":[")
    hasItems = false
    for mismatch in mismatches { item { Self.write(mismatch, &$0) } }
    output.append(hasItems ? "\n]," : "],")
    output.append("\"added\":\(counts.added),\"removed\":\(counts.removed),\"changed\":\(counts.changed)}\n")
  }

  /// Writes one object of JSON: a line, or a member of the list.
  private func item(_ write: (inout JSONBuilder) throws -> Void) rethrows {
    if isDocument { output.append(hasItems ? ",\n  " : "\n  ") }
    hasItems = true
    var json = JSONBuilder(output)
    json.beginObject()
    try write(&json)
    json.endObject()
    if !isDocument { output.append(byte: 0x0A) }
  }

  private static func write(_ mismatch: ModelMismatch, _ json: inout JSONBuilder) {
    json.member("mismatch", mismatch.kind.word)
    json.member("subject", mismatch.subject)
    guard case .differs(let old, let new) = mismatch.kind else { return }
    json.member("old", old)
    json.member("new", new)
  }

  private func write(_ change: String, _ object: StoredObject) throws {
    try item { json in
      json.member("change", change)
      json.member("id", object.name)
      json.key("values")
      json.beginObject()
      for (position, column) in object.shape.columns.enumerated() {
        json.key(column.name)
        try append(position, of: object, &json)
      }
      json.endObject()
    }
  }

  private func write(_ old: StoredObject, _ new: StoredObject, _ columns: [ComparedColumn]) throws {
    try item { json in
      json.member("change", "changed")
      json.member("id", old.name)
      if old.key != new.key { json.member("other", new.name) }
      json.key("properties")
      json.beginObject()
      for column in columns {
        json.key(column.name)
        json.beginObject()
        json.key("old")
        try append(column.old, of: old, &json)
        json.key("new")
        try append(column.new, of: new, &json)
        if comparison.differInOrder(old, new, column) {
          json.key("order")
          json.value(true)
        }
        json.endObject()
      }
      json.endObject()
    }
  }

  private func append(_ column: Int, of object: StoredObject, _ json: inout JSONBuilder) throws {
    let text = try values.json(column, of: object)
    json.value { $0.append(text) }
  }
}
