/// Lines of text that are placed as one.
struct TextBlock {
  var lines: [String]

  /// The columns of the widest line.
  var width: Int { lines.map { DisplayWidth.of($0) }.max() ?? 0 }

  /// Places blocks beside each other as long as they fit into `columns`, rows of them below each other.
  static func arranged(_ blocks: [TextBlock], columns: Int, gap: Int = 3) -> [String] {
    var rows: [[TextBlock]] = []
    var used = 0
    for block in blocks {
      let width = block.width
      if rows.isEmpty || used + gap + width > columns {
        rows.append([block])
        used = width
      } else {
        rows[rows.count - 1].append(block)
        used += gap + width
      }
    }
    return Array(rows.map { beside($0, gap: gap) }.joined(separator: [""]))
  }

  private static func beside(_ blocks: [TextBlock], gap: Int) -> [String] {
    let height = blocks.map(\.lines.count).max() ?? 0
    let widths = blocks.map(\.width)
    return (0..<height).map { row in
      var line = ""
      var end = 0
      for (block, width) in zip(blocks, widths) {
        if row < block.lines.count {
          line += padding(end - DisplayWidth.of(line)) + block.lines[row]
        }
        end += width + gap
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
