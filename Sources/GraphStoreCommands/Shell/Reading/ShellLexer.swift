/// Lexer of lines into statements and words, as POSIX sh splits them but without expanding anything.
///
/// Lines are fed one at a time; statements come out once nothing is open. A line stays open while a quote or
/// bracket is open or while it ends in a backslash. `;` separates statements outside quotes and brackets. A
/// line whose first non-blank is `#` is a comment. A bare `where`, in either case of letters, takes the raw
/// text up to the next word that begins with `--`.
struct ShellLexer {
  private enum Mode {
    case between, word, singleQuote, doubleQuote, raw, rawSingleQuote, rawDoubleQuote
  }

  private let name: String?
  private var nextLine: Int
  private var firstLine: Int
  private var bytes: [UInt8] = []
  private var mode = Mode.between
  private var brackets: [(opener: ShellOpener, offset: Int)] = []
  private var quoteOffset = 0
  private var isContinued = false
  private var word = WordBuilder()
  private var words: [ShellWord] = []
  private var finished: [[ShellWord]] = []

  /// - Parameter name: the file's name for positions; nil for what is typed.
  init(name: String? = nil, firstLine: Int = 1) {
    self.name = name
    self.firstLine = firstLine
    nextLine = firstLine
  }

  /// What keeps the block open: the innermost quote or bracket, else a backslash at the end; nil if nothing
  /// does.
  var opener: ShellOpener? {
    switch mode {
    case .singleQuote, .rawSingleQuote: .singleQuote
    case .doubleQuote, .rawDoubleQuote: .doubleQuote
    case .between, .word, .raw: brackets.last?.opener ?? (isContinued ? .continuation : nil)
    }
  }

  /// Scans one line without its newline; returns the statements of the block if the line closes it.
  mutating func feed(_ line: some StringProtocol) -> [ShellStatement] {
    if bytes.isEmpty { firstLine = nextLine }
    nextLine += 1
    let start = bytes.count
    bytes.append(contentsOf: line.utf8)
    bytes.append(UInt8(ascii: "\n"))
    isContinued = false
    if isComment(from: start) {
      if opener == nil && start == 0 { bytes.removeAll(keepingCapacity: true) }
      // A comment within a block that a backslash keeps open does not close it.
      isContinued = start > 0 && brackets.isEmpty
      return []
    }
    scan(from: start)
    guard opener == nil else { return [] }
    return closeBlock()
  }

  /// Ends the input: what a trailing backslash held back comes out, anything else that is open is an error.
  mutating func finish() throws(ShellError) -> [ShellStatement] {
    guard let opener else { return [] }
    if opener == .continuation { return feed("") }
    let offset = opener.isQuote ? quoteOffset : brackets.last?.offset ?? 0
    let source = ShellSource(name: name, firstLine: firstLine, text: blockText)
    throw ShellError(
      code: opener.isQuote ? .unclosedQuote : .unclosedBracket,
      message: "the \(opener.isQuote ? "quote" : "bracket") \(opener.rawValue) is never closed",
      hint: opener.isQuote ? "put a backslash before a quote that stands for itself" : nil,
      place: ShellPlace(source: source, range: offset..<offset + 1))
  }

  /// Drops the open block, as Ctrl-C does.
  mutating func reset() {
    self = ShellLexer(name: name, firstLine: nextLine)
  }

  /// What stands before the cursor when `text` follows the lines fed so far.
  func partial(_ text: String) -> ShellPartial {
    var copy = self
    copy.finished = []
    let base = copy.bytes.count
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines.dropLast() { _ = copy.feed(line) }
    let blockBase = copy.bytes.count
    let last = lines.last ?? ""
    copy.bytes.append(contentsOf: last.utf8)
    // Offsets are reported within `text`.
    let shift = lines.count == 1 ? base : blockBase - (text.utf8.count - last.utf8.count)
    if copy.isComment(from: blockBase) {
      return ShellPartial(words: [], current: nil, isComment: true)
    }
    copy.scan(from: blockBase)
    var current: ShellPartial.Current?
    if copy.mode != .between {
      let quote = copy.opener.flatMap { $0.isQuote ? $0 : nil }
      current = ShellPartial.Current(
        text: String(decoding: copy.word.text, as: UTF8.self), start: copy.word.start - shift,
        quote: copy.mode == .raw || copy.mode == .rawSingleQuote || copy.mode == .rawDoubleQuote
          ? nil : quote,
        isRaw: copy.mode == .raw || copy.mode == .rawSingleQuote || copy.mode == .rawDoubleQuote)
    }
    return ShellPartial(words: copy.words, current: current, isComment: false)
  }

  // MARK: Scanning

  private var blockText: String { String(decoding: bytes.dropLast(), as: UTF8.self) }

