import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore upsert ENTITY key=value...`
struct UpsertCommand: ObjectCommand, SavingCommand {
  static let configuration = CommandConfiguration(
    commandName: "upsert", abstract: "Change the object with the same key, or make it.",
    discussion: """
      The key is what --key names, else the one uniqueness constraint of the entity whose values are all given. Values \
      are written as for insert.

      graphstore upsert Employee badge=12 name=Ada salary=73000
      graphstore upsert Department --key name name=Sales
      """)

  @Argument(help: "Entity.") var entity: String
  @Argument(parsing: .remaining, help: ArgumentHelp("Values, or - for records.", valueName: "key=value"))
  var values: [String] = []
  @Option(
    help: ArgumentHelp(
      "Attributes that tell objects apart: name,city; of records also id.", valueName: "keys"))
  var key: String?
  @Option(
    name: .customLong("return"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Print these of the object, not its id.", valueName: "key paths"))
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
    let key = try UpsertKey(key, of: description)
    if key.isIdentifier, values != ["-"] {
      throw Diagnostic(
        code: "usage", message: "--key id is for records, which have ids",
        hints: ["graphstore update ID key=value changes an object by its id"], exitCode: .usage)
    }
    let input = try RecordStream(values)
    let (objects, newCount) = try session.change(
      isRehearsal: dryRun.isOn, isRepeatable: !input.isOfRecords
    ) { writer in
      var newCount = 0
      let objects = try input.objects(of: description, by: writer) { draft in
        guard let object = try key.object(for: draft, in: writer.context) else {
          newCount += 1
          return try writer.insert(draft)
        }
        try writer.apply(draft.changes, to: object)
        return object
      }
      return (objects, newCount)
    }
    if dryRun.isOn {
      try session.tellRehearsal(
        inserting: newCount, updating: Set(objects).count - newCount, entity)
    } else {
      try session.printObjects(objects, fields: fields)
    }
    return .success
  }
}
