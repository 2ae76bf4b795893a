import Foundation

/// Tab-separated values: `\N` is null; tabs, line ends and backslashes are escaped.
enum TSVSyntax: DelimitedSyntax {
  static let separator = UInt8(0x09)
  static let nullText = "\\N"

  static func append(_ utf8: UnsafeBufferPointer<UInt8>, to cells: OutputBuffer, nullText: [UInt8]) {
    var start = 0
    for index in utf8.indices {
      let letter: UInt8
      switch unsafe utf8[index] {
      case 0x09: letter = UInt8(ascii: "t")
      case 0x0A: letter = UInt8(ascii: "n")
      case 0x0D: letter = UInt8(ascii: "r")
      case UInt8(ascii: "\\"): letter = UInt8(ascii: "\\")
      default: continue
      }
      unsafe cells.append(UnsafeBufferPointer(rebasing: utf8[start..<index]))
      cells.append(byte: UInt8(ascii: "\\"))
      cells.append(byte: letter)
      start = index + 1
    }
    unsafe cells.append(UnsafeBufferPointer(rebasing: utf8[start...]))
  }
}
