/// Records that were left out, one JSON object a line: line, code, key, value, message, row.
final class RejectFile {
  /// Nil for standard output.
  private let file: AtomicFile?
  private let output: OutputBuffer

  init(path: String) throws(OutputError) {
    let file = path == "-" ? nil : try AtomicFile(path: path)
    self.file = file
    output = OutputBuffer(descriptor: file?.descriptor ?? 1, path: file == nil ? nil : path)
  }

  func add(_ problem: ImportProblem) {
    var json = JSONBuilder(output)
    json.beginObject()
    if let line = problem.line { json.member("line", line) }
    json.member("code", problem.code)
    if let key = problem.key { json.member("key", key) }
    if let value = problem.value { json.member("value", value) }
    json.member("message", problem.message)
    if !problem.row.isEmpty {
      json.key("row")
      problem.row.withUnsafeBufferPointer { json.raw($0) }
    }
    json.endObject()
    output.append(byte: 0x0A)
  }

  /// Gives the file its name.
  func commit() throws {
    try output.flush()
    try file?.commit()
  }
}
