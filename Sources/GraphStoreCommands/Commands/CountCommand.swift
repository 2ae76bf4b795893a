import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore count ENTITY`
struct CountCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "count", abstract: "Print how many objects of an entity there are.",
    discussion: """
      With --group-by the groups are counted, with --distinct the different rows of --fields.

      graphstore count Employee --where 'ANY reports.salary > 90000'
      graphstore count Employee --group-by department --having 'count:(SELF) > 10'
      graphstore count Employee --distinct --fields department.name
      """)

  @Argument(help: "Entity.") var entity: String
  @OptionGroup var filter: FilterOptions
  @OptionGroup var groups: GroupOptions
  @Option(
    name: .customLong("fields"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "What is to differ with --distinct: name,manager.name. Repeat it for more.", valueName: "key paths"))
  var fieldLists: [String] = []
  @Option(help: ArgumentHelp("Begin with a fetch request of the model; --where is added.", valueName: "name"))
  var template: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("Count at most so many.", valueName: "count"))
  var limit: Int?
  @Option(parsing: .unconditional, help: ArgumentHelp("Leave so many out of the count.", valueName: "count"))
  var offset: Int?
  @Flag(name: .customLong("exit-code"), help: "Exit 2 if there are none; with --quiet print nothing.")
  var exitCode = false
  @Flag(help: "Refuse what the store cannot run itself (see explain).") var strict = false
  @OptionGroup var options: StoreCommandOptions

  func validate() throws {
    if !fieldLists.isEmpty, !groups.distinct { throw ValidationError("--fields goes with --distinct.") }
    if let limit, limit < 0 { throw ValidationError("--limit takes 0 or more.") }
    if let offset, offset < 0 { throw ValidationError("--offset takes 0 or more.") }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let start = ContinuousClock.now
    let context = try session.context(.read)
    let description = try session.entity(entity)
    let query = try session.query(try text(in: session), for: description)
    if session.settings.explains {
      session.explain(try query.run { try context.explain($0.counting) }, isEmpty: query.isEmpty)
    }
    let count = try query.isEmpty ? 0 : query.run { try context.count(for: $0) }
    if !(exitCode && session.settings.isQuiet) { try session.print(["\(count)"]) }
    session.warn(of: query, selected: count)
    if session.settings.showsTime { session.reportResult("counted", since: start) }
    return exitCode && count == 0 ? .negativeAnswer : .success
  }
}

extension CountCommand {
  /// What the options ask for.
  private func text(in session: CommandSession) throws(Diagnostic) -> QueryText {
    var text = try filter.text(in: session)
    text.groups = groups.text
    text.template = template
    text.fields = fieldLists
    text.limit = limit
    text.offset = offset
    text.isStrict = strict
    return text
  }
}

extension FetchRequest {
  /// The request for the number of objects; one for dictionaries stays as it is.
  fileprivate var counting: FetchRequest {
    guard resultType != .dictionary else { return self }
    var request = self
    request.resultType = .count
    return request
  }
}

extension CountCommand: FastPathEntityCommand {
  static var plain: CountCommand {
    var command = CountCommand()
    command.filter = .plain
    command.groups = .plain
    command.fieldLists = []
    command.template = nil
    command.limit = nil
    command.offset = nil
    command.exitCode = false
    command.strict = false
    command.options = .plain
    return command
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    switch option {
    case "--limit": limit = line.integer(option)
    case "--offset": offset = line.integer(option)
    case "--exit-code": exitCode = line.flag(option)
    case "--strict": strict = line.flag(option)
    case "--template": template = line.text(option)
    case "--fields": line.add(to: &fieldLists)
    default:
      return groups.consume(option, from: &line) || filter.consume(option, from: &line)
        || options.consume(option, from: &line)
    }
    return true
  }

  mutating func validateAll() throws {
    try filter.validateAll()
    try groups.validateAll()
    try validate()
  }
}
