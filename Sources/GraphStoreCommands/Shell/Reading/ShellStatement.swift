/// Statement: one command line of a script or of the shell.
struct ShellStatement: Hashable, Sendable {
  /// At least one word. A bare `where` is already the word `--where`, with its raw text as the word after it.
  var words: [ShellWord]
  var source: ShellSource

  /// From the first word to the last one, in UTF-8 bytes of the source.
  var range: Range<Int> {
    guard let first = words.first, let last = words.last else { return 0..<0 }
    return first.range.lowerBound..<last.range.upperBound
  }

  /// The statement as it was typed.
  var text: String { String(source.text(in: range)) }

  var position: ShellPosition { source.position(at: range.lowerBound) }

  /// The arguments as a program receives them.
  var arguments: [String] { words.map(\.text) }

  var isDotCommand: Bool {
    guard let first = words.first else { return false }
    return !first.isQuoted && first.text.hasPrefix(".")
  }
}

/// Word of a statement, with quotes and backslashes resolved, and its place in the source.
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

  /// Where a UTF-8 offset of the word's text stands in the source: a predicate's error is shown in the line
  /// as typed.
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

/// Builder of a word, which maps runs of its bytes to their places in the source.
struct WordBuilder {
  private(set) var text: [UInt8] = []
  let start: Int
  var isQuoted = false
  private var runs: [ShellWord.Run] = []
  private var nextSource = -1

  init(start: Int = 0) {
    self.start = start
  }

  /// True at the start and behind a blank.
  var endsInBlank: Bool {
    guard let last = text.last else { return true }
    return Self.isBlank(last)
  }

  mutating func append(_ byte: UInt8, at source: Int) {
    if source != nextSource { runs.append(.init(textOffset: text.count, sourceOffset: source)) }
    text.append(byte)
    nextSource = source + 1
  }

  func build(end: Int) -> ShellWord {
    ShellWord(
      String(decoding: text, as: UTF8.self), range: start..<end, isQuoted: isQuoted,
      runs: runs.isEmpty ? [.init(textOffset: 0, sourceOffset: start)] : runs)
  }

  /// The raw text of a `where`, without the blanks around it.
  func buildTrimmed(end: Int) -> ShellWord {
    let leading = text.prefix(while: Self.isBlank).count
    let trailing = text.dropFirst(leading).reversed().prefix(while: Self.isBlank).count
    let kept = text[leading..<text.count - trailing]
    let plain = ShellWord("", range: start..<end, runs: runs)
    let from = plain.sourceOffset(of: leading)
    let to = kept.isEmpty ? from : plain.sourceOffset(of: leading + kept.count - 1) + 1
    let moved = runs.compactMap { run -> ShellWord.Run? in
      let next = run.textOffset - leading
      return next > 0 && next < kept.count ? .init(textOffset: next, sourceOffset: run.sourceOffset) : nil
    }
    return ShellWord(
      String(decoding: kept, as: UTF8.self), range: from..<to, isRaw: true,
      runs: [.init(textOffset: 0, sourceOffset: from)] + moved)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }
}

/// Unfinished line for completion: the words before the cursor's word, and that word up to the cursor.
struct ShellPartial: Hashable, Sendable {
  struct Current: Hashable, Sendable {
    /// The word's text up to the cursor, quotes gone; of a bare `where` the whole raw text.
    var text: String
    /// Where the word begins in the text given, in UTF-8 bytes; negative if on an earlier line.
    var start: Int
    /// The quote that is open at the cursor.
    var quote: ShellOpener?
    var isRaw: Bool
  }

  var words: [ShellWord]
  /// Nil if a new word would begin at the cursor.
  var current: Current?
  var isComment: Bool
}
