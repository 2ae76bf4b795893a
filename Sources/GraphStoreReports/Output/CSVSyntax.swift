import Foundation

/// Comma-separated values (RFC 4180, lines end with LF): null is an unquoted empty cell, the empty string is
/// `""`.
enum CSVSyntax: DelimitedSyntax {
  static let separator = UInt8(ascii: ",")
  static let nullText = ""

  static func append(_ utf8: UnsafeBufferPointer<UInt8>, to cells: OutputBuffer, nullText: [UInt8]) {
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
    if hasQuotes { unsafe appendDoubled(utf8, to: cells) } else { unsafe cells.append(utf8) }
    cells.append(byte: UInt8(ascii: "\""))
  }

  private static func appendDoubled(_ utf8: UnsafeBufferPointer<UInt8>, to cells: OutputBuffer) {
    var start = 0
    for index in utf8.indices where unsafe utf8[index] == UInt8(ascii: "\"") {
      unsafe cells.append(UnsafeBufferPointer(rebasing: utf8[start...index]))
      start = index
    }
    unsafe cells.append(UnsafeBufferPointer(rebasing: utf8[start...]))
  }
}
