/// Rectangle of text lines that is placed as one.
struct TextBlock {
  var lines: [String]

  /// The columns of the widest line.
  var width: Int { lines.map { DisplayWidth.of($0) }.max() ?? 0 }

  /// Places blocks beside each other as long as they fit into `columns`, then below shorter ones where there
  /// is room, and rows of them below each other.
  static func arranged(_ blocks: [TextBlock], columns: Int, gap: Int = 3) -> [String] {
    var rows: [[TextBlock]] = []
    for block in blocks {
      let row = rows.last ?? []
      let used = row.reduce(0) { $0 + $1.width + gap }
      let height = row.map(\.lines.count).max() ?? 0
      let room = row.firstIndex {
        $0.width >= block.width && $0.lines.count + 1 + block.lines.count <= height
      }
      if row.isEmpty || (used + block.width > columns && room == nil) {
        rows.append([block])
      } else if used + block.width > columns, let room {
        rows[rows.count - 1][room].lines += [""] + block.lines
      } else {
        rows[rows.count - 1].append(block)
      }
    }
    return Array(rows.map { beside($0, gap: gap) }.joined(separator: [""]))
  }

  private static func beside(_ blocks: [TextBlock], gap: Int) -> [String] {
    let height = blocks.map(\.lines.count).max() ?? 0
    let widths = blocks.map(\.width)
    return (0..<height).map { row in
      var line = ""
      var start = 0
      for (block, width) in zip(blocks, widths) {
        if row < block.lines.count, !block.lines[row].isEmpty {
          line += padding(start - DisplayWidth.of(line)) + block.lines[row]
        }
        start += width + gap
      }
      return line
    }
  }

  /// The text filled up to a number of columns.
  static func padded(_ text: String, to columns: Int) -> String {
    text + padding(columns - DisplayWidth.of(text))
  }

  static func padding(_ columns: Int) -> String { String(repeating: " ", count: max(columns, 0)) }

  /// Words in lines of at most so many columns; a word that is wider is broken.
  static func wrapped(_ words: [String], separator: String, columns: Int) -> [String] {
    var lines: [String] = []
    for (position, word) in words.enumerated() {
      var rest = Substring(position < words.count - 1 ? word + separator : word)
      if let last = lines.last, DisplayWidth.of(last) + 1 + DisplayWidth.of(String(rest)) <= columns {
        lines[lines.count - 1] += " " + rest
        continue
      }
      while !rest.isEmpty {
        var end = rest.startIndex
        var width = 0
        while end < rest.endIndex, end == rest.startIndex || width + DisplayWidth.of(rest[end]) <= columns {
          width += DisplayWidth.of(rest[end])
          end = rest.index(after: end)
        }
        lines.append(String(rest[..<end]))
        rest = rest[end...]
      }
    }
    return lines
  }
}
