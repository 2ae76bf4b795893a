import Foundation

/// Writes rows as aligned columns, boxed on a terminal.
///
/// The widths are known only at the end, so nothing is written before; large tables wait in a temporary file. Only a
/// terminal, or an explicit width, cuts.
final class TableResultWriter: PlainResultWriter {
  /// Wider columns are not padded: one value of ten megabytes would make every row that long.
  private static let widestPadding = 1000

  let timeZone: TimeZone?
  let referenceSeparator: StaticString = ", "
  var references = ReferenceList.none
  private let output: OutputBuffer
  private let options: ResultOptions
  private let table: TableCells
  private var columns: [OutputColumn] = []
  private var widths: ContiguousArray<Int> = []
  private var column = 0
  private let nullText: String

  init(_ output: OutputBuffer, _ options: ResultOptions, memory: Int = 8 << 20) {
    self.output = output
    self.options = options
    table = TableCells(limit: memory)
    timeZone = options.timeZone
    nullText = VisibleText.escape(options.visibleNull)
  }

  var cells: OutputBuffer { table.output }

  func begin(columns: [OutputColumn]) {
    self.columns = columns.map {
      OutputColumn(VisibleText.escape($0.name), type: VisibleText.escape($0.type), alignment: $0.alignment)
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
  }

  func beginCell() { table.beginCell() }

  /// Ends a cell of ASCII text, which all are but those of free text.
  func endCell() { endCell(width: table.current.count) }

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
    let width = cells.append(visible: utf8)
    endCell(width: width)
  }

  func reference(_ entity: EntityLabel, key: Int64, isTemporary: Bool) {
    switch references {
    case .none: beginCell()
    case .empty: references = .filled
    case .filled: cells.append(literal: referenceSeparator)
    }
    cells.append(entity, key: key, isTemporary: isTemporary)
    if case .none = references { endCell(width: DisplayWidth.of(table.current)) }
  }

  func endReferences() {
    references = .none
    endCell(width: DisplayWidth.of(table.current))
  }

  func endRow() throws(OutputError) { try table.endRow() }

  func end() throws(OutputError) {
    let painter = TablePainter(output, columns, layout(), options)
    painter.begin()
    var index = 0
    let count = max(1, columns.count)
    try table.forEach { cell, bytes throws(OutputError) in
      painter.cell(index, bytes, width: Int(cell.width), isNull: cell.isNull)
      index += 1
      if index == count {
        index = 0
        if let failure = output.failure { throw failure }
      }
    }
    painter.end()
    try output.flush()
  }

  private func layout() -> [Int] {
    let natural = Array(widths)
    let width = options.width ?? (options.terminal.isTerminal ? options.terminal.columns ?? 0 : 0)
    if width > 0 {
      let overhead = options.terminal.isTerminal ? 3 * natural.count + 1 : 2 * (natural.count - 1)
      return TableLayout.fit(natural, into: width, overhead: overhead)
    }
    return natural.map { min($0, Self.widestPadding) }
  }
}
