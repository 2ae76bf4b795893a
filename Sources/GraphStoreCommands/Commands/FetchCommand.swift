import ArgumentParser

/// `graphstore fetch ENTITY`
struct FetchCommand: ObjectCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Print the objects of an entity.",
    discussion: """
      Without --fields the id, the attributes and the to-one relationships are printed.

      graphstore fetch Employee -w 'salary > 50000' --sort -salary,name --limit 10
      graphstore fetch Employee -w 'name LIKE $n' --var n='A*' \\
        --fields name,department.name --json
      graphstore fetch Employee --template wellPaid --var MIN=60000
      """)

  @Argument(help: "Entity.") var entity: String
  @OptionGroup var query: QueryOptions
  @Flag(
    name: .customLong("exit-code"), help: "Exit 2 if nothing was found; with --quiet print nothing.")
  var exitCode = false
  @Flag(help: "Refuse what the store cannot run itself (see explain).") var strict = false
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup(title: "Result") var archives: ArchiveOptions
  @OptionGroup var options: AskingStoreCommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let start = ContinuousClock.now
    let context = try session.context(.read)
    let description = try session.entity(entity)
    let request = try query.request(for: description, isStrict: strict, in: session)
    let format = session.settings.format ?? .table
    let columns = try ResultColumns(
      description, in: context.coordinator, fields: query.fields, format: format)
    if exitCode, session.settings.isQuiet, session.settings.outputPath == nil {
      let count = try request.isEmpty ? 0 : request.run { try context.count(for: $0) }
      return count == 0 ? .negativeAnswer : .success
    }
    if session.settings.explains {
      let explanation = try request.run { try context.explain($0, fields: columns.keyPaths) }
      session.explain(explanation, isEmpty: request.isEmpty)
    }
    let count = try session.write(
      FieldsTask(
        context: context, query: request, columns: columns, interruption: session.interruption,
        decodes: session.settings.decodes))
    session.reportResult("\(count) \(entity)", since: start)
    return exitCode && count == 0 ? .negativeAnswer : .success
  }
}

extension FetchCommand: FastPathObjectCommand, FastPathEntityCommand {
  static var plain: FetchCommand {
    var command = FetchCommand()
    command.query = .plain
    command.exitCode = false
    command.strict = false
    command.clearShared()
    return command
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    switch option {
    case "--exit-code": exitCode = line.flag(option)
    case "--strict": strict = line.flag(option)
    default:
      return query.consume(option, from: &line) || consumeShared(option, from: &line)
    }
    return true
  }

  mutating func validateAll() throws {
    try query.validateAll()
    try output.validateAll()
  }
}
