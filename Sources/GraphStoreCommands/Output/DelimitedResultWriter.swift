/// A writer of one line a row, whose cells stand apart by one byte.
///
/// A conforming class says how text is made safe.
protocol DelimitedResultWriter: PlainResultWriter {
  /// What stands between two cells.
  var separator: UInt8 { get }
  /// What a cell without a value says.
  var nullText: [UInt8] { get }
  var options: ResultOptions { get }
  /// Whether the next cell is the first of its row.
  var isFirst: Bool { get set }
}

extension DelimitedResultWriter {
  var referenceSeparator: StaticString { " " }

  /// Hands on text as it is to be written: on a terminal nothing in it can do more than be read, line ends and tabs kept.
  func withShown(_ utf8: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    guard options.terminal.isTerminal else { return unsafe body(utf8) }
    var shown = unsafe VisibleText.escape(String(decoding: utf8, as: UTF8.self), keeping: ["\n", "\r", "\t"])
    shown.withUTF8 { unsafe body($0) }
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
    if !isFirst { cells.append(byte: separator) }
    isFirst = false
  }

  @inline(__always)
  func endCell() {}

  func null() {
    beginCell()
    cells.append(nullText)
  }

  func endRow() throws(OutputError) {
    cells.append(byte: 0x0A)
    if options.flushesEveryRow { try cells.flush() } else if let failure = cells.failure { throw failure }
  }

  func end() throws(OutputError) { try cells.flush() }
}
