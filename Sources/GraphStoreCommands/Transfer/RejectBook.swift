import GraphStore
import GraphStoreReports

/// Bitmap of rejected records by their places in the input, and the reject file.
final class RejectBook {
  /// A bit for each record up to the last one that is left out.
  private var bits: [UInt64] = []
  private(set) var count = 0
  /// Records whose text is still to be read.
  private var rowless: Set<Int> = []
  private let path: String?
  private let reports: ImportRejects?

  /// - Parameter path: the file that the records go to, if they go to one.
  init(path: String?) throws {
    self.path = path
    reports = path == nil ? nil : try ImportRejects()
    // Made and removed again, so that a file that cannot be written stops the import before it begins.
    if let path, path != "-" { try AtomicFile(path: path).discard() }
  }

  func contains(_ record: Int) -> Bool {
    record >> 6 < bits.count && bits[record >> 6] >> UInt64(record & 63) & 1 == 1
  }

  /// Leaves a record out; of several problems of one record the first is told.
  func add(_ problem: ImportProblem) throws {
    let record = problem.record
    guard !contains(record) else { return }
    while record >> 6 >= bits.count { bits.append(0) }
    bits[record >> 6] |= 1 << UInt64(record & 63)
    count += 1
    guard let reports else { return }
    let report = OutputBuffer.memory()
    Self.write(problem, to: report)
    try unsafe reports.add(record: record, report: UnsafeRawBufferPointer(report.bytes), row: problem.row)
    if problem.row.isEmpty { rowless.insert(record) }
  }

  /// Whether the text of a record that is left out is still to be told.
  func lacksRow(_ record: Int) -> Bool { rowless.contains(record) }

  func setRow(_ row: [UInt8], of record: Int) throws {
    rowless.remove(record)
    try reports?.setRow(row, ofRecord: record)
  }

  /// Writes the members of a problem, without the closing brace, so that the record's text can follow.
  private static func write(_ problem: ImportProblem, to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    if let file = problem.file { json.member("file", file) }
    if let line = problem.line { json.member("line", line) }
    json.member("code", problem.code)
    if let key = problem.key { json.member("key", key) }
    if let value = problem.value { json.member("value", value) }
    json.member("message", problem.message)
    for (name, texts) in [
      ("details", problem.details), ("hints", problem.hints), ("suggestions", problem.suggestions),
    ] where !texts.isEmpty {
      json.member(name, texts)
    }
  }

  /// Writes the file: an object a line, in the order of the input.
  func write() throws {
    guard let path, let reports else { return }
    let file = path == "-" ? nil : try AtomicFile(path: path)
    let output = file?.output ?? OutputBuffer(descriptor: 1, path: nil)
    try unsafe reports.forEach { report, row in
      unsafe output.append(report.bindMemory(to: UInt8.self))
      if unsafe !row.isEmpty {
        output.append(",\"row\":")
        unsafe output.append(row.bindMemory(to: UInt8.self))
      }
      output.append("}\n")
    }
    try output.flush()
    try file?.commit()
  }
}
