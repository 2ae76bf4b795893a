/// Line index of a text: lines and columns of offsets, by binary search.
package struct TextPositions {
  /// A position in a line from which on characters can be counted alone.
  private struct Mark {
    let offset: Int
    /// The characters of the line before it.
    let column: Int
  }

  /// The maximum number of bytes of a line before there is a mark, where the text allows one.
  private static let markDistance = 1_024

  private let bytes: [UInt8]
  /// The beginnings of lines, and positions inside of long ones: a text of one line has to be as fast as one
  /// of many.
  private let marks: [Mark]
  /// For each mark the number of its line, from 1.
  private let lines: [Int]

  /// The lines of a text in UTF-8.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var marks = [Mark(offset: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0, column: 0)]
    var lines = [1]
    for (offset, byte) in bytes.enumerated() {
      let last = marks[marks.count - 1]
      if byte == 0x0A {
        marks.append(Mark(offset: offset + 1, column: 0))
        lines.append(lines[lines.count - 1] + 1)
      } else if offset - last.offset >= Self.markDistance, Self.isPrintable(byte),
        Self.isPrintable(bytes[offset - 1])
      {
        // Between two printable characters of ASCII no character continues.
        let characters = String(decoding: bytes[last.offset..<offset], as: UTF8.self).count
        marks.append(Mark(offset: offset, column: last.column + characters))
        lines.append(lines[lines.count - 1])
      }
    }
    self.marks = marks
    self.lines = lines
  }

  private static func isPrintable(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) }

  /// The line and the column in characters, both from 1.
  package func position(of offset: Int) -> (line: Int, column: Int) {
    var low = 0
    var high = marks.count
    while low + 1 < high {
      let middle = (low + high) / 2
      if marks[middle].offset <= offset { low = middle } else { high = middle }
    }
    let start = min(marks[low].offset, bytes.count)
    let end = min(max(offset, start), bytes.count)
    let characters = String(decoding: bytes[start..<end], as: UTF8.self).count
    return (lines[low], marks[low].column + characters + 1)
  }
}
