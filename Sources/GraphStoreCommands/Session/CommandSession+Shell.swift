import GraphStore

extension CommandSession {
  /// How errors of statements are shown.
  var failureStyle: FailureStyle {
    let printer = DiagnosticPrinter(format: settings.errorFormat, terminal: errorTerminal)
    return FailureStyle(isJSON: settings.errorFormat == .json) { printer.describe($0) }
  }

  /// The settings that statements begin with.
  func shellSettings(variables: [String], echoes: Bool) throws -> ShellSettings {
    var shell = ShellSettings()
    shell.echoes = echoes
    shell.showsTime = settings.showsTime
    for text in variables {
      guard let variable = VariableText(text), !variable.isJSON else {
        throw Diagnostic(code: "usage", message: "--var takes name=value, not \"\(text)\"", exitCode: .usage)
      }
      shell.setVariable(variable.name, to: variable.value)
    }
    return shell
  }

  /// Whether a person can be asked before a change.
  var asksPerson: Bool { isPersonAtTerminal && !settings.answersYes }

  /// How long a locked store is waited for.
  var timeout: Duration { .milliseconds(Int(min(settings.timeout, 1e9) * 1000)) }

  /// Prints objects that a command has just saved.
  ///
  /// When they cannot be printed, the error says that they are saved all the same, so that nobody makes them again.
  func printSaved(_ objects: [ManagedObject], fields: String?) throws {
    do {
      try printObjects(objects, fields: fields)
    } catch let error as OutputError where error.code != .brokenPipe && !isShared && !objects.isEmpty {
      let ids = objects.prefix(10).map(\.objectID.shortForm).joined(separator: ", ")
      let rest = objects.count > 10 ? " … (\(objects.count - 10) more)" : ""
      let verb = objects.count == 1 ? "is" : "are"
      throw Diagnostic(
        code: error.code.rawValue,
        message: "\(ids)\(rest) \(verb) saved, though the output failed: \(error.message)",
        hints: ["do not repeat the command: it would save \(objects.count == 1 ? "it" : "them") again"],
        exitCode: error.exitCode)
    }
  }

  /// Prints the ids of objects, or fields of them.
  func printObjects(_ objects: [ManagedObject], fields: String?) throws {
    guard fields != nil || settings.format != nil else { return try print(objects.map(\.objectID.shortForm)) }
    try write(ObjectsTask(objects, try context(.write), fields: fields, format: settings.format ?? .table))
  }
}
