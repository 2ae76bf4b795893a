import GraphStoreReports

/// Prompt of the shell.
struct ShellPrompt: Hashable, Sendable {
  var text: String
  /// True while a block is open; shown dim.
  var isContinuation = false

  /// The prompt in its colour, which ends before the last character.
  ///
  /// libedit shows a sequence together with the character that follows it, and drops one that nothing
  /// follows.
  ///
  /// - Parameter literal: Marks a sequence as one that takes no room.
  func colored(_ literal: (String) -> String) -> String {
    guard let last = text.last else { return text }
    let color: Style = isContinuation ? .dim : .boldCyan
    return literal(color.rawValue) + text.dropLast() + literal(Style.reset) + String(last)
  }

  /// `hr> `, `hr/draft> ` in another context than the first, `hr*> ` within `.begin`, `hr*(+1 ~2 -3)> ` with
  /// unsaved changes, `hr!> ` if the file changed under us.
  static func ready(_ status: ShellStatus) -> ShellPrompt {
    var text = status.storeName
    if status.present.name != SessionContexts.mainName { text += "/" + status.present.name }
    if status.isInTransaction { text += "*" }
    if status.isChangedElsewhere { text += "!" }
    if status.pendingCount > 0 { text += "(\(counts(status)))" }
    return ShellPrompt(text: text + "> ")
  }

  /// `...  (    `, showing what is open.
  static func continuation(_ opener: ShellOpener) -> ShellPrompt {
    ShellPrompt(text: "...  \(opener.rawValue)    ", isContinuation: true)
  }

  private static func counts(_ status: ShellStatus) -> String {
    [("+", status.present.inserted), ("~", status.present.updated), ("-", status.present.deleted)]
      .filter { $0.1 > 0 }
      .map { "\($0.0)\($0.1)" }
      .joined(separator: " ")
  }
}

/// Status of a session for prompt, banner and `.status`; names without anything that a terminal would obey.
struct ShellStatus: Hashable, Sendable {
  /// The store's name without its folder and extension: `hr`.
  var storeName: String
  /// The store's file name: `hr.db`.
  var storeFile: String
  /// The model's name and version: `HR v1`.
  var modelName: String?
  var objectCount: Int?
  /// How many statements can be undone.
  var undoCount = 0
  /// True if another program has changed the file since it was opened or saved.
  var isChangedElsewhere = false
  /// The session's contexts, each before its scratch contexts; one of them is present.
  var contexts = [ContextStatus(name: SessionContexts.mainName, isPresent: true)]

  init(storeName: String, storeFile: String? = nil, modelName: String? = nil, objectCount: Int? = nil) {
    self.storeName = VisibleText.escape(storeName)
    self.storeFile = VisibleText.escape(storeFile ?? storeName)
    self.modelName = modelName.map { VisibleText.escape($0) }
    self.objectCount = objectCount
  }

  /// The context that statements run in.
  var present: ContextStatus {
    get { contexts[presentIndex] }
    set { contexts[presentIndex] = newValue }
  }

  private var presentIndex: Int { contexts.firstIndex(where: \.isPresent) ?? 0 }

  /// True between `.begin` and `.commit` or `.rollback`, and in a scratch context.
  var isInTransaction: Bool { present.keepsChanges }

  /// The number of objects with unsaved changes in the present context.
  var pendingCount: Int { present.unsavedCount }

  /// The number of objects with unsaved changes in all contexts.
  var unsavedCount: Int { contexts.reduce(0) { $0 + $1.unsavedCount } }

  /// Whether changes of any context wait for a decision.
  var isUnfinished: Bool { isInTransaction || contexts.contains(where: \.isUnfinished) }
}

/// Source of lines from a person at a terminal.
protocol LineReading: AnyObject {
  /// Shows the prompt and waits. What was pasted may hold newlines.
  func readLine(prompt: ShellPrompt) -> LineInput

  /// Makes an entry reachable with the up arrow.
  func remember(_ entry: String)
}

/// Answer of a person to a prompt.
enum LineInput: Hashable, Sendable {
  case line(String)
  /// Ctrl-C.
  case interrupted
  /// Ctrl-D on an empty line, or the terminal is gone.
  case endOfInput
  /// A signal asks the program to end.
  case terminated(signal: Int32)
}
