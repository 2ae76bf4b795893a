import Foundation
import GraphStoreReports

/// Reader of statements from a file, from standard input or from lines given as options, as far as they are
/// asked for.
final class ScriptReader {
  private let nextLine: () throws(ShellError) -> [UInt8]?
  private let name: String
  private var lexer: ShellLexer
  private var lineNumber = 0
  private var isAtEnd = false
  private var queue: ArraySlice<ShellStatement> = []

  init(name: String, nextLine: @escaping () throws(ShellError) -> [UInt8]?) {
    self.name = name
    self.nextLine = nextLine
    lexer = ShellLexer(name: name)
  }

  /// Lines given by `-c`, or under another name; positions count them.
  convenience init(lines: [String], name: String = "-c") {
    var rest = lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }[...]
    self.init(name: name) { () throws(ShellError) in rest.popFirst().map { Array($0.utf8) } }
  }

  /// A file, or standard input for `-`.
  /// - Parameter interruption: what ends a wait for lines, where a person can ask for it.
  convenience init(path: String, interruption: StatementInterruption? = nil) throws(ShellError) {
    if path == "-" {
      let lines = FileLines(
        descriptor: STDIN_FILENO, closes: false, name: "<stdin>", interruption: interruption)
      self.init(name: "<stdin>", nextLine: lines.next)
    } else {
      let lines = try FileLines(path: path, interruption: interruption)
      self.init(name: path, nextLine: lines.next)
    }
  }

  /// The next statement, nil at the end.
  ///
  /// After an error in one line reading can go on with the next one.
  func next() throws(ShellError) -> ShellStatement? {
    while true {
      if let statement = queue.popFirst() { return statement }
      if isAtEnd { return nil }
      try readLine()
    }
  }

  private func readLine() throws(ShellError) {
    let bytes: [UInt8]?
    do {
      bytes = try nextLine()
    } catch {
      isAtEnd = true
      throw error
    }
    guard var line = bytes else {
      isAtEnd = true
      queue = try lexer.finish()[...]
      return
    }
    lineNumber += 1
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if lineNumber == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    guard let text = String(validating: line, as: UTF8.self) else {
      _ = lexer.feed("")
      lexer.reset()
      throw invalid(line)
    }
    queue = lexer.feed(text)[...]
  }

  private func invalid(_ line: [UInt8]) -> ShellError {
    let text = String(decoding: line, as: UTF8.self)
    let before = text.firstIndex(of: "\u{FFFD}").map { text[..<$0].utf8.count } ?? 0
    return ShellError(
      code: .invalidUTF8, message: "the line is not valid UTF-8", exitCode: .dataError,
      hint: "convert the file: iconv -f LATIN1 -t UTF-8",
      place: ShellPlace(
        source: ShellSource(name: name, firstLine: lineNumber, text: text), range: before..<before + 3))
  }
}
