import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore model lint [MODEL…]`
struct ModelLintCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "lint", abstract: "Look for problems and for what is often a mistake in a model.",
    discussion: """
      Prints a line for each finding: file, line and column, severity, rule, place, what was found and what to do. Of a \
      directory all versions are looked at, of several files one after the other. Some rules are off unless they are enabled; --rules says which. With \
      --store the objects of a store are looked at too, read only; without \
      MODEL the store's own model is. The exit code is 2 if there is an error, with --strict also if there is a warning.
      """, aliases: ["check"])

  @Argument(
    help: ArgumentHelp("Model files or directories.", valueName: "file"),
    completion: .file(extensions: ["json"]))
  var files: [String] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Do not look with this rule; repeat for more.", valueName: "rule"))
  var disable: [String] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Look with this rule too, which is off by default; repeat for more.", valueName: "rule"))
  var enable: [String] = []
  @Flag(help: "Exit 2 for warnings too.") var strict = false
  @Flag(help: "Look for predicates that the original SQLite store refuses.") var portable = false
  @Flag(help: "List the rules, with reasons and remedies.") var rules = false
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  var idleOptions: IdleStoreOptions? {
    let readsModels = !files.isEmpty || isModelGiven
    if isStoreGiven { return readsModels ? .ofUntracedWork : nil }
    guard readsModels else { return nil }
    return IdleStoreOptions(
      options: Set(StoreOption.allCases).subtracting(files.isEmpty ? [.model] : []),
      reason: "the command reads the model that is named, and no store")
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    if rules {
      let usesColor = session.outputTerminal.usesColor
      if json {
        try session.printJSON { ModelRuleList.writeJSON(to: $0) }
      } else {
        try session.print(report: ModelRuleList.lines(usesColor: usesColor))
      }
      return .success
    }
    let (reports, unreadable) = try reports(in: session)
    let report = ModelFindingReports(reports, fileCount: max(1, files.count))
    if json {
      try session.printJSON { report.writeJSON(to: $0) }
    } else {
      try session.print(report: report.lines(as: session.settings.errorFormat))
      session.inform(report.summary)
    }
    if unreadable != .success { return unreadable }
    let isBad = report.count(.error) > 0 || (strict && report.count(.warning) > 0)
    return isBad ? .negativeAnswer : .success
  }

  /// What is found, by file, and the exit code of files that cannot be read.
  private func reports(in session: CommandSession) throws -> (results: [ModelFindingReport], code: ExitCode) {
    let check = try check()
    let usesColor = session.outputTerminal.usesColor
    if files.isEmpty, session.settings.models.isEmpty,
      session.openContext != nil || !session.settings.stores.isEmpty
    {
      let path = try session.storePath()
      let context = try session.context(.read)
      let model = context.coordinator.managedObjectModel
      let findings = ModelProblem.inDocumentOrder(
        check.findings(in: model) + (try StoreLint(context, check).findings(of: model)))
      let entries = findings.map { ModelFindingReport.Entry(file: path, finding: $0) }
      return ([ModelFindingReport(path, entries, usesColor: usesColor)], .success)
    }
    return try session.examine(files.isEmpty ? [session.modelPath()] : files) { path in
      var found = try check.report(at: path)
      if isStoreGiven, let position = found.versions.firstIndex(where: \.isCurrent),
        let model = found.versions[position].model
      {
        found.versions[position].add(try storeFindings(of: model, check, in: session))
      }
      return ModelFindingReport(path, found, usesColor: usesColor)
    }
  }

  /// What the objects of the store tell about a model, which need not be the one that the store was made
  /// with.
  private func storeFindings(
    of model: ManagedObjectModel, _ check: ModelLinter, in session: CommandSession
  ) throws -> [ModelProblem] {
    let path = try session.storePath()
    let options = session.storeOptions(isReadOnly: true)
    let coordinator = try session.recovering(path) {
      try PersistentStoreCoordinator.open(storeAt: path, options: options, model: nil)
    }
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    return try context.performAndWait { try StoreLint(context, check).findings(of: model) }
  }

  private func check() throws -> ModelLinter {
    var check = ModelLinter()
    check.disabledRules = try Self.rules(disable)
    check.enabledRules = try Self.rules(enable)
    if portable { check.enabledRules.insert("not-portable") }
    return check
  }

  private static func rules(_ names: [String]) throws -> Set<String> {
    for name in names where ModelLinter.rule(named: name) == nil {
      throw Diagnostic(
        code: "unknown-rule", message: "there is no rule \"\(name)\"",
        hints: ["graphstore model lint --rules lists them"],
        suggestions: NearestNames.names(near: name, among: ModelLinter.rules.map(\.id)), exitCode: .usage)
    }
    return Set(names)
  }
}
