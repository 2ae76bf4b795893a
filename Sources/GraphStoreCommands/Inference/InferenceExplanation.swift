import GraphStoreReports

/// Explanation of an inferred model: a line for each entity and property, for people or for programs.
struct InferenceExplanation {
  let choices: [Choice]

  /// Tells all choices on standard error, unless silence is asked for.
  func tell(_ session: CommandSession) {
    for choice in choices {
      session.summarize(Self.line(for: choice)) { Self.write(choice, to: $0) }
    }
  }

  /// `Employee.salary: decimal, mandatory; 120 of 120 have a value; amounts with two digits behind the point`
  static func line(for choice: Choice) -> String {
    var first = VisibleText.escape(choice.entity)
    if let property = choice.property { first += "." + VisibleText.escape(property) }
    first += ": " + choice.type
    if let isOptional = choice.isOptional { first += isOptional ? ", optional" : ", mandatory" }
    var parts = [first]
    if let field = choice.field, field != choice.property {
      parts.append("called \"\(VisibleText.escape(field))\" there")
    }
    if let records = choice.records {
      parts.append(
        choice.values.map { "\($0.grouped) of \(records.grouped) have a value" } ?? records.counted("record"))
    }
    parts.append(VisibleText.escape(choice.reason))
    return (parts + choice.remarks.map { VisibleText.escape($0) }).joined(separator: "; ")
  }

  private static func write(_ choice: Choice, to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    json.key("choice")
    json.beginObject()
    json.member("entity", choice.entity)
    if let property = choice.property { json.member("property", property) }
    if let field = choice.field { json.member("field", field) }
    json.member("type", choice.type)
    if let isOptional = choice.isOptional {
      json.key("optional")
      json.value(isOptional)
    }
    if let values = choice.values { json.member("values", values) }
    if let records = choice.records { json.member("records", records) }
    json.member("reason", choice.reason)
    json.member("remarks", choice.remarks)
    json.endObject()
    json.endObject()
  }
}
