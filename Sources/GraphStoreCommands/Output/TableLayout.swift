/// How wide the columns of a table are.
enum TableLayout {
  /// No column is cut below this.
  private static let narrowest = 3

  /// The widths, made smaller where the table would not fit into `columns`: the widest columns give way first.
  ///
  /// - Parameter overhead: What lines and gaps take.
  static func fit(_ widths: [Int], into columns: Int, overhead: Int) -> [Int] {
    let room = columns - overhead
    guard widths.reduce(0, +) > room else { return widths }
    var left = room
    var limit = 0
    for (index, width) in widths.sorted().enumerated() {
      let share = left / (widths.count - index)
      limit = share
      if width > share { break }
      left -= width
    }
    limit = max(limit, narrowest)
    return widths.map { min($0, limit) }
  }
}
