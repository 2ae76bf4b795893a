import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore predicate`
struct PredicateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "predicate",
    abstract: "Check predicates against a model, and print them in their plain form.",
    subcommands: [PredicateCheckCommand.self, PredicatePrintCommand.self])
}

/// `graphstore predicate check ENTITY EXPR`
struct PredicateCheckCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Look for problems in a predicate about an entity, and list the names it can use.",
    discussion: """
      Prints every problem and every warning on standard error, and the names on standard output; exit 64 if there are \
      problems. The model is that of --model, else the store's; no object is read. Variables need no value.

      graphstore predicate check Employee 'salary > $min AND ANY reports.badge > 9'
      graphstore predicate check Employee 'email != "ada@company.example"' \\
        --model company.json --portable
      """)

  @Argument(help: "Entity.") var entity: String
  @Argument(help: ArgumentHelp("Predicate.", valueName: "predicate")) var expression: String
  @Flag(help: "Warn of what the original SQLite store refuses.") var portable = false
  @Flag(help: "One JSON object, problems and warnings included.") var json = false
  @OptionGroup var options: StoreCommandOptions

  var idleOptions: IdleStoreOptions? {
    guard isModelGiven else { return nil }
    return IdleStoreOptions(
      options: Set(StoreOption.allCases).subtracting([.model]), reason: "the names are those of --model")
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let model = try session.model()
    // An entity does not keep its model.
    return try withExtendedLifetime(model) { try check(try model.entity(named: entity), in: session) }
  }

  private func check(_ description: EntityDescription, in session: CommandSession) throws -> ExitCode {
    let findings = PredicateFindings(
      expression, description, portable: portable, in: session.openContext?.coordinator)
    let scope = PredicateScope(description, findings.predicate)
    if json {
      try session.printJSON { output in
        var json = JSONBuilder(output)
        json.beginObject()
        json.member("entity", description.name)
        findings.write(to: &json)
        scope.write(to: &json)
        json.endObject()
        output.append(byte: 0x0A)
      }
    } else {
      (findings.problems + findings.warnings).forEach { session.report($0) }
      // A text that cannot be read has a problem of its own, which names do not help with.
      if findings.predicate != nil { try session.print(report: scope.lines(description)) }
    }
    return findings.problems.isEmpty ? .success : .usage
  }
}

/// `graphstore predicate print EXPR`
struct PredicatePrintCommand: ExecutableCommand {
  static let configuration = CommandConfiguration(
    commandName: "print", abstract: "Print a predicate in its plain form; no model is needed.",
    discussion: """
      graphstore predicate print 'name IN {"Ada", "Bob"} && !(age between {18, 30})'
      graphstore predicate print '%K BEGINSWITH[c] $term' --arg '"name"' \\
        --var term='"a"' --tree
      """)

  @Argument(help: ArgumentHelp("Predicate.", valueName: "predicate")) var expression: String
  @Flag(help: "The tree as JSON.") var tree = false
  @Flag(help: "One condition a line, indented.") var indent = false
  @OptionGroup var values: ValueOptions
  @OptionGroup var options: CommandOptions

  func validate() throws {
    if tree, indent { throw ValidationError("Give one of --tree and --indent.") }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let text = try PredicateText(expression, values: values, in: session)
    let lines = try text.located {
      let predicate =
        text.variables.isEmpty
        ? text.predicate : try text.predicate.substituting(text.variables.mapValues(\.value))
      if tree { return try predicate.treeJSON() }
      return indent ? predicate.indentedFormat : predicate.predicateFormat
    }
    if tree { try session.print(json: (lines + "\n").utf8) } else { try session.print(foreign: lines) }
    return .success
  }
}
