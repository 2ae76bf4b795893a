import Foundation

/// Writer of a table in HTML: the element `table` alone, for a page that somebody else makes.
///
/// Numbers stand on the right by a style of their own, so that the table needs no style sheet; a missing
/// value is an empty cell, or the text for it.
final class HTMLResultWriter: PlainResultWriter {
  let cells: OutputBuffer
  let timeZone: TimeZone?
  let referenceSeparator: StaticString = ", "
  // Changes with every cell: not checked for exclusivity, as in `OutputBuffer`.
  @safe @exclusivity(unchecked) var references = ReferenceList.none
  @safe @exclusivity(unchecked) private var column = 0
  /// What begins a cell of each column.
  @safe @exclusivity(unchecked) private var openings: [StaticString] = []
  private let options: WriterOptions

  init(_ output: OutputBuffer, _ options: WriterOptions) {
    cells = output
    self.options = options
    timeZone = options.timeZone
  }

  func begin(columns: [OutputColumn]) {
    openings = columns.map {
      $0.alignment == .right ? "<td style=\"text-align:right\">" : "<td>"
    }
    cells.append(literal: "<table>\n")
    if options.showsHeader {
      cells.append(literal: "<thead>\n<tr>")
      for column in columns {
        let isRight = column.alignment == .right
        cells.append(
          literal: isRight ? "<th scope=\"col\" style=\"text-align:right\">" : "<th scope=\"col\">")
        var name = column.name
        name.withUTF8 { unsafe append($0) }
        cells.append(literal: "</th>")
      }
      cells.append(literal: "</tr>\n</thead>\n")
    }
    cells.append(literal: "<tbody>\n")
  }

  func beginRow() {
    column = 0
    cells.append(literal: "<tr>")
  }

  func beginCell() {
    cells.append(literal: column < openings.count ? openings[column] : "<td>")
    column += 1
  }

  func endCell() {
    cells.append(literal: "</td>")
  }

  func null() {
    beginCell()
    var text = options.nullText ?? ""
    text.withUTF8 { unsafe append($0) }
    endCell()
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    beginCell()
    unsafe append(utf8)
    endCell()
  }

  /// Appends text so that nothing in it is taken for markup, and all of it is seen.
  private func append(_ utf8: UnsafeBufferPointer<UInt8>) {
    guard unsafe utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F || Self.reference(for: $0) != nil }) else {
      return unsafe cells.append(utf8)
    }
    let shown = unsafe VisibleText.escape(String(decoding: utf8, as: UTF8.self), keeping: ["\n", "\t"])
    for byte in shown.utf8 {
      if byte == 0x0A {
        cells.append(literal: "<br>")
      } else if let reference = Self.reference(for: byte) {
        cells.append(literal: reference)
      } else {
        cells.append(byte: byte)
      }
    }
  }

  /// What stands for a character that has a meaning in markup.
  private static func reference(for byte: UInt8) -> StaticString? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    default: nil
    }
  }

  func endRow() throws(OutputError) {
    cells.append(literal: "</tr>\n")
    if options.flushesEveryRow { try cells.flush() } else if let failure = cells.failure { throw failure }
  }

  func end() throws(OutputError) {
    cells.append(literal: "</tbody>\n</table>\n")
    try cells.flush()
  }
}
