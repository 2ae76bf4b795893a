/// One command line of a script or of the shell.
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
