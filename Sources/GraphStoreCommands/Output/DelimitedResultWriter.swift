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
