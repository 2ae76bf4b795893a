import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore insert ENTITY key=value...`
struct InsertCommand: ObjectCommand, SavingCommand {
  static let configuration = CommandConfiguration(
    commandName: "insert", abstract: "Make an object, or one for each record of standard input.",
    discussion: """
      key=value takes text by the type of the key, key:=JSON a JSON value, key=@FILE the contents of a file. A \
      relationship takes ids, rel=Entity/p1, or looks its object up: rel?=PREDICATE. With - the records are read as \
      NDJSON. All of it is one save; the ids are printed.

      graphstore insert Employee name=Ada salary=72000 department?='name == "Sales"'
      """)

  @Argument(help: "Entity.") var entity: String
  @Argument(parsing: .remaining, help: ArgumentHelp("Values, or - for records.", valueName: "key=value"))
  var values: [String] = []
  @Option(
    help: ArgumentHelp("Add the new object to a relationship: Project/p1.members", valueName: "id.rel"))
  var into: String?
  @Option(
    name: .customLong("into-store"),
    help: ArgumentHelp("Make it in this one of several stores that are open.", valueName: "name"))
  var intoStore: String?
  @Option(
    help: ArgumentHelp("The id that the new object gets, which none may have: Employee/p12", valueName: "id"))
  var id: String?
  @Option(
    name: .customLong("return"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Print these of the new object, not its id.", valueName: "key paths"))
  var fieldLists: [String] = []
  @OptionGroup var dryRun: DryRunOptions
  @OptionGroup var saving: SavingOptions
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup(title: "Result") var identifiers: IdentifierOptions
  @OptionGroup(title: "Result") var archives: ArchiveOptions
  @OptionGroup var options: AskingStoreCommandOptions

  /// All key paths to print, in order.
  private var fields: String? { fieldLists.joinedList }

  /// Without --return the ids are all there is to print.
  var usualFormat: OutputFormat { fieldLists.isEmpty ? .ids : .table }

  func validate() throws { try fieldLists.checkGaps("--return") }

  func execute(in session: CommandSession) throws -> ExitCode {
    let description = try session.entity(entity, .write)
    let input = try RecordStream(values)
    let store = try intoStore.map { try session.store(named: $0, .write) }
    if id != nil, input.isOfRecords {
      throw Diagnostic(
        code: "usage", message: "--id goes with one object, and - reads any number of them",
        hints: ["import --keep-ids takes the ids of records"], exitCode: .usage)
    }
    let objects = try session.change(
      isRehearsal: dryRun.isOn, into: store, isRepeatable: !input.isOfRecords
    ) { writer in
      let identifier = try id.map { try session.newIdentifier($0, of: description) }
      let owner = try into.map { try session.end($0) }
      let objects = try input.objects(of: description, by: writer) { try writer.insert($0, as: identifier) }
      if let owner { try writer.link(objects, to: owner.object, owner.relationship) }
      return objects
    }
    if dryRun.isOn {
      try session.tellRehearsal(inserting: objects.count, updating: 0, entity)
    } else {
      try session.printObjects(objects, fields: fields)
    }
    return .success
  }
}
