/// The commands of a session, which begin with a dot.
enum DotCommand: String, CaseIterable, Sendable {
  case help, quit, exit, open, entities, schema, format, fields, null, color, width, timer, explain
  case variable = "var", vars, policy, trace, read, output, once, echo, bail, context
  case begin, commit, savepoint, rollback, undo, redo, status, refresh, validate, last, error, history
  case edit, query, shell

  init?(word: String) {
    guard word.hasPrefix(".") else { return nil }
    self.init(rawValue: String(word.dropFirst()))
  }

  /// The command that somebody means who writes a word without its dot, or as other shells have it.
  init?(meantBy word: String) {
    switch word.lowercased() {
    case "?", "\\?", "\\h": self = .help
    case "q", ":q", "\\q", "bye": self = .quit
    case let word: self.init(rawValue: word)
    }
  }

  var name: String { "." + rawValue }

  /// The name and its arguments.
  var usage: String { arguments.isEmpty ? name : "\(name) \(arguments)" }

  var arguments: String {
    switch self {
    case .help: "[TOPIC]"
    case .exit: "[CODE]"
    case .open: "PATH"
    case .fields: "[ENTITY [KEYS]]"
    case .color: "[auto|always|never]"
    case .output: "[FILE|-]"
    case .once: "FILE"
    case .query: "list|save|run|drop [NAME]"
    case .shell: "COMMAND"
    case .schema: "[ENTITY]"
    case .format: "[FORMAT]"
    case .null: "[TEXT]"
    case .width: "[COLUMNS]"
    case .timer, .explain, .echo, .bail: "on|off"
    case .variable: "name=value"
    case .read: "FILE"
    case .policy: "[POLICY]"
    case .trace: "[KINDS|off]"
    case .history, .undo, .redo: "[N]"
    case .savepoint: "NAME"
    case .refresh: "[ID…]"
    case .rollback: "[NAME]"
    case .context: "new|switch|list|drop"
    default: ""
    }
  }

  var summary: String {
    switch self {
    case .help: "this list, or help on a command; .help keys for the keys"
    case .quit: "leave; asks if there are unsaved changes"
    case .exit: "leave with an exit code; a script that leaves with another than 0 saves nothing"
    case .open: "work on another store; changes have to be saved or dropped before"
    case .fields: "what fetch and get print of an entity without --fields; without keys, the usual"
    case .color: "colours: auto, always or never; without a word, show it"
    case .output: "write the results that follow to a file; without one, to the terminal again"
    case .once: "write the next result to a file"
    case .bail: "whether an error ends a block of several statements that was pasted; on at first"
    case .edit: "write statements in an editor, beginning with the last entry, and run them as .read does"
    case .query: "statements kept under a name: save the last one, run, list or drop them"
    case .shell: "run a command line of the system's shell"
    case .entities: "the entities of the model, with their counts"
    case .schema: "the model, or one entity of it"
    case .format: "output format of the statements that follow; without one, back to each command's own"
    case .null: "how NULL prints; without text, back to the format's own way"
    case .width: "columns to print; without a number, the terminal's"
    case .timer: "print how long each statement takes"
    case .explain: "print how each fetch and count runs, before its result"
    case .variable: "set $name for predicates"
    case .policy:
      "what saves do with conflicts: error, store, memory, overwrite, rollback; without one, show it"
    case .trace: "tell what is done: fetches, saves, faults, misses; without a list, show it"
    case .vars: "the variables that are set"
    case .read: "run a script; all of it or nothing is saved"
    case .echo: "print each statement before it runs"
    case .context: "work in several contexts, scratch contexts among them; see .help context"
    case .begin: "keep changes until .commit or .rollback"
    case .commit: "save what is pending"
    case .savepoint: "name what is pending now, for .rollback NAME"
    case .rollback: "drop what is pending, or what has come since a savepoint"
    case .undo: "take back the last statement that changed something, or the last N; saved outside of .begin"
    case .redo: "bring back what was undone last"
    case .status: "unsaved objects and what has changed of each, how many, what can be undone, and the policy"
    case .refresh: "take over what others have saved, of some objects or of all, and keep unsaved changes"
    case .validate: "values and deletions that a save would refuse; nothing is saved"
    case .last: "run the last fetch, get, count, explain or export again, in the format of now"
    case .error: "the last error in full"
    case .history: "what was typed, the last N entries"
    }
  }

  /// Whether it starts programs or writes files of any name, which `--safe` leaves out.
  var isUnsafe: Bool { [.output, .once, .edit, .shell].contains(self) }

  /// What its help says besides.
  var details: String? { self == .context ? ShellHelp.contexts : nil }

  /// The number of arguments it takes.
  var argumentCount: ClosedRange<Int> {
    switch self {
    case .help, .exit, .schema, .format, .null, .width, .history, .undo, .redo, .rollback, .policy, .trace,
      .color, .output:
      0...1
    case .savepoint, .timer, .explain, .variable, .read, .echo, .once, .bail: 1...1
    case .fields: 0...2
    case .query: 1...2
    case .context: 0...3
    case .refresh: 0...Int.max
    case .shell, .open: 1...Int.max
    default: 0...0
    }
  }
}

/// The texts of `.help`.
enum ShellHelp {
  static func overview(_ commands: [DotCommand]) -> String {
    let width = commands.map(\.usage.count).max() ?? 0
    let list = commands.map { command in
      "  " + command.usage + String(repeating: " ", count: width - command.usage.count + 2) + command.summary
    }
    return """
      Lines are the commands of graphstore without its name: fetch, get, insert, update, delete …
      A bare "where" takes a predicate without quotes. A line goes on while a bracket or quote is
      open or it ends in \\; several statements are separated by ";". Each statement is saved by
      itself, except between .begin and .commit, and in scratch contexts (.help context).

      \(list.joined(separator: "\n"))

      """
  }

  static let contexts = """
      .context new [NAME]             another context over the store, with changes of its own
      .context new --scratch [NAME]   a scratch context: a child of the present one
      .context switch NAME            work in that one; each has its own undo, savepoints and policy
      .context list                   all of them, with their unsaved changes
      .context drop [NAME]            let go of one; asks if there are unsaved changes

    A scratch context sees the unsaved changes of its parent and keeps its own: .commit saves them into the parent,
    where they are unsaved, .rollback drops them. The prompt names the context, but for the first one, main.

    """

  static let keys = """
      Enter            run, or go on if something is open
      Tab              complete; again: list
      Up, Down         older and newer entries
      Ctrl-R           search the history
      Ctrl-C           drop the line, or stop what runs
      Ctrl-D           leave; within a line: delete forward
      Ctrl-A, Ctrl-E   start and end of the line
      Ctrl-Left/Right  word left, word right; also Alt-B, Alt-F
      Ctrl-W, Ctrl-U   delete the word before the cursor, the line
      Ctrl-K, Ctrl-Y   cut to the end, put back
      Ctrl-L           clear the screen
      Ctrl-Z           suspend
    Vi keys and your own bindings come from ~/.editrc.

    """
}
