/// Draws a table whose widths are known.
final class TablePainter {
  private let output: OutputBuffer
  private let columns: [OutputColumn]
  private let widths: [Int]
  private let options: ResultOptions
  private let isBoxed: Bool
  private let isCut: Bool
  /// The vertical line, with its style.
  private let bar: String

  init(_ output: OutputBuffer, _ columns: [OutputColumn], _ widths: [Int], _ options: ResultOptions) {
    self.output = output
    self.columns = columns
    self.widths = widths
    self.options = options
    isBoxed = options.terminal.isTerminal && !columns.isEmpty
    isCut = options.width.map { $0 > 0 } ?? options.terminal.isTerminal
    bar = Style.dim.apply(options.terminal.isUTF8 ? "│" : "|", if: options.terminal.usesColor)
  }

  /// Draws the upper line and the header.
  func begin() {
    guard !columns.isEmpty else { return }
    if isBoxed { rule("┌", "┬", "┐") }
    guard options.showsHeader else { return }
    for (index, column) in columns.enumerated() { label(index, column.name, .bold) }
    guard isBoxed else { return }
    for (index, column) in columns.enumerated() { label(index, column.type, .dim) }
    rule("├", "┼", "┤")
  }

  /// Draws the lower line.
  func end() {
    if isBoxed { rule("└", "┴", "┘") }
  }

  /// Draws one cell, and the line end behind the last one.
  func cell(_ index: Int, _ utf8: UnsafeBufferPointer<UInt8>, width: Int, isNull: Bool) {
    guard index < columns.count else { return }
    let style: Style? = isNull && options.terminal.usesColor ? .dim : nil
    if isCut, width > widths[index] {
      let text = DisplayWidth.cut(
        String(decoding: utf8, as: UTF8.self), to: widths[index], mark: options.terminal.isUTF8 ? "…" : "~")
      place(index, width: DisplayWidth.of(text), style) { output.append(text) }
    } else {
      place(index, width: width, style) { output.append(utf8) }
    }
  }

  private func label(_ index: Int, _ text: String, _ style: Style) {
    let shown =
      isCut ? DisplayWidth.cut(text, to: widths[index], mark: options.terminal.isUTF8 ? "…" : "~") : text
    place(index, width: DisplayWidth.of(shown), options.terminal.usesColor ? style : nil) {
      output.append(shown)
    }
  }

  private func place(_ index: Int, width: Int, _ style: Style?, _ write: () -> Void) {
    let padding = widths[index] - width
    let isRight = columns[index].alignment == .right
    let isLast = index == columns.count - 1
    if isBoxed {
      output.append(bar)
      output.append(byte: UInt8(ascii: " "))
    } else if index > 0 {
      output.append(spaces: 2)
    }
    if isRight { output.append(spaces: padding) }
    if let style { output.append(style.rawValue) }
    write()
    if style != nil { output.append(Style.reset) }
    if !isRight, isBoxed || !isLast { output.append(spaces: padding) }
    if isBoxed { output.append(byte: UInt8(ascii: " ")) }
    guard isLast else { return }
    if isBoxed { output.append(bar) }
    output.append(byte: 0x0A)
  }

  private func rule(_ left: String, _ middle: String, _ right: String) {
    let isUTF8 = options.terminal.isUTF8
    let parts = widths.map { String(repeating: isUTF8 ? "─" : "-", count: $0 + 2) }
    let line =
      isUTF8 ? left + parts.joined(separator: middle) + right : "+" + parts.joined(separator: "+") + "+"
    output.append(Style.dim.apply(line, if: options.terminal.usesColor) + "\n")
  }
}
