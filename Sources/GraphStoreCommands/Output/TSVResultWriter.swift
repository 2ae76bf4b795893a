import Foundation

/// Writes rows as tab-separated values: `\N` is null, tabs, line ends and backslashes are escaped.
final class TSVResultWriter: PlainResultWriter {
  let cells: OutputBuffer
  let timeZone: TimeZone?
  let referenceSeparator: StaticString = " "
  var references = ReferenceList.none
  private let nullText: [UInt8]
  private let options: ResultOptions
  private var isFirst = true

  init(_ output: OutputBuffer, _ options: ResultOptions) {
    cells = output
    self.options = options
    timeZone = options.timeZone
    nullText = Array((options.nullText ?? "\\N").utf8)
  }

  func begin(columns: [OutputColumn]) {
    guard options.showsHeader else { return }
    isFirst = true
    for column in columns { text(column.name) }
    cells.append(byte: 0x0A)
  }

  func beginRow() {
    isFirst = true
  }

  @inline(__always)
  func beginCell() {
    if !isFirst { cells.append(byte: 0x09) }
    isFirst = false
  }

  @inline(__always)
  func endCell() {}

  func null() {
    beginCell()
    cells.append(nullText)
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    beginCell()
    var start = 0
    for index in utf8.indices {
      let letter: UInt8
      switch utf8[index] {
      case 0x09: letter = UInt8(ascii: "t")
      case 0x0A: letter = UInt8(ascii: "n")
      case 0x0D: letter = UInt8(ascii: "r")
      case UInt8(ascii: "\\"): letter = UInt8(ascii: "\\")
      default: continue
      }
      cells.append(UnsafeBufferPointer(rebasing: utf8[start..<index]))
      cells.append(byte: UInt8(ascii: "\\"))
      cells.append(byte: letter)
      start = index + 1
    }
    cells.append(UnsafeBufferPointer(rebasing: utf8[start...]))
  }

  func endRow() throws(OutputError) {
    cells.append(byte: 0x0A)
    if options.flushesEveryRow { try cells.flush() } else if let failure = cells.failure { throw failure }
  }

  func end() throws(OutputError) { try cells.flush() }
}
