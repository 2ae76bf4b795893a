import Foundation

/// Writes rows as comma-separated values (RFC 4180, lines end with LF).
///
/// Null is an unquoted empty cell, the empty string is `""`; ids of a to-many cell stand apart by a space.
final class CSVResultWriter: DelimitedResultWriter {
  let cells: OutputBuffer
  let timeZone: TimeZone?
  let separator = UInt8(ascii: ",")
  var references = ReferenceList.none
  let nullText: [UInt8]
  let options: ResultOptions
  var isFirst = true

  init(_ output: OutputBuffer, _ options: ResultOptions) {
    cells = output
    self.options = options
    timeZone = options.timeZone
    nullText = Array((options.nullText ?? "").utf8)
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    if var repaired = UTF8Check.repaired(utf8) { return repaired.withUTF8 { text($0) } }
    beginCell()
    withShown(utf8) { append($0) }
  }

  private func append(_ utf8: UnsafeBufferPointer<UInt8>) {
    var needsQuotes = utf8.isEmpty || utf8.elementsEqual(nullText)
    var hasQuotes = false
    for byte in utf8 where byte <= UInt8(ascii: ",") {
      if byte == UInt8(ascii: "\"") { hasQuotes = true }
      needsQuotes = needsQuotes || byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D
    }
    guard needsQuotes || hasQuotes else { return cells.append(utf8) }
    cells.append(byte: UInt8(ascii: "\""))
    if hasQuotes { appendDoubled(utf8) } else { cells.append(utf8) }
    cells.append(byte: UInt8(ascii: "\""))
  }

  private func appendDoubled(_ utf8: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for index in utf8.indices where utf8[index] == UInt8(ascii: "\"") {
      cells.append(UnsafeBufferPointer(rebasing: utf8[start...index]))
      start = index
    }
    cells.append(UnsafeBufferPointer(rebasing: utf8[start...]))
  }

  func data(_ bytes: UnsafeBufferPointer<UInt8>) {
    // An empty cell without quotes would be null.
    if bytes.isEmpty { return text(bytes) }
    beginCell()
    cells.append(base64: bytes)
    endCell()
  }
}
