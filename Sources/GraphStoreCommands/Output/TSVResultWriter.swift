import Foundation

/// Writes rows as tab-separated values: `\N` is null, tabs, line ends and backslashes are escaped.
final class TSVResultWriter: DelimitedResultWriter {
  let cells: OutputBuffer
  let timeZone: TimeZone?
  let separator = UInt8(0x09)
  var references = ReferenceList.none
  let nullText: [UInt8]
  let options: ResultOptions
  var isFirst = true

  init(_ output: OutputBuffer, _ options: ResultOptions) {
    cells = output
    self.options = options
    timeZone = options.timeZone
    nullText = Array((options.nullText ?? "\\N").utf8)
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    if var repaired = unsafe UTF8Check.repaired(utf8) { return repaired.withUTF8 { unsafe text($0) } }
    beginCell()
    unsafe withShown(utf8) { unsafe append($0) }
  }

  private func append(_ utf8: UnsafeBufferPointer<UInt8>) {
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
