import GraphStore
import GraphStoreReports

extension StatementDispatcher {
  func runDotCommand(_ statement: ShellStatement) throws -> Step {
    guard let first = statement.words.first else { return .next }
    guard let command = DotCommand(word: first.text), dotCommands.contains(command) else {
      if settings.isSafe, DotCommand(word: first.text)?.isUnsafe == true {
        throw ShellError(
          code: .unknownCommand, message: "\(first.text) is left out by --safe",
          hint: "begin the shell without --safe", wordIndex: 0)
      }
      throw ShellError(
        code: .unknownCommand, message: "unknown command \"\(first.text)\"",
        hint: "\".help\" lists the commands of the session", suggestions: suggestions(for: first.text),
        wordIndex: 0)
    }
    let arguments = statement.arguments.dropFirst().map { $0 }
    guard command.argumentCount.contains(arguments.count) else {
      let isMissing = arguments.count < command.argumentCount.lowerBound
      throw ShellError(
        code: .wrongArgument,
        message: isMissing
          ? "\(command.name) needs \(command.arguments)" : "\(command.name) takes fewer arguments",
        hint: "write \(command.usage)", wordIndex: isMissing ? 0 : command.argumentCount.upperBound + 1)
    }
    switch command {
    case .quit: return .leave(code: 0)
    case .exit:
      let code = try number(arguments.first, in: 0...255, usage: command.usage)
      // What a script says of itself stands for what its statements have answered.
      if code != nil { answer = .success }
      return .leave(code: code ?? 0)
    case .begin, .commit, .savepoint, .rollback, .undo, .redo, .status, .validate:
      try runTransactionCommand(command, arguments.first)
    case .format, .null, .width, .timer, .explain, .variable, .vars, .echo, .policy, .trace, .color, .bail:
      try runSetting(command, arguments.first)
    case .open: try open(arguments)
    case .fields: try setFields(arguments)
    case .output, .once: try setOutput(command, arguments.first)
    case .edit: return try edit()
    case .query: return try runQueryCommand(arguments)
    case .shell: try runProgram(of: statement)
    case .context: try runContextCommand(arguments)
    case .refresh: show(try executor.refresh(arguments), orElse: "nothing to refresh")
    case .read: return try read(arguments[0])
    case .help: try help(arguments.first)
    case .entities: try executor.printEntities(settings: settings)
    case .schema: try executor.printSchema(entity: arguments.first, settings: settings)
    case .last: try printLast()
    case .error: output.write(lastFailure ?? "no error yet\n")
    case .history: try printHistory(arguments.first)
    }
    return .next
  }

  // MARK: Transactions

  private func refuseNestedTransaction() throws {
    let status = executor.status
    guard status.isInTransaction else { return }
    if let parent = status.present.parent {
      throw ShellError(
        code: .nestedTransaction,
        message: "the scratch context \(status.present.name) keeps changes without .begin",
        hint: ".commit saves them into \(parent), .rollback drops them", wordIndex: 0)
    }
    throw ShellError(
      code: .nestedTransaction, message: "there is a transaction already",
      hint: "end it with .commit or .rollback", wordIndex: 0)
  }

  private func runTransactionCommand(_ command: DotCommand, _ argument: String?) throws {
    switch command {
    case .begin:
      try refuseNestedTransaction()
      try executor.begin()
      recordBegin()
    case .commit:
      try requireTransaction(".commit")
      try commit()
    case .savepoint:
      try requireTransaction(".savepoint")
      try (executor as? any UndoingExecutor)?.savepoint(argument ?? "")
    case .rollback where argument != nil:
      try requireTransaction(".rollback")
      try rollBack(to: argument ?? "")
    case .rollback:
      try requireTransaction(".rollback")
      let count = executor.status.pendingCount
      try executor.rollback()
      recordRollback()
      inform(count == 0 ? "nothing to roll back" : "rolled back \(count.counted("change"))")
    case .undo: try undo(argument, command) { try $0.undo() }
    case .redo: try undo(argument, command) { try $0.redo() }
    case .validate:
      show(
        try executor.failuresOfSave(),
        orElse:
          "no value and no deletion would be refused; .commit sees to unique values and what others have saved"
      )
    default:
      show(try executor.pendingObjects(), orElse: "no unsaved changes")
      let status = executor.status
      if status.contexts.count > 1 { output.line("context \(status.present.title)") }
      output.line(summary(status))
    }
  }

