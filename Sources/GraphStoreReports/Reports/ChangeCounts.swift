/// Numbers of objects that a command has changed, or would change, for programs.
package struct ChangeCounts {
  /// What was done, such as `updated`, and to how many.
  var counts: [(name: String, count: Int)]
  /// Whether nothing was changed.
  package var isDryRun: Bool

  /// Numbers of what was done, or would be.
  package init(counts: [(name: String, count: Int)], isDryRun: Bool) {
    self.counts = counts
    self.isDryRun = isDryRun
  }

  /// `{"updated":3,"dryRun":false}`
  package func writeJSON(to output: OutputBuffer) {
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
