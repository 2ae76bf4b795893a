import Foundation

/// Writer of one value a line behind the name of its column, with a blank line between rows.
///
/// Without a header the values stand alone. Only an explicit width cuts, and only text.
final class LineResultWriter: PlainResultWriter {
  let cells: OutputBuffer
  let timeZone: TimeZone?
  let referenceSeparator: StaticString = ", "
  // Changes with every cell: not checked for exclusivity, as in `OutputBuffer`.
  @safe @exclusivity(unchecked) var references = ReferenceList.none
  private let options: WriterOptions
  @safe @exclusivity(unchecked) private var labels: LineLabels
  @safe @exclusivity(unchecked) private var column = 0
  @safe @exclusivity(unchecked) private var hasRows = false

  init(_ output: OutputBuffer, _ options: WriterOptions) {
    cells = output
    self.options = options
    timeZone = options.timeZone
    labels = LineLabels([], options)
  }

  func begin(columns: [OutputColumn]) {
    labels = LineLabels(columns, options)
  }

  func beginRow() {
    column = 0
    if hasRows { cells.append(byte: 0x0A) }
    hasRows = true
  }

  func beginCell() {
    cells.append(labels[column])
    column += 1
  }

  func endCell() {
    cells.append(byte: 0x0A)
  }

  func null() {
    beginCell()
    cells.append(Style.dim.apply(VisibleText.escape(options.visibleNull), if: options.terminal.usesColor))
    endCell()
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    beginCell()
    if let width = options.width, width > 0 {
      let shown = unsafe VisibleText.escape(String(decoding: utf8, as: UTF8.self))
      cells.append(
        DisplayWidth.cut(shown, to: max(1, width - labels.width), mark: options.terminal.cutMark))
    } else {
      unsafe cells.append(visible: utf8)
    }
    endCell()
  }

  func endRow() throws(OutputError) {
    if options.flushesEveryRow { try cells.flush() } else if let failure = cells.failure { throw failure }
  }

  func end() throws(OutputError) { try cells.flush() }
}

/// The names of columns as they stand in front of values that have a line each: padded to one width.
struct LineLabels {
  private let labels: [[UInt8]]
  /// Columns that a label takes, and the gap behind it.
  let width: Int

  init(_ columns: [OutputColumn], _ options: WriterOptions) {
    guard options.showsHeader else {
      labels = columns.map { _ in [] }
      width = 0
      return
    }
    let shown = columns.map { VisibleText.escape($0.name) }
    let widest = shown.reduce(0) { max($0, DisplayWidth.of($1)) }
    labels = shown.map { name in
      let padded = name + String(repeating: " ", count: widest - DisplayWidth.of(name))
      return Array((Style.bold.apply(padded, if: options.terminal.usesColor) + "  ").utf8)
    }
    width = widest + 2
  }

  /// The label of a column.
  subscript(_ column: Int) -> [UInt8] { column < labels.count ? labels[column] : [] }
}
