/// Excerpt of a source line that holds a problem, cut to fit, with carets that point at it.
struct SourceExcerpt {
  /// The line, safe to show.
  private(set) var text = ""
  /// What stands before the carets, so that they come to stand under the problem: tabs stay tabs.
  private(set) var indent = ""
  /// As many carets as the problem is wide, at least one.
  private(set) var carets = ""

  /// At most this many bytes on each side of the problem are looked at.
  private static let reach = 2048

  init(_ source: Diagnostic.Source, columns: Int) {
    let bytes = Array(source.text.utf8)
    let offset = Self.characterStart(bytes, min(max(0, source.offset), bytes.count))
    let lineStart = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let lineEnd = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
    let start = Self.characterStart(bytes, max(lineStart, offset - Self.reach))
    let end = Self.characterStart(bytes, min(lineEnd, offset + Self.reach))
    let problemEnd = Self.characterStart(bytes, min(end, max(offset, offset + max(0, source.length))))

    var before = Array(Self.shown(bytes[start..<offset]))
    let problem = Array(Self.shown(bytes[offset..<problemEnd]))
    var after = Array(Self.shown(bytes[problemEnd..<end]))
    var isCutBefore = start > lineStart
    var isCutAfter = end < lineEnd

    func width(_ characters: [Character]) -> Int { characters.reduce(0) { $0 + Self.width($1) } }
    if width(before) + width(problem) + width(after) > columns {
      let share = max(8, (columns - min(width(problem), columns / 2)) / 2)
      if width(before) > share * 3 / 2 {
        before = Self.suffix(before, columns: share)
        isCutBefore = true
      }
      let rest = max(8, columns - width(before) - width(problem))
      if width(after) > rest {
        after = Self.prefix(after, columns: rest)
        isCutAfter = true
      }
    }
    let shownProblem = Self.prefix(problem, columns: max(8, columns))
    if shownProblem.count < problem.count {
      after = []
      isCutAfter = true
    }
    text =
      (isCutBefore ? "…" : "") + String(before) + String(shownProblem) + String(after)
      + (isCutAfter ? "…" : "")
    indent = isCutBefore ? " " : ""
    for character in before {
      indent += character == "\t" ? "\t" : String(repeating: " ", count: Self.width(character))
    }
    carets = String(repeating: "^", count: max(1, width(shownProblem)))
  }

  /// The beginning of the character that the byte at `index` belongs to.
  private static func characterStart(_ bytes: [UInt8], _ index: Int) -> Int {
    var index = index
    while index > 0, index < bytes.count, bytes[index] & 0xC0 == 0x80 { index -= 1 }
    return index
  }

  private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
    var text = String(decoding: bytes, as: UTF8.self)
    if text.hasSuffix("\r") { text.removeLast() }
    return VisibleText.escape(text, keeping: ["\t"])
  }

  private static func width(_ character: Character) -> Int {
    character == "\t" ? 1 : DisplayWidth.of(character)
  }

  private static func prefix(_ characters: [Character], columns: Int) -> [Character] {
    var used = 0
    return Array(
      characters.prefix {
        used += width($0)
        return used <= columns
      })
  }

  private static func suffix(_ characters: [Character], columns: Int) -> [Character] {
    prefix(characters.reversed(), columns: columns).reversed()
  }
}
