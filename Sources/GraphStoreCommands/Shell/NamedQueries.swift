import Foundation
import GraphStore
import GraphStoreReports

/// Statements that a person keeps under names, in `$XDG_CONFIG_HOME/graphstore/queries.json`.
///
/// The file is one JSON object, which may be written by hand as well; it is replaced as a whole.
struct NamedQueries {
  let path: String
  private static let sizeLimit = 1_000_000

  /// - Returns: Nil where there is no home to keep them in.
  init?(environment: [String: String]) {
    var folder = environment["XDG_CONFIG_HOME"] ?? ""
    if !folder.hasPrefix("/") {
      guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
      folder = home + "/.config"
    }
    path = folder + "/graphstore/queries.json"
  }

  /// The texts by their names.
  func all() throws(ShellError) -> [String: String] {
    guard unsafe access(path, F_OK) == 0 else { return [:] }
    let value: JSONValue
    do {
      value = try JSONText.value(
        try InputFile.contents(path: path, limit: Self.sizeLimit, as: "named queries"))
    } catch {
      throw unreadable()
    }
    guard case .object(let members) = value else { throw unreadable() }
    var texts: [String: String] = [:]
    for (name, value) in members {
      guard case .string(let text) = value else { throw unreadable() }
      texts[name] = text
    }
    return texts
  }

  /// Keeps other ones.
  func replace(by texts: [String: String]) throws {
    let folder = (path as NSString).deletingLastPathComponent
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw OutputError(.cannotCreate, "cannot create the folder \"\(folder)\"")
    }
    let output = OutputBuffer.memory()
    var json = JSONBuilder(output)
    json.beginObject()
    for (name, text) in texts.sorted(by: { $0.key < $1.key }) { json.member(name, text) }
    json.endObject()
    let file = try AtomicFile(path: path)
    file.output.append(output.consumeString() + "\n")
    try file.commit()
  }

  private func unreadable() -> ShellError {
    ShellError(
      code: .unreadableFile, message: "\(path) is no JSON object of names and statements",
      exitCode: .dataError, hint: "correct it, or move it away")
  }
}

/// What `.query` is asked to do.
enum QueryAction: String, CaseIterable, Sendable {
  case list, save, run, drop
}

extension StatementDispatcher {
  func runQueryCommand(_ arguments: [String]) throws -> Step {
    guard let queries else { return .next }
    guard let action = QueryAction(rawValue: arguments[0]) else {
      throw ShellError(
        code: .wrongArgument, message: ".query cannot \"\(arguments[0])\"",
        hint: "write \(DotCommand.query.usage)",
        suggestions: NearestNames.names(near: arguments[0], among: QueryAction.allCases.map(\.rawValue)),
        wordIndex: 1)
    }
    var texts = try queries.all()
    if action == .list {
      guard arguments.count == 1 else {
        throw ShellError(
          code: .wrongArgument, message: ".query list takes no name", hint: "write .query list", wordIndex: 2)
      }
      if texts.isEmpty { output.line("no statement is kept") }
      for (name, text) in texts.sorted(by: { $0.key < $1.key }) { output.line("\(name)  \(text)") }
      return .next
    }
    guard arguments.count == 2 else {
      throw ShellError(
        code: .wrongArgument, message: ".query \(action.rawValue) needs a name",
        hint: "write .query \(action.rawValue) NAME", wordIndex: 1)
    }
    let name = arguments[1]
    if action == .save {
      guard let lastStatement else {
        throw ShellError(
          code: .wrongArgument, message: "there is no statement to keep yet",
          hint: "run it, then write .query save \(name)", wordIndex: 1)
      }
      texts[name] = lastStatement.text
      try queries.replace(by: texts)
      inform("kept as \(name): \(lastStatement.text)")
      return .next
    }
    guard let text = texts[name] else {
      throw ShellError(
        code: .unknownQuery, message: "no statement is kept as \"\(name)\"",
        hint: texts.isEmpty ? "keep one with .query save NAME" : ".query list shows what there is",
        suggestions: NearestNames.names(near: name, among: texts.keys.sorted()), wordIndex: 2)
    }
    if action == .run {
      return try ScriptRunner(dispatcher: self).read(ScriptReader(lines: [text], name: name))
    }
    texts[name] = nil
    try queries.replace(by: texts)
    return .next
  }
}
