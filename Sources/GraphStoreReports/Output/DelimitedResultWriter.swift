import Foundation

/// Writer of delimited text: one line a row, cells separated by one byte; ids of a to-many cell stand apart
/// by a space.
final class DelimitedResultWriter<Syntax: DelimitedSyntax>: PlainResultWriter {
  let cells: OutputBuffer
  let timeZone: TimeZone?
  // Changes with every cell: not checked for exclusivity, as in `OutputBuffer`.
  @safe @exclusivity(unchecked) var references = ReferenceList.none
  private let nullText: [UInt8]
  private let options: WriterOptions
  /// Whether the next cell is the first of its row.
  @safe @exclusivity(unchecked) private var isFirst = true

  init(_ output: OutputBuffer, _ options: WriterOptions) {
    cells = output
    self.options = options
    timeZone = options.timeZone
    nullText = Array((options.nullText ?? Syntax.nullText).utf8)
  }

  var referenceSeparator: StaticString { " " }

  var isForPeople: Bool { false }

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
    if !isFirst { cells.append(byte: Syntax.separator) }
    isFirst = false
  }

  @inline(__always)
  func endCell() {}

  func null() {
    beginCell()
    cells.append(nullText)
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    if var repaired = unsafe UTF8Check.repaired(utf8) { return repaired.withUTF8 { unsafe text($0) } }
    beginCell()
    guard options.terminal.isTerminal else {
      return unsafe Syntax.append(utf8, to: cells, nullText: nullText)
    }
    // On a terminal nothing in it can do more than be read; line ends and tabs are kept.
    var shown = unsafe VisibleText.escape(String(decoding: utf8, as: UTF8.self), keeping: ["\n", "\r", "\t"])
    shown.withUTF8 { unsafe Syntax.append($0, to: cells, nullText: nullText) }
  }

  func data(_ bytes: UnsafeBufferPointer<UInt8>) {
    // An empty cell of CSV without quotes would be null.
    if bytes.isEmpty { return unsafe text(bytes) }
    beginCell()
    unsafe cells.append(base64: bytes)
  }

  func endRow() throws(OutputError) {
    cells.append(byte: 0x0A)
    if options.flushesEveryRow { try cells.flush() } else if let failure = cells.failure { throw failure }
  }

  func end() throws(OutputError) { try cells.flush() }
}
