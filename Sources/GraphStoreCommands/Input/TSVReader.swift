/// Reader of records from tab-separated values with a header row.
///
/// `\N` is null; `\t`, `\n`, `\r` and `\\` are escapes; an empty cell is the empty string. A record is one
/// line.
final class TSVReader: DelimitedReader {
  private let lines: LineReader
  let record = Record()
  var hasHeader = false

  init(_ file: InputFile) {
    lines = LineReader(file)
  }

  func readRow() throws(InputError) -> Bool {
    guard try readLine() else { return false }
    if hasHeader { record.number += 1 }
    if let error = DelimitedHeader.checkUTF8(record) { throw error }
    try split()
    return true
  }

  /// Reads the next line; blank ones are skipped where there are several columns.
  private func readLine() throws(InputError) -> Bool {
    while let line = try unsafe lines.next() {
      if line.isEmpty && record.names.count != 1 { continue }
      unsafe record.reset(source: line)
      record.line = lines.line
      return true
    }
    return false
  }

  private func split() throws(InputError) {
    let bytes = unsafe record.source
    var start = 0
    var hasEscapes = false
    for index in 0...bytes.count {
      if index < bytes.count, unsafe bytes[index] != 0x09 {
        if unsafe bytes[index] == UInt8(ascii: "\\") { hasEscapes = true }
        continue
      }
      try append(start..<index, hasEscapes: hasEscapes)
      start = index + 1
      hasEscapes = false
    }
  }

  private func append(_ range: Range<Int>, hasEscapes: Bool) throws(InputError) {
    let bytes = unsafe record.source
    let name = Int32(truncatingIfNeeded: record.count)
    guard hasEscapes else {
      record.append(
        Record.Field(name: name, kind: .cell, isUnescaped: false, start: range.lowerBound, count: range.count)
      )
      return
    }
    if range.count == 2, unsafe bytes[range.lowerBound + 1] == UInt8(ascii: "N") {
      record.append(
        Record.Field(name: name, kind: .null, isUnescaped: false, start: range.lowerBound, count: 0))
      return
    }
    let scratch = record.scratch
    scratch.reserve(range.count)
    let start = scratch.count
    var index = range.lowerBound
    while index < range.upperBound {
      var byte = unsafe bytes[index]
      if byte == UInt8(ascii: "\\") {
        byte = try unescaped(at: index, end: range.upperBound)
        index += 1
      }
      unsafe scratch.base[scratch.count] = byte
      scratch.count += 1
      index += 1
    }
    record.append(
      Record.Field(name: name, kind: .cell, isUnescaped: true, start: start, count: scratch.count - start))
  }

  private func unescaped(at index: Int, end: Int) throws(InputError) -> UInt8 {
    let bytes = unsafe record.source
    if index + 1 < end {
      switch unsafe bytes[index + 1] {
      case UInt8(ascii: "t"): return 0x09
      case UInt8(ascii: "n"): return 0x0A
      case UInt8(ascii: "r"): return 0x0D
      case UInt8(ascii: "\\"): return UInt8(ascii: "\\")
      default: break
      }
    }
    let place = unsafe TextPosition(of: index, in: bytes, line: record.line)
    throw InputError(
      .tsvSyntax, "\"\\\" must be followed by t, n, r or \\ here; a backslash itself is written \\\\",
      line: place.line, column: place.column, isRecoverable: true)
  }
}
