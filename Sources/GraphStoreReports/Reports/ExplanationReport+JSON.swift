import GraphStore

extension ExplanationReport {
  /// One object on one line (DGN-081).
  package func writeJSON(to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    json.member("entity", explanation.entity)
    for (name, kind) in [
      ("predicate", FetchExplanation.Part.Kind.predicate), ("fields", .field), ("groups", .group),
      ("results", .result), ("having", .having),
    ] {
      let parts = explanation.parts.filter { $0.kind == kind }
      guard kind == .predicate || !parts.isEmpty else { continue }
      json.key(name)
      json.beginArray()
      for part in parts { write(part, to: &json) }
      json.endArray()
    }
    json.key("statements")
    json.beginArray()
    for statement in explanation.statements { write(statement, to: &json) }
    json.endArray()
    writeScans(to: &json)
    writeSort(to: &json)
    writeWindow(to: &json)
    writeRows(to: &json)
    json.key("advice")
    json.beginArray()
    for advice in explanation.advice { write(advice, to: &json) }
    json.endArray()
    json.member("notes", explanation.notes)
    json.endObject()
    output.append(byte: 0x0A)
  }

  private func write(_ part: FetchExplanation.Part, to json: inout JSONBuilder) {
    json.beginObject()
    json.member("text", part.text)
    json.member("place", part.place.rawValue)
    json.key("reason")
    if let reason = part.reason { json.value(reason.rawValue) } else { json.null() }
    if !part.detail.isEmpty { json.member("detail", part.detail) }
    json.endObject()
  }

  private func write(_ statement: FetchExplanation.Statement, to json: inout JSONBuilder) {
    json.beginObject()
    json.member("store", statement.store)
    if let path = statement.prefetches { json.member("prefetches", path) }
    json.member("sql", statement.sql)
    json.key("binds")
    json.value(statement.bindings)
    json.key("plan")
    json.value(statement.plan.map { String(repeating: "  ", count: $0.depth) + $0.text })
    json.endObject()
  }

  private func writeScans(to json: inout JSONBuilder) {
    guard !explanation.scans.isEmpty else { return }
    json.key("scans")
    json.beginArray()
    for scan in explanation.scans {
      json.beginObject()
      json.member("store", scan.store)
      json.member("entity", scan.entity)
      json.member("objects", scan.objects)
      json.endObject()
    }
    json.endArray()
  }

  private func writeSort(to json: inout JSONBuilder) {
    json.key("sort")
    guard let sort = explanation.sort else { return json.null() }
    json.beginObject()
    switch sort {
    case .index(let name):
      json.member("place", "SQL")
      json.member("index", name)
    case .primaryKey: json.member("place", "SQL")
    case .afterReading:
      json.member("place", "SQL")
      json.key("afterReading")
      json.value(true)
    case .afterScan: json.member("place", "after the scan")
    case .memory(let reason):
      json.member("place", "in memory")
      json.member("reason", reason.rawValue)
    }
    json.endObject()
  }

  private func writeWindow(to json: inout JSONBuilder) {
    json.key("window")
    if isEmpty {
      json.beginObject()
      json.member("limit", 0)
      json.endObject()
      return
    }
    guard let window = explanation.window else { return json.null() }
    json.beginObject()
    if window.limit > 0 { json.member("limit", window.limit) }
    if window.offset > 0 { json.member("offset", window.offset) }
    let place = explanation.scans.isEmpty ? "SQL" : "after the scan"
    json.member("place", window.reason == nil ? place : "in memory")
    if let reason = window.reason { json.member("reason", reason.rawValue) }
    json.endObject()
  }

  private func writeRows(to json: inout JSONBuilder) {
    let rows = explanation.rows
    json.key("rows")
    json.beginObject()
    for (name, count) in [("read", rows.read), ("returned", rows.returned)] {
      json.key(name)
      if let count = isEmpty ? 0 : count { json.value(count) } else { json.null() }
    }
    json.member("total", rows.total)
    json.key("exact")
    json.value(isEmpty || rows.isExact)
    if let analysis = explanation.analysis {
      json.member("objects", analysis.objects)
      json.key("storeSeconds")
      json.value(analysis.storeTime / .seconds(1))
      json.key("totalSeconds")
      json.value(analysis.totalTime / .seconds(1))
    }
    json.endObject()
  }

  private func write(_ advice: FetchExplanation.Advice, to json: inout JSONBuilder) {
    json.beginObject()
    json.member("entity", advice.entity)
    json.key("index")
    if let index = advice.index {
      json.beginObject()
      json.member("name", index.name)
      json.key("elements")
      json.beginArray()
      for element in index.elements {
        json.beginObject()
        json.member("property", element.property)
        if element.isDescending { json.member("order", "descending") }
        json.endObject()
      }
      json.endArray()
      json.endObject()
    } else {
      json.null()
    }
    json.member("reason", advice.reason)
    json.endObject()
  }
}
