/// Collects the bytes of a word and remembers where runs of them stand in the source.
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
