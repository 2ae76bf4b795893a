/// One word of a statement after quotes and backslashes are gone, with its place in the source.
struct ShellWord: Hashable, Sendable {
  /// Where a run of the word's text begins in the source; within a run both advance together.
  struct Run: Hashable, Sendable {
    var textOffset: Int
    var sourceOffset: Int
  }

  var text: String
  /// The word in the source, quotes included, in UTF-8 bytes.
  var range: Range<Int>
  /// True if any part of the word stood in quotes or behind a backslash.
  var isQuoted: Bool
  /// True for the raw text behind a bare `where`.
  var isRaw: Bool
  var runs: [Run]

  init(_ text: String, range: Range<Int>, isQuoted: Bool = false, isRaw: Bool = false, runs: [Run]? = nil) {
    self.text = text
    self.range = range
    self.isQuoted = isQuoted
    self.isRaw = isRaw
    self.runs = runs ?? [Run(textOffset: 0, sourceOffset: range.lowerBound)]
  }

  /// Where a UTF-8 offset of the word's text stands in the source: a predicate's error is shown in the line as typed.
  func sourceOffset(of textOffset: Int) -> Int {
    guard let run = runs.last(where: { $0.textOffset <= textOffset }) else { return range.lowerBound }
    return min(run.sourceOffset + textOffset - run.textOffset, range.upperBound)
  }

  /// Where a UTF-8 range of the word's text stands in the source.
  func sourceRange(of textRange: Range<Int>) -> Range<Int> {
    let start = sourceOffset(of: textRange.lowerBound)
    guard !textRange.isEmpty else { return start..<start }
    let end = min(sourceOffset(of: textRange.upperBound - 1) + 1, range.upperBound)
    return min(start, end)..<end
  }
}