  private func isComment(from start: Int) -> Bool {
    guard opener?.isQuote != true else { return false }
    return bytes[start...].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } == UInt8(ascii: "#")
  }

  private mutating func closeBlock() -> [ShellStatement] {
    let source = ShellSource(name: name, firstLine: firstLine, text: blockText)
    let statements = finished.map { ShellStatement(words: $0, source: source) }
    finished.removeAll()
    bytes.removeAll(keepingCapacity: true)
    return statements
  }

  private mutating func scan(from start: Int) {
    var index = start
    while index < bytes.count {
      switch mode {
      case .between, .word: scanPlain(&index)
      case .singleQuote:
        if bytes[index] == UInt8(ascii: "'") { mode = .word } else { word.append(bytes[index], at: index) }
        index += 1
      case .doubleQuote: scanDoubleQuote(&index)
      case .raw: scanRaw(&index)
      case .rawSingleQuote, .rawDoubleQuote: scanRawQuote(&index)
      }
    }
  }

  private mutating func scanPlain(_ index: inout Int) {
    let byte = bytes[index]
    switch byte {
    case UInt8(ascii: "\\"):
      guard index + 1 < bytes.count else { break }
      if bytes[index + 1] == UInt8(ascii: "\n") {
        isContinued = true
      } else {
        beginWord(at: index)
        word.isQuoted = true
        word.append(bytes[index + 1], at: index + 1)
      }
      index += 2
      return
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      beginWord(at: index)
      word.isQuoted = true
      quoteOffset = index
      mode = byte == UInt8(ascii: "'") ? .singleQuote : .doubleQuote
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"):
      endWord(at: index)
      // What ends a bare where is the first of its raw text, or ends that too.
      if mode == .raw { return }
      if byte == UInt8(ascii: "\n"), brackets.isEmpty { endStatement() }
    case UInt8(ascii: ";") where brackets.isEmpty:
      endWord(at: index)
      if mode == .raw { return }
      endStatement()
    default:
      beginWord(at: index)
      trackBracket(byte, at: index)
      word.append(byte, at: index)
    }
    index += 1
  }

  private mutating func scanDoubleQuote(_ index: inout Int) {
    let byte = bytes[index]
    if byte == UInt8(ascii: "\""), mode == .doubleQuote {
      mode = .word
    } else if byte == UInt8(ascii: "\\"), index + 1 < bytes.count {
      let next = bytes[index + 1]
      switch next {
      case UInt8(ascii: "\n"): break
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"), UInt8(ascii: "`"):
        word.append(next, at: index + 1)
      default:
        word.append(byte, at: index)
        word.append(next, at: index + 1)
      }
      index += 1
    } else {
      word.append(byte, at: index)
    }
    index += 1
  }

  private mutating func scanRaw(_ index: inout Int) {
    let byte = bytes[index]
    switch byte {
    case UInt8(ascii: "\\") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n"):
      isContinued = true
      index += 2
      return
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      quoteOffset = index
      mode = byte == UInt8(ascii: "'") ? .rawSingleQuote : .rawDoubleQuote
    case UInt8(ascii: "\n") where brackets.isEmpty:
      endRaw(at: index)
      endStatement()
      index += 1
      return
    case UInt8(ascii: ";") where brackets.isEmpty:
      endRaw(at: index)
      endStatement()
      index += 1
      return
    case UInt8(ascii: "-")
    where brackets.isEmpty && word.endsInBlank && bytes[index...].starts(with: [45, 45]):
      endRaw(at: index)
      return
    default:
      trackBracket(byte, at: index)
    }
    word.append(byte, at: index)
    index += 1
  }

  private mutating func scanRawQuote(_ index: inout Int) {
    let byte = bytes[index]
    word.append(byte, at: index)
    index += 1
    if byte == UInt8(ascii: "\\"), index < bytes.count {
      word.append(bytes[index], at: index)
      index += 1
    } else if byte == (mode == .rawSingleQuote ? UInt8(ascii: "'") : UInt8(ascii: "\"")) {
      mode = .raw
    }
  }

  private mutating func trackBracket(_ byte: UInt8, at index: Int) {
    if let opener = ShellOpener(opening: byte) {
      brackets.append((opener, index))
    } else if let closed = ShellOpener(closing: byte),
      let match = brackets.lastIndex(where: { $0.opener == closed })
    {
      // A bracket closed from outside closes what was left open within it.
      brackets.removeSubrange(match...)
    }
  }

  private mutating func beginWord(at index: Int) {
    guard mode == .between else { return }
    word = WordBuilder(start: index)
    mode = .word
  }

  private mutating func endWord(at index: Int) {
    guard mode == .word else { return }
    let ended = word.build(end: index)
    mode = .between
    guard isWhere(ended) else {
      words.append(ended)
      return
    }
    words.append(ShellWord("--where", range: ended.range, runs: ended.runs))
    word = WordBuilder(start: index)
    mode = .raw
  }

  /// Whether a word begins a predicate without quotes; in capitals it may also be an entity's name, right
  /// behind the command.
  private func isWhere(_ word: ShellWord) -> Bool {
    guard !word.isQuoted, WhereKeyword.isKeyword(word.text), let first = words.first,
      !first.text.hasPrefix(".")
    else { return false }
    return words.count > 1 || word.text == "where"
  }

  private mutating func endRaw(at index: Int) {
    let ended = word.buildTrimmed(end: index)
    mode = .between
    if !ended.text.isEmpty { words.append(ended) }
  }

  private mutating func endStatement() {
    if !words.isEmpty { finished.append(words) }
    words.removeAll()
  }
}

/// Opening token that continues a block on the next line.
enum ShellOpener: String, Hashable, Sendable {
  case parenthesis = "("
  case bracket = "["
  case brace = "{"
  case singleQuote = "'"
  case doubleQuote = "\""
  case continuation = "\\"

  var isQuote: Bool { self == .singleQuote || self == .doubleQuote }

  /// The bracket that a byte opens.
  init?(opening byte: UInt8) {
    switch byte {
    case UInt8(ascii: "("): self = .parenthesis
    case UInt8(ascii: "["): self = .bracket
    case UInt8(ascii: "{"): self = .brace
    default: return nil
    }
  }

  /// The bracket that a byte closes.
  init?(closing byte: UInt8) {
    switch byte {
    case UInt8(ascii: ")"): self = .parenthesis
    case UInt8(ascii: "]"): self = .bracket
    case UInt8(ascii: "}"): self = .brace
    default: return nil
    }
  }
}
