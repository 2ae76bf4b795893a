import Foundation
import GraphStoreReports

/// Dot commands that start programs.
extension StatementDispatcher {
  func runProgram(of statement: ShellStatement) throws {
    let words = statement.words.dropFirst()
    guard let first = words.first, let last = words.last else { return }
    let isOneText = words.count == 1 && first.isQuoted
    let range = first.range.lowerBound..<last.range.upperBound
    let code = try run(isOneText ? first.text : String(statement.source.text(in: range)))
    guard code != 0 else { return }
    throw ShellError(
      code: .programFailed, message: "the command line ended with \(code)",
      exitCode: .failure, wordIndex: 1)
  }

  private func run(_ command: String) throws -> Int32 {
    do { return try ForegroundProcess(command).wait() } catch {
      throw ShellError(
        code: .programFailed, message: "the command line cannot be started: \(error.reason)",
        exitCode: .failure, wordIndex: 1)
    }
  }

  /// Has the last entry edited, and runs what came of it as one script.
  func edit() throws -> Step {
    let former = history?().last { !$0.hasPrefix(".edit") } ?? ""
    let file = try EditedFile(former)
    defer { file.remove() }
    let editor =
      ["GRAPHSTORE_EDITOR", "VISUAL", "EDITOR"].lazy
      .compactMap { self.environment[$0] }.first { !$0.isEmpty } ?? "vi"
    let code = try run("\(editor) \(ShellQuoting.word(file.path))")
    guard code == 0 else {
      throw ShellError(
        code: .programFailed, message: "the editor ended with \(code); nothing was run",
        exitCode: .failure, hint: "set GRAPHSTORE_EDITOR to another one", wordIndex: 0)
    }
    let text = try file.text()
    guard text != former, text.contains(where: { !$0.isWhitespace }) else {
      inform("nothing was changed, and nothing run")
      return .next
    }
    remember?(text)
    return try ScriptRunner(dispatcher: self).read(ScriptReader(lines: [text], name: ".edit"))
  }
}

/// File that a text is edited in.
struct EditedFile {
  let path: String

  /// Makes the file, for its owner alone.
  init(_ text: String) throws(ShellError) {
    let folder = FileManager.default.temporaryDirectory.path
    path = "\(folder)/graphstore-\(UUID().uuidString).gs"
    let bytes = Data((text.isEmpty ? "" : text + "\n").utf8)
    guard
      FileManager.default.createFile(atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600])
    else {
      throw ShellError(
        code: .unreadableFile, message: "\(path) cannot be made", exitCode: .cannotCreate,
        hint: "set TMPDIR to a folder that can be written", wordIndex: 0)
    }
  }

  /// The text, without line ends behind it.
  func text() throws(ShellError) -> String {
    guard let bytes = FileManager.default.contents(atPath: path),
      let text = String(validating: bytes, as: UTF8.self)
    else {
      throw ShellError(
        code: .invalidUTF8, message: "what the editor has left is no text in UTF-8", exitCode: .dataError,
        wordIndex: 0)
    }
    return text.trimmingSuffix { $0.isNewline }
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
