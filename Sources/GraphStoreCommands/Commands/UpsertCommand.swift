import ArgumentParser
import GraphStore

/// `graphstore upsert ENTITY key=value...`
struct UpsertCommand: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "upsert", abstract: "Change the object with the same key, or make it.",
    discussion: """
      The key is what --key names, else the uniqueness constraint of the entity whose values are all given. Values are \
      written as for insert.

      graphstore upsert Employee badge=12 name=Ada salary=73000
      graphstore upsert Department --key name name=Sales
      """)

  @Argument(help: "Entity.") var entity: String
  @Argument(parsing: .remaining, help: ArgumentHelp("Values, or - for records.", valueName: "key=value"))
  var values: [String] = []
  @Option(help: ArgumentHelp("Attributes that tell objects apart: name,city", valueName: "keys"))
  var key: String?
  @Option(
    name: .customLong("return"), parsing: .unconditional,
    help: ArgumentHelp("Print these of the object, not its id.", valueName: "key paths"))
  var fields: String?
  @OptionGroup var dryRun: DryRunOptions
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Every command") var shared: SharedOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let writer = try ChangeWriter(session)
    let description = try session.entity(entity, .write)
    let key = try UpsertKey(key, of: description)
    let objects = try RecordStream.objects(of: values, description, in: session) { draft in
      guard let object = try key.object(for: draft, in: writer.context) else {
        return try writer.insert(draft)
      }
      try writer.apply(draft.changes, to: object)
      return object
    }
    if try session.finishChange(dryRun, "insert or update \(objects.count) \(entity)") {
      try session.printSaved(objects, fields: fields)
    }
    return .success
  }
}
