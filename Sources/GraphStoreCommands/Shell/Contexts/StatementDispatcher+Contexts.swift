import GraphStorePredicates
import GraphStoreReports

/// What `.context` does.
enum ContextAction: String, CaseIterable, Sendable {
  case new, `switch`, list, drop
}

extension StatementDispatcher {
  func runContextCommand(_ arguments: [String]) throws {
    guard let executor = executor as? any ContextExecutor else { return }
    let action = try arguments.first.map(action) ?? .list
    let words = Array(arguments.dropFirst())
    do {
      switch action {
      case .new: try makeContext(words, executor)
      case .switch:
        try executor.switchContext(to: try name(in: words, action))
        tellPresent()
      case .list:
        try refuse(words, from: 0, action)
        for line in ContextListing.lines(executor.status.contexts) { output.line(line) }
      case .drop: try drop(words, executor)
      }
    } catch var error as ShellError {
      error.wordIndex = error.wordIndex ?? min(2, arguments.count)
      throw error
    }
  }

  private func action(_ word: String) throws -> ContextAction {
    if let action = ContextAction(rawValue: word) { return action }
    let names = ContextAction.allCases.map(\.rawValue)
    throw ShellError(
      code: .wrongArgument, message: ".context does not know \"\(word)\"",
      hint: "write .context \(names.joined(separator: "|"))",
      suggestions: NearestNames.names(near: word, among: names), wordIndex: 1)
  }

  private func makeContext(_ words: [String], _ executor: any ContextExecutor) throws {
    let isScratch = words.contains("--scratch")
    let names = words.filter { $0 != "--scratch" }
    try refuse(names, from: 1, .new)
    let name = try names.first.map { name throws(ShellError) in
      try ContextName.checked(name, wordIndex: (words.firstIndex(of: name) ?? 0) + 2)
    }
    try executor.makeContext(named: name, isScratch: isScratch)
    tellPresent()
  }

  private func drop(_ words: [String], _ executor: any ContextExecutor) throws {
    try refuse(words, from: 1, .drop)
    let context = try executor.dropContext(words.first ?? executor.status.present.name)
    let count = context.unsavedCount
    inform("dropped \(context.name)" + (count > 0 ? " and \(count.counted("unsaved change"))" : ""))
    if context.isPresent { tellPresent() }
  }

  private func name(in words: [String], _ action: ContextAction) throws -> String {
    try refuse(words, from: 1, action)
    if let name = words.first { return name }
    throw ShellError(
      code: .wrongArgument, message: ".context \(action.rawValue) needs the name of a context",
      hint: "write .context \(action.rawValue) NAME; .context list has the names", wordIndex: 1)
  }

  private func refuse(_ words: [String], from count: Int, _ action: ContextAction) throws {
    guard words.count > count else { return }
    throw ShellError(
      code: .wrongArgument, message: ".context \(action.rawValue) takes fewer arguments",
      hint: "see .help context", wordIndex: count + 2)
  }

  private func tellPresent() { inform("in context \(executor.status.present.title)") }

  // MARK: All contexts

  /// Saves what is unsaved in any context: scratch contexts into their parents first. The one that fails is
  /// the present one then.
  func commitAll() throws {
    guard let executor = executor as? any ContextExecutor, executor.status.contexts.count > 1 else {
      return try commit()
    }
    let contexts = executor.status.contexts.enumerated()
      .sorted { ($1.element.depth, $0.offset) < ($0.element.depth, $1.offset) }
    for (_, context) in contexts {
      guard executor.status.contexts.first(where: { $0.name == context.name })?.isUnfinished == true else {
        continue
      }
      try executor.switchContext(to: context.name)
      try commit(isOneOfSeveral: true)
    }
  }
}

extension StatementExecutor {
  /// Drops the unsaved changes of all contexts that there are.
  func rollbackEverything() throws {
    guard let executor = self as? any ContextExecutor else { return try rollback() }
    try executor.rollbackAll()
  }
}

extension ShellStatus {
  /// `3 unsaved changes: 1 in main, 2 in draft`
  var unsavedText: String {
    let text = unsavedCount.counted("unsaved change")
    let changed = contexts.filter { $0.unsavedCount > 0 }
    if changed.allSatisfy(\.isPresent) { return text }
    return text + ": " + changed.map { "\($0.unsavedCount) in \($0.name)" }.joined(separator: ", ")
  }
}
