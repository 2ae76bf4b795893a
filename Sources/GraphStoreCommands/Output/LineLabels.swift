/// The names of columns as they stand in front of values that have a line each: padded to one width.
struct LineLabels {
  private let labels: [[UInt8]]
  /// Columns that a label takes, and the gap behind it.
  let width: Int

  init(_ columns: [OutputColumn], _ options: ResultOptions) {
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