  /// What a save would do, what can be taken back, and what becomes of conflicts (CTX-438).
  private func summary(_ status: ShellStatus) -> String {
    let present = status.present
    let counts = "\(present.inserted) inserted, \(present.updated) updated, \(present.deleted) deleted"
    let undo = "\(status.undoCount.counted("statement")) to undo"
    return "\(counts); \(undo); on conflict: \(executor.policy.rawValue)"
  }

  /// The first of many tell what is going on as well as all of them.
  private static let shownPending = 20

  private func show(_ lines: [String], orElse nothing: String) {
    guard !lines.isEmpty else { return output.line(nothing) }
    for line in lines.prefix(Self.shownPending) { output.line(line) }
    let rest = lines.count - Self.shownPending
    if rest > 0 { output.line("… and \(rest) more") }
  }

  /// Saves what is pending and says what of it is saved.
  ///
  /// - Parameter isOneOfSeveral: Whether the contexts are saved one after the other.
  func commit(isOneOfSeveral: Bool = false) throws {
    let name = executor.status.present.name
    let outcome = try executor.commit()
    inform(isOneOfSeveral ? "\(name): \(saved(by: outcome, saysHowToGoOn: false))" : saved(by: outcome))
    guard settings.isInteractive, !outcome.identifiers.isEmpty else { return }
    show(outcome.identifiers.map { "  \($0.former) is now \($0.present)" }, orElse: "")
  }

  private func saved(by outcome: CommitOutcome, saysHowToGoOn: Bool = true) -> String {
    let text = outcome.summary.text
    guard let parent = outcome.savedInto, outcome.summary != SaveSummary() else { return text }
    if !saysHowToGoOn { return "\(text) into \(parent)" }
    return "\(text) into \(parent), which keeps it within .begin: .context switch \(parent), then .commit"
  }

  private func requireTransaction(_ name: String) throws {
    guard !executor.status.isInTransaction else { return }
    throw ShellError(
      code: .noTransaction, message: "\(name) without .begin: each statement is saved by itself",
      hint: "begin with .begin to keep changes together", wordIndex: 0)
  }

  /// Undoes or redoes so many statements, and says which.
  private func undo(
    _ argument: String?, _ command: DotCommand, _ action: (any UndoingExecutor) throws -> String?
  ) throws {
    guard let executor = executor as? any UndoingExecutor else { return }
    for round in 0..<(try number(argument, in: 1...Int32.max, usage: command.usage) ?? 1) {
      guard let text = try action(executor) else {
        if round == 0 { output.line("  nothing to \(command.rawValue)") }
        return
      }
      output.line(VisibleText.escape("  \(command == .undo ? "undone" : "redone"): \(text)", keeping: ["\n"]))
    }
  }

  private func rollBack(to name: String) throws {
    let count = executor.status.pendingCount
    guard try (executor as? any UndoingExecutor)?.rollback(to: name) == true else {
      throw ShellError(
        code: .wrongArgument, message: "there is no savepoint \(name), or what it named was undone",
        hint: "name one with .savepoint \(name)", wordIndex: 1)
    }
    inform("rolled back to \(name): \(executor.status.pendingCount.counted("change")) of \(count) left")
  }

  /// What people want to know, and scripts do not.
  func inform(_ text: String) {
    if settings.isInteractive { output.line(text + ".") }
  }

  // MARK: Settings

  private func runSetting(_ command: DotCommand, _ argument: String?) throws {
    switch command {
    case .format:
      if let argument, !executor.formatNames.contains(argument) {
        throw ShellError(
          code: .wrongArgument, message: "there is no format \"\(argument)\"",
          hint: "formats: \(executor.formatNames.joined(separator: ", "))", wordIndex: 1)
      }
      settings.format = argument
    case .null: settings.null = argument
    case .width: settings.width = try number(argument, in: 1...10_000, usage: command.usage).map(Int.init)
    case .color: try setColor(argument)
    case .bail: settings.bails = try isOn(argument, command)
    case .timer: settings.showsTime = try isOn(argument, command)
    case .explain: settings.explains = try isOn(argument, command)
    case .echo: settings.echoes = try isOn(argument, command)
    case .variable: try setVariable(argument ?? "")
    case .policy: try setPolicy(argument)
    case .trace: try setTrace(argument)
    default:
      for variable in settings.variables { output.line(variable.text) }
    }
  }

