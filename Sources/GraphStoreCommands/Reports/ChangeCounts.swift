import ArgumentParser

/// Numbers of objects that a command has changed, or would change, for programs.
struct ChangeCounts {
  /// What was done, such as `updated`, and to how many.
  var counts: [(name: String, count: Int)]
  var isDryRun: Bool

  /// `{"updated":3,"dryRun":false}`
  func writeJSON(to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    write(to: &json)
    json.endObject()
    output.append(byte: 0x0A)
  }

  /// Writes the members of the object.
  func write(to json: inout JSONBuilder) {
    for (name, count) in counts { json.member(name, count) }
    json.key("dryRun")
    json.value(isDryRun)
  }
}

/// Option of commands that print nothing of what they change.
struct ChangeCountOptions: ParsableArguments {
  @Flag(help: "Print how many objects were changed, or would be, as one JSON object.") var json = false
}
