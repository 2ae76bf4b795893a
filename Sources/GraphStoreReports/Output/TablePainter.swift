/// Painter of a table whose layout is known.
final class TablePainter {
  private let output: OutputBuffer
  private let columns: [OutputColumn]
  /// For each column the place where it stands; nil for one that is left out.
  private let places: [Int?]
  private let layout: TableLayout
  private let options: WriterOptions
  private let isBoxed: Bool
  private let isCut: Bool
  /// The vertical line, with its style.
  private let bar: String

  init(
    _ output: OutputBuffer, columns: [OutputColumn], layout: TableLayout, options: WriterOptions
  ) {
    self.output = output
    self.columns = columns
    self.layout = layout
    places = columns.indices.map { layout.shown.firstIndex(of: $0) }
    self.options = options
    isBoxed = options.terminal.isTerminal && !columns.isEmpty
    isCut = options.width.map { $0 > 0 } ?? options.terminal.isTerminal
    bar = Style.dim.apply(options.terminal.isUTF8 ? "│" : "|", if: options.terminal.usesColor)
  }

  /// Draws the upper line and the header.
  func begin() {
    guard !columns.isEmpty else { return }
    if isBoxed { rule("┌", middle: "┬", right: "┐") }
    guard options.showsHeader else { return }
    for (index, column) in columns.enumerated() { label(index, text: column.name, style: .bold) }
    guard isBoxed else { return }
    for (index, column) in columns.enumerated() { label(index, text: column.type, style: .dim) }
    rule("├", middle: "┼", right: "┤")
  }

  /// Draws the lower line, and names the columns that are left out.
  func end() {
    if isBoxed { rule("└", middle: "┴", right: "┘") }
    let names = columns.indices.filter { places[$0] == nil }.map { columns[$0].name }
    guard !names.isEmpty else { return }
    let count = "+\(names.count) column\(names.count == 1 ? "" : "s")"
    let line = "\(count): \(names.joined(separator: ", ")), see --fields"
    for part in LineBreaking.lines(line, columns: options.terminal.columns, indent: 2) {
      output.append(Style.dim.apply(part, if: options.terminal.usesColor) + "\n")
    }
  }

  /// Draws one cell, and the line end behind the last one.
  func cell(_ index: Int, _ utf8: UnsafeBufferPointer<UInt8>, width: Int, isNull: Bool) {
    guard index < columns.count, let place = places[index] else { return }
    let style: Style? = isNull && options.terminal.usesColor ? .dim : nil
    let room = layout.widths[place]
    if isCut, width > room {
      let text = unsafe columns[index].cut.apply(
        to: String(decoding: utf8, as: UTF8.self), room: room, mark: options.terminal.cutMark)
      draw(at: place, width: DisplayWidth.of(text), style: style) { output.append(text) }
    } else {
      draw(at: place, width: width, style: style) { unsafe output.append(utf8) }
    }
  }

  private func label(_ index: Int, text: String, style: Style) {
    guard let place = places[index] else { return }
    let room = layout.widths[place]
    let shown = isCut ? DisplayWidth.cut(text, to: room, mark: options.terminal.cutMark) : text
    draw(at: place, width: DisplayWidth.of(shown), style: options.terminal.usesColor ? style : nil) {
      output.append(shown)
    }
  }

  private func draw(at place: Int, width: Int, style: Style?, _ write: () -> Void) {
    let padding = layout.widths[place] - width
    let isRight = columns[layout.shown[place]].alignment == .right
    let isLast = place == layout.shown.count - 1
    if isBoxed {
      output.append(bar)
      output.append(byte: UInt8(ascii: " "))
    } else if place > 0 {
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

  private func rule(_ left: String, middle: String, right: String) {
    let isUTF8 = options.terminal.isUTF8
    let parts = layout.widths.map { String(repeating: isUTF8 ? "─" : "-", count: $0 + 2) }
    let line =
      isUTF8 ? left + parts.joined(separator: middle) + right : "+" + parts.joined(separator: "+") + "+"
    output.append(Style.dim.apply(line, if: options.terminal.usesColor) + "\n")
  }
}
