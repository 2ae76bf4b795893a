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
    if var repaired = unsafe UTF8Check.repaired(utf8) { return repaired.withUTF8 { unsafe text($0) } }
    beginCell()
    unsafe withShown(utf8) { unsafe append($0) }
  }

  private func append(_ utf8: UnsafeBufferPointer<UInt8>) {
    var needsQuotes = unsafe utf8.isEmpty || utf8.elementsEqual(nullText)
    var hasQuotes = false
    for index in utf8.indices {
      let byte = unsafe utf8[index]
      guard byte <= UInt8(ascii: ",") else { continue }
      if byte == UInt8(ascii: "\"") { hasQuotes = true }
      needsQuotes = needsQuotes || byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D
    }
    guard needsQuotes || hasQuotes else { return unsafe cells.append(utf8) }
    cells.append(byte: UInt8(ascii: "\""))
    if hasQuotes { unsafe appendDoubled(utf8) } else { unsafe cells.append(utf8) }
    cells.append(byte: UInt8(ascii: "\""))
  }

  private func appendDoubled(_ utf8: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for index in utf8.indices where unsafe utf8[index] == UInt8(ascii: "\"") {
      unsafe cells.append(UnsafeBufferPointer(rebasing: utf8[start...index]))
      start = index
    }
    unsafe cells.append(UnsafeBufferPointer(rebasing: utf8[start...]))
  }

  func data(_ bytes: UnsafeBufferPointer<UInt8>) {
    // An empty cell without quotes would be null.
    if bytes.isEmpty { return unsafe text(bytes) }
    beginCell()
    unsafe cells.append(base64: bytes)
    endCell()
  }
}
