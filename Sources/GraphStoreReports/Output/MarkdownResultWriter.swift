import Foundation

/// Writer of a GitHub-flavoured Markdown table.
final class MarkdownResultWriter: PlainResultWriter {
  let cells: OutputBuffer
  let timeZone: TimeZone?
  let referenceSeparator: StaticString = ", "
  // Changes with every cell: not checked for exclusivity, as in `OutputBuffer`.
  @safe @exclusivity(unchecked) var references = ReferenceList.none
  private let options: WriterOptions

  init(_ output: OutputBuffer, _ options: WriterOptions) {
    cells = output
    self.options = options
    timeZone = options.timeZone
  }

  /// A Markdown table has no form without a header: `--no-header` leaves its names empty.
  func begin(columns: [OutputColumn]) {
    beginRow()
    for column in columns { text(options.showsHeader ? column.name : "") }
    cells.append("\n|")
    for column in columns {
      switch column.alignment {
      case .left: cells.append(literal: " --- |")
      case .right: cells.append(literal: " ---: |")
      }
    }
    cells.append(byte: 0x0A)
  }

  func beginRow() {
    cells.append(byte: UInt8(ascii: "|"))
  }

  func beginCell() {
    cells.append(byte: UInt8(ascii: " "))
  }

  func endCell() {
    cells.append(literal: " |")
  }

  func null() { text(options.visibleNull) }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    beginCell()
    if unsafe utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F || Self.escapes($0) }) {
      for byte in unsafe VisibleText.escape(String(decoding: utf8, as: UTF8.self)).utf8 {
        if Self.escapes(byte) { cells.append(byte: UInt8(ascii: "\\")) }
        cells.append(byte: byte)
      }
    } else {
      unsafe cells.append(utf8)
    }
    endCell()
  }

  /// Whether a character would end the cell or be taken for markup.
  private static func escapes(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "|"), UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "*"), UInt8(ascii: "<"): true
    default: false
    }
  }

  func endRow() throws(OutputError) {
    cells.append(byte: 0x0A)
    if options.flushesEveryRow { try cells.flush() } else if let failure = cells.failure { throw failure }
  }

  func end() throws(OutputError) { try cells.flush() }
}