  private func setPolicy(_ name: String?) throws {
    guard let name else { return output.line(executor.policy.rawValue) }
    guard let policy = SaveConflictPolicy(rawValue: name) else {
      throw ShellError(
        code: .wrongArgument, message: "there is no policy \"\(name)\"",
        hint: "policies: \(SaveConflictPolicy.allCases.map(\.rawValue).joined(separator: ", "))", wordIndex: 1
      )
    }
    executor.policy = policy
  }

  private func setTrace(_ text: String?) throws {
    guard let text else {
      let kinds = settings.tracedKinds ?? executor.tracedKinds
      let names = TraceKind.allCases.filter(kinds.contains).map(\.rawValue)
      return output.line(names.isEmpty ? "off" : names.joined(separator: ","))
    }
    do {
      settings.tracedKinds = text == "off" ? [] : try TraceKind.kinds(in: text)
    } catch {
      throw ShellError(
        code: .wrongArgument, message: error.message, hint: "write .trace faults,misses, or .trace off",
        wordIndex: 1)
    }
  }

  private func setVariable(_ text: String) throws {
    guard let variable = PredicateVariable(text) else {
      throw ShellError(
        code: .wrongArgument, message: "a variable is written name=value or name:=JSON",
        hint: "write .var min=50000", wordIndex: 1)
    }
    settings.setVariable(variable)
  }

  private func isOn(_ argument: String?, _ command: DotCommand) throws -> Bool {
    switch argument {
    case "on": return true
    case "off": return false
    default:
      throw ShellError(
        code: .wrongArgument, message: "\(command.name) is on or off", hint: "write \(command.usage)",
        wordIndex: 1)
    }
  }

  private func number(_ text: String?, in range: ClosedRange<Int32>, usage: String) throws -> Int32? {
    guard let text else { return nil }
    guard let number = Int32(text), range.contains(number) else {
      throw ShellError(
        code: .wrongArgument,
        message: "\"\(text)\" is not a number from \(range.lowerBound) to \(range.upperBound)",
        hint: "write \(usage)", wordIndex: 1)
    }
    return number
  }

  // MARK: Reading and showing

  private func read(_ path: String) throws -> Step {
    guard readDepth < Self.deepestRead else {
      throw ShellError(
        code: .tooDeep, message: "scripts read each other more than \(Self.deepestRead) deep", wordIndex: 1)
    }
    let reader: ScriptReader
    do {
      reader = try ScriptReader(path: path, interruption: executor.interruption)
    } catch var error {
      error.wordIndex = 1
      throw error
    }
    readDepth += 1
    defer { readDepth -= 1 }
    return try ScriptRunner(dispatcher: self).read(reader)
  }

  private func help(_ topic: String?) throws {
    guard let topic else {
      try page(ShellHelp.overview(dotCommands))
      return
    }
    let name = topic.hasPrefix(".") ? topic : "." + topic
    if topic == "keys" {
      try page(ShellHelp.keys)
    } else if let command = DotCommand(word: name), dotCommands.contains(command) {
      output.line("\(command.usage)   \(command.summary)")
      if let details = command.details { output.page(details) }
    } else if let text = executor.help(for: topic) {
      try page(text.hasSuffix("\n") ? text : text + "\n")
    } else {
      throw ShellError(
        code: .wrongArgument, message: "there is no help on \"\(topic)\"",
        suggestions: suggestions(for: topic),
        wordIndex: 1)
    }
  }

  /// Prints a page of help, which goes through a pager as results do where the executor has one.
  private func page(_ text: String) throws {
    guard let executor = executor as? any PagingExecutor else { return output.page(text) }
    try executor.printPage(LineBreaking.page(text, columns: output.columns()), settings: settings)
  }

  private func printLast() throws {
    guard let executor = executor as? any LastResultExecutor else { return }
    let settings = settings
    self.settings.nextOutputPath = nil
    if try !executor.printLastResult(settings: settings) { output.line("no result yet") }
  }

  private func printHistory(_ argument: String?) throws {
    let count = try number(argument, in: 1...1_000_000, usage: DotCommand.history.usage).map(Int.init)
    let entries = history?() ?? []
    let first = entries.count - min(entries.count, count ?? entries.count)
    for (index, entry) in entries.enumerated().dropFirst(first) {
      let text = entry.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n       ")
      let number = String(index + 1)
      output.line(String(repeating: " ", count: max(0, 5 - number.count)) + number + "  " + text)
    }
  }
}
