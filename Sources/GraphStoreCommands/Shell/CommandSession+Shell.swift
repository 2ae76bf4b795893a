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
    if let name = VariableText.repeated(in: variables) {
      throw Diagnostic(
        code: "usage", message: "--var gives $\(name) two values; leave one out", exitCode: .usage)
    }
    for text in variables {
      guard let variable = VariableText(text) else {
        throw Diagnostic(
          code: "usage", message: "--var takes name=value or name:=JSON, not \"\(text)\"", exitCode: .usage)
      }
      shell.setVariable(variable)
    }
    return shell
  }

  /// How long a locked store is waited for.
  var timeout: Duration { .milliseconds(Int(min(settings.timeout, 1e9) * 1000)) }

  /// Prints the ids of objects that a command has changed, or fields of them.
  ///
  /// When they cannot be printed, the error says whether they are saved all the same, so that nobody makes them again.
  func printObjects(_ objects: [ManagedObject], fields: String?) throws {
    let names = objects.map(\.objectID.shortForm)
    do {
      guard fields != nil || settings.format != nil else { return try print(names) }
      try write(ObjectsTask(objects, try context(.write), fields: fields, format: settings.format ?? .table))
    } catch let error as OutputError
      where error.code != .brokenPipe && SaveProgress.current != .nothing && !names.isEmpty
    {
      let listed = names.prefix(10).joined(separator: ", ")
      let rest = names.count > 10 ? " and \(names.count - 10) more" : ""
      var diagnostic = DiagnosticMapper.diagnostic(for: error)
      diagnostic.message =
        "\(listed)\(rest) \(names.count == 1 ? "is" : "are") saved, though the output failed: \(error.message)"
      diagnostic.hints = ["do not repeat the command: it would change the store again"]
      throw diagnostic
    }
  }
}
