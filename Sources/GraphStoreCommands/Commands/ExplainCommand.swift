import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore explain ENTITY`
struct ExplainCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Say how a fetch would run, and what would make it faster.",
    discussion: """
      Takes the predicate, order, fields, groups and window of a fetch. Prints which part of predicate and sort runs in the store and which in memory, the \
      statement, SQLite's plan of it, and the index that would help. Nothing is fetched, unless --analyze asks for it.

      graphstore explain Employee --where 'salary > 50000' --sort name
      """)

  @Argument(help: "Entity.") var entity: String
  @OptionGroup var query: QueryOptions
  @Flag(help: "Run it too: rows and times.") var analyze = false
  @Flag(help: "Refuse what the store cannot run itself, and name it.") var strict = false
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let start = ContinuousClock.now
    let context = try session.context(.read)
    let description = try session.entity(entity)
    let request = try session.query(try query.text(isStrict: strict, in: session), for: description)
    let keyPaths =
      request.request.resultType == .dictionary
      ? nil
      : try ResultColumns(
        description, in: context.coordinator, fields: query.fields, variables: request.request.variables,
        format: json ? .json : .table
      ).keyPaths
    let explanation = try request.run { fetch in
      analyze && !request.isEmpty
        ? try context.analyze(fetch, fields: keyPaths) : try context.explain(fetch, fields: keyPaths)
    }
    let report = ExplanationReport(
      explanation, isEmpty: request.isEmpty, usesColor: session.outputTerminal.usesColor)
    if json {
      try session.printJSON { report.writeJSON(to: $0) }
    } else {
      try session.print(report.lines)
    }
    if session.settings.showsTime { session.reportResult("explained", since: start) }
    return .success
  }
}
