import ArgumentParser
import Dispatch
import Foundation
import GraphStore
import GraphStoreReports

/// `graphstore fetch ENTITY`
struct FetchCommand: ObjectCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Print the objects of an entity.",
    discussion: """
      Without --fields the id, the attributes and the to-one relationships are printed.

      graphstore fetch Employee -w 'salary > 50000' --sort -salary,name --limit 10
      graphstore fetch Employee -w 'name LIKE $n' --var n='A*' \\
        --fields name,department.name --json
      graphstore fetch Employee --fields 'name, salary * 12 as yearly'
      graphstore fetch Employee --template wellPaid --var MIN=60000
      graphstore fetch Employee --group-by department.name \\
        --aggregate 'count, avg:salary as mean' --having 'count > 1' --sort -mean
      graphstore fetch Project --group-by members.name --aggregate count \\
        --sort members.name:nulls-last
      graphstore fetch Employee --sort -salary --limit 5 --watch
      """)

  @Argument(help: "Entity.") var entity: String
  @OptionGroup var query: QueryOptions
  @Flag(
    name: .customLong("exit-code"), help: "Exit 2 if nothing was found; with --quiet print nothing.")
  var exitCode = false
  @Flag(help: "Refuse what the store cannot run itself (see explain).") var strict = false
  @Flag(help: "Hand each row to the reader at once; not in tables, which are laid out at the end.")
  var stream = false
  @Flag(help: "Print the result again after each commit, by whom ever, that changes it; until Ctrl-C.")
  var watch = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --watch: print it again after so long at the earliest.", valueName: "seconds"))
  var every: Int?
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup(title: "Result") var identifiers: IdentifierOptions
  @OptionGroup(title: "Result") var archives: ArchiveOptions
  @OptionGroup var options: AskingStoreCommandOptions

  var queriedEntity: String? { entity }

  func validate() throws {
    if let every {
      guard watch else { throw ValidationError("--every goes with --watch.") }
      if every < 1 { throw ValidationError("--every takes a number of seconds from 1.") }
    }
    if watch, exitCode || stream {
      throw ValidationError(
        "--watch prints until it is ended; leave out --\(exitCode ? "exit-code" : "stream").")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let context = try session.context(.read)
    return try watch ? follow(in: session, context) : show(in: session, context)
  }

  /// Prints the result again and again.
  private func follow(in session: CommandSession, _ context: ManagedObjectContext) throws -> ExitCode {
    try session.requireCommits(of: context.coordinator, for: "fetch --watch")
    // Before the first look, so that no commit is missed.
    let commits = try CommitSignal(context.coordinator)
    return try session.followingOutput {
      var shown: String?
      while true {
        let fresh = ManagedObjectContext(coordinator: context.coordinator)
        let present = try fresh.performAndWait {
          try session.capturingOutput { _ = try show(in: session, fresh) }
        }
        if present != shown {
          if session.outputTerminal.isTerminal {
            try session.clearScreen()
          } else if shown != nil {
            try session.print([""])
          }
          try session.withOutput { $0.append(present) }
          shown = present
        }
        let earliest = DispatchTime.now() + .seconds(every ?? 0)
        _ = try commits.wait { try session.interruption.check() }
        while every != nil, DispatchTime.now() < earliest {
          try session.interruption.check()
          Thread.sleep(forTimeInterval: 0.1)
        }
      }
    }
  }

  private func show(in session: CommandSession, _ context: ManagedObjectContext) throws -> ExitCode {
    let start = ContinuousClock.now
    let description = try session.entity(entity)
    let request = try session.query(try query.text(isStrict: strict, in: session), for: description)
    let format = session.settings.format ?? .table
    if stream, format == .table {
      throw Diagnostic(
        code: "usage",
        message: "a table is laid out when all its rows are there, so --stream cannot print one",
        hints: ["choose another form: --ndjson, or --format csv, tsv, line, ids, markdown or html"],
        exitCode: .usage)
    }
    guard request.request.resultType != .dictionary else {
      return try results(request, context, session, start)
    }
    guard request.request.resultType != .count else { return try number(request, context, session) }
    let fields =
      request.request.resultType == .managedObjectID
      ? description.identifierKey : query.fields ?? session.settings.fields[description.name]
    let columns = try ResultColumns(
      description, in: context.coordinator, fields: fields, variables: request.request.variables,
      format: format, showsIdentifier: session.settings.showsIdentifier)
    if exitCode, session.settings.isQuiet, session.settings.outputPath == nil {
      let count = try request.isEmpty ? 0 : request.run { try context.count(for: $0) }
      return count == 0 ? .negativeAnswer : .success
    }
    if session.settings.explains {
      let explanation = try request.run { try context.explain($0, fields: columns.keyPaths) }
      session.explain(explanation, isEmpty: request.isEmpty)
    }
    let count = try session.write(
      flushesEveryRow: stream,
      FieldsTask(
        context: context, query: request, columns: columns, interruption: session.interruption,
        decodes: session.settings.decodes))
    session.warn(of: request, selected: count)
    if !watch { session.reportResult("\(count) \(entity)", since: start) }
    return exitCode && count == 0 ? .negativeAnswer : .success
  }

  /// Prints groups, or different rows.
  private func results(
    _ request: EntityQuery, _ context: ManagedObjectContext, _ session: CommandSession,
    _ start: ContinuousClock.Instant
  ) throws -> ExitCode {
    if exitCode, session.settings.isQuiet, session.settings.outputPath == nil {
      let count = try request.isEmpty ? 0 : request.run { try context.count(for: $0) }
      return count == 0 ? .negativeAnswer : .success
    }
    let task = try ResultsTask(
      request, context, interruption: session.interruption, decodes: session.settings.decodes)
    if session.settings.explains {
      session.explain(try request.run { try context.explain($0) }, isEmpty: request.isEmpty)
    }
    let count = try session.write(flushesEveryRow: stream, task)
    session.noteUnsavedChanges(in: context)
    session.warn(of: request, selected: count)
    if !watch { session.reportResult("\(count) \(count == 1 ? "row" : "rows")", since: start) }
    return exitCode && count == 0 ? .negativeAnswer : .success
  }

  /// Prints the number that a stored request for a count gives.
  private func number(
    _ request: EntityQuery, _ context: ManagedObjectContext, _ session: CommandSession
  ) throws -> ExitCode {
    let count = try request.isEmpty ? 0 : request.run { try context.count(for: $0) }
    if !(exitCode && session.settings.isQuiet) { try session.print(["\(count)"]) }
    return exitCode && count == 0 ? .negativeAnswer : .success
  }
}

extension FetchCommand: FastPathObjectCommand, FastPathEntityCommand {
  static var plain: FetchCommand {
    var command = FetchCommand()
    command.query = .plain
    command.exitCode = false
    command.strict = false
    command.stream = false
    command.watch = false
    command.every = nil
    command.clearShared()
    return command
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    switch option {
    case "--exit-code": exitCode = line.flag(option)
    case "--strict": strict = line.flag(option)
    case "--stream": stream = line.flag(option)
    case "--watch": watch = line.flag(option)
    case "--every": every = line.integer(option)
    default:
      return query.consume(option, from: &line) || consumeShared(option, from: &line)
    }
    return true
  }

  mutating func validateAll() throws {
    try query.validateAll()
    try output.validateAll()
    try validate()
  }
}
