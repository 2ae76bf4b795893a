import Foundation

/// Writer of aligned columns, boxed on a terminal.
///
/// The widths are known only at the end, so nothing is written before; large tables wait in a temporary file.
/// Only a terminal, or an explicit width, cuts; ids, numbers and dates are never cut.
final class TableResultWriter: PlainResultWriter {
  /// Wider columns are not padded: one value of ten megabytes would make every row that long.
  private static let widestPadding = 200

  let timeZone: TimeZone?
  let referenceSeparator: StaticString = ", "
  // Changes with every cell: not checked for exclusivity, as in `OutputBuffer`.
  @safe @exclusivity(unchecked) var references = ReferenceList.none
  private let output: OutputBuffer
  private let options: WriterOptions
  private let table: TableCellSpool
  @safe @exclusivity(unchecked) private var columns: [OutputColumn] = []
  @safe @exclusivity(unchecked) private var widths: ContiguousArray<Int> = []
  @safe @exclusivity(unchecked) private var column = 0
  @safe @exclusivity(unchecked) private var rows = 0
  private let nullText: String

  init(_ output: OutputBuffer, _ options: WriterOptions, memory: Int = 8 << 20) {
    self.output = output
    self.options = options
    table = TableCellSpool(limit: memory)
    timeZone = options.timeZone
    nullText = VisibleText.escape(options.visibleNull)
  }

  var cells: OutputBuffer { table.output }

  func begin(columns: [OutputColumn]) {
    self.columns = columns.map {
      OutputColumn(
        VisibleText.escape($0.name), type: VisibleText.escape($0.type), alignment: $0.alignment, cut: $0.cut)
    }
    widths = ContiguousArray(
      self.columns.map {
        guard options.showsHeader else { return 0 }
        let type = options.terminal.isTerminal ? DisplayWidth.of($0.type) : 0
        return max(DisplayWidth.of($0.name), type)
      })
  }

  func beginRow() {
    column = 0
    rows += 1
  }

  func beginCell() { table.beginCell() }

  /// Ends a cell of ASCII text, which all are but those of free text.
  func endCell() { unsafe endCell(width: table.current.count) }

  private func endCell(width: Int, isNull: Bool = false) {
    table.endCell(width: width, isNull: isNull)
    if column < widths.count, width > widths[column] { widths[column] = width }
    column += 1
  }

  func null() {
    beginCell()
    cells.append(nullText)
    endCell(width: DisplayWidth.of(nullText), isNull: true)
  }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    beginCell()
    let width = unsafe cells.append(visible: utf8)
    endCell(width: width)
  }

  func reference(_ entity: EntityLabel, key: Int64, isTemporary: Bool) {
    switch references {
    case .none: beginCell()
    case .empty: references = .filled
    case .filled: cells.append(literal: referenceSeparator)
    }
    cells.append(entity, key: key, isTemporary: isTemporary)
    if case .none = references { unsafe endCell(width: DisplayWidth.of(table.current)) }
  }

  func endReferences() {
    references = .none
    unsafe endCell(width: DisplayWidth.of(table.current))
  }

  func endRow() throws(OutputError) { try table.endRow() }

  func end() throws(OutputError) {
    let layout = layout()
    if layout.isVertical {
      try writeLines()
    } else {
      try writeTable(layout)
    }
    try output.flush()
  }

  private func writeTable(_ layout: TableLayout) throws(OutputError) {
    let painter = TablePainter(output, columns: columns, layout: layout, options: options)
    painter.begin()
    try unsafe forEachCell { index, cell, bytes in
      unsafe painter.cell(index, bytes, width: Int(cell.width), isNull: cell.isNull)
    }
    painter.end()
  }

  /// Writes each value on a line of its own.
  private func writeLines() throws(OutputError) {
    let labels = LineLabels(columns, options)
    var isFirst = true
    try unsafe forEachCell { index, cell, bytes in
      if index == 0, !isFirst { self.output.append(byte: 0x0A) }
      isFirst = false
      self.output.append(labels[index])
      let style: Style? = cell.isNull && self.options.terminal.usesColor ? .dim : nil
      if let style { self.output.append(style.rawValue) }
      unsafe self.output.append(bytes)
      if style != nil { self.output.append(Style.reset) }
      self.output.append(byte: 0x0A)
    }
  }

  private func forEachCell(
    _ body: (Int, TableCellSpool.Cell, UnsafeBufferPointer<UInt8>) -> Void
  ) throws(OutputError) {
    var index = 0
    let count = max(1, columns.count)
    try unsafe table.forEach { cell, bytes throws(OutputError) in
      unsafe body(index, cell, bytes)
      index += 1
      if index == count {
        index = 0
        if let failure = output.failure { throw failure }
      }
    }
  }

  private func layout() -> TableLayout {
    let natural = Array(widths)
    let width = options.width ?? (options.terminal.isTerminal ? options.terminal.columns ?? 0 : 0)
    guard width > 0 else { return TableLayout(natural.map { min($0, Self.widestPadding) }) }
    let isBoxed = options.terminal.isTerminal
    return TableLayout(columns, natural, rows: rows, into: width) { count in
      isBoxed ? 3 * count + 1 : 2 * max(0, count - 1)
    }
  }
}
