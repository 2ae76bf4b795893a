import Foundation

/// Writes every value on a line of its own behind the name of its column, with a blank line between rows.
final class LineResultWriter: PlainResultWriter {
  let cells: OutputBuffer
  let timeZone: TimeZone?
  let referenceSeparator: StaticString = ", "
  var references = ReferenceList.none
  private let options: ResultOptions
  private var names: [[UInt8]] = []
  private var column = 0
  private var hasRows = false

  init(_ output: OutputBuffer, _ options: ResultOptions) {
    cells = output
    self.options = options
    timeZone = options.timeZone
  }

  func begin(columns: [OutputColumn]) {
    let shown = columns.map { VisibleText.escape($0.name) }
    let widest = shown.reduce(0) { max($0, DisplayWidth.of($1)) }
    names = shown.map { name in
      let padded = name + String(repeating: " ", count: widest - DisplayWidth.of(name))
      return Array((Style.bold.apply(padded, if: options.terminal.usesColor) + "  ").utf8)
    }
  }

  func beginRow() {
    column = 0
    if hasRows { cells.append(byte: 0x0A) }
    hasRows = true
  }

  func beginCell() {
    if column < names.count { cells.append(names[column]) }
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
    cells.append(visible: utf8)
    endCell()
  }

  func endRow() throws(OutputError) {
    if options.flushesEveryRow { try cells.flush() } else if let failure = cells.failure { throw failure }
  }

  func end() throws(OutputError) { try cells.flush() }
}
