/// Layout of a table: which columns are shown, and how wide each of them is.
struct TableLayout: Equatable {
  /// No text is made narrower than this for the sake of another column.
  static let narrowestText = 12

  /// The positions of the columns that are shown.
  var shown: [Int]
  /// The width of each of those.
  var widths: [Int]
  /// Whether each value stands on a line of its own, for the columns would not do.
  var isVertical = false

  /// All columns, as wide as they are.
  init(_ widths: [Int]) {
    shown = Array(widths.indices)
    self.widths = widths
  }

  /// The columns that fit into a width: texts give way first, the widest before the others; then columns are
  /// left out.
  ///
  /// A single row of which something would be left out, and a table of which no two columns would be left, is
  /// vertical.
  ///
  /// - Parameters:
  ///   - widths: What each column needs to be shown whole.
  ///   - overhead: What the lines and gaps between a number of columns take.
  init(
    _ columns: [OutputColumn], _ widths: [Int], rows: Int, into width: Int, overhead: (Int) -> Int
  ) {
    self.init(widths)
    if widths.reduce(overhead(widths.count), +) <= width { return }
    let least = zip(columns, widths).map { $0.cut == .never ? $1 : min($1, Self.narrowestText) }
    shown = []
    var used = 0
    for index in columns.indices where used + least[index] + overhead(shown.count + 1) <= width {
      shown.append(index)
      used += least[index]
    }
    let isShort = shown.count < columns.count
    // Without rows there is nothing to stand on lines, and the names of the columns are all there is to see.
    guard !shown.isEmpty, !isShort || rows == 0 || (rows > 1 && shown.count > 1) else {
      shown = Array(columns.indices)
      isVertical = true
      return
    }
    let texts = shown.indices.filter { columns[shown[$0]].cut != .never }
    self.widths = shown.map { widths[$0] }
    let fixed = shown.map { columns[$0].cut == .never ? widths[$0] : 0 }.reduce(overhead(shown.count), +)
    for (place, width) in zip(texts, Self.share(texts.map { self.widths[$0] }, width - fixed)) {
      self.widths[place] = width
    }
  }

  /// Widths that together take no more than `room`: the widest give way first.
  private static func share(_ widths: [Int], _ room: Int) -> [Int] {
    guard widths.reduce(0, +) > room else { return widths }
    var left = room
    var limit = 0
    for (index, width) in widths.sorted().enumerated() {
      limit = left / (widths.count - index)
      if width > limit { break }
      left -= width
    }
    return widths.map { min($0, limit) }
  }
}
