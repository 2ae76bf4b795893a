/// Lays candidates out in columns, as `ls` does.
enum CompletionList {
  static let longest = 200

  static func text(_ names: [String], columns: Int) -> String {
    let shown = names.prefix(longest)
    let width = (shown.map(\.count).max() ?? 0) + 2
    let perRow = max(1, columns / width)
    let rows = (shown.count + perRow - 1) / perRow
    var text = ""
    for row in 0..<rows {
      let cells = stride(from: row, to: shown.count, by: rows).map { shown[$0] }
      for (index, cell) in cells.enumerated() {
        text += cell
        if index < cells.count - 1 { text += String(repeating: " ", count: width - cell.count) }
      }
      text += "\n"
    }
    if names.count > longest { text += "… and \(names.count - longest) more\n" }
    return text
  }
}
