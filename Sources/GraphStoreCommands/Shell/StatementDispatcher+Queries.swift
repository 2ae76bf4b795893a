import GraphStore
import GraphStoreReports

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
