import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore get ID...`
struct GetCommand: ObjectCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print objects by their ids.",
    discussion: """
      The exit code is 2 if one of them does not exist.

      With --depth 1 related objects are printed in place of their ids, with --depth 2 those related to them
      as well. An object within itself stays an id. The lowest level shows what fetch prints.

      graphstore get Employee/p12 --fields name,manager.name
      graphstore get Department/p1 --depth 1 --json
      """)

  @Argument(help: ArgumentHelp("Ids such as Employee/p12, or URIs.", valueName: "id")) var ids: [String]
  @Option(
    name: .customLong("fields"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "What to print: name,manager.name,reports.@count; expressions too: 'salary * 12 as yearly'; * for all",
      valueName: "key paths"))
  var fieldLists: [String] = []
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Levels of related objects to print in place of their ids.", valueName: "number"))
  var depth = 0
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup(title: "Result") var identifiers: IdentifierOptions
  @OptionGroup(title: "Result") var archives: ArchiveOptions
  @OptionGroup var options: AskingStoreCommandOptions

  /// All key paths to print, in order.
  private var fields: String? { fieldLists.joinedList }

  func validate() throws {
    try fieldLists.checkGaps("--fields")
    guard Self.depths.contains(depth) else {
      throw ValidationError("--depth takes a number from 0 to \(Self.depths.upperBound).")
    }
  }

  /// Deeper objects would nest deeper than many readers of JSON go.
  private static let depths = 0...32

  var usualFormat: OutputFormat { .line }

  func execute(in session: CommandSession) throws -> ExitCode {
    let context = try session.context(.read)
    var missing: [ManagedObjectID] = []
    var objects: [ManagedObject] = []
    for id in try ids.map({ try session.identifier($0) }) {
      do {
        objects.append(try context.existingObject(with: id))
      } catch GraphStoreError.code(.objectNotFound) {
        missing.append(id)
      }
    }
    if let first = objects.first {
      let isOfOne = objects.allSatisfy { $0.entity === first.entity }
      let fields = fields ?? (isOfOne ? session.settings.fields[first.entity.name] : nil)
      try session.write(
        default: .line,
        try ObjectsTask(
          objects, context, fields: fields,
          trees: depth == 0
            ? nil : ObjectTreeReader(context, depth: depth, interruption: session.interruption),
          format: session.settings.format ?? .line, decodes: session.settings.decodes,
          showsIdentifier: session.settings.showsIdentifier))
    }
    for id in missing.dropLast() { session.report(Self.absence(of: id)) }
    if let last = missing.last { throw Self.absence(of: last) }
    return .success
  }

  private static func absence(of id: ManagedObjectID) -> Diagnostic {
    Diagnostic(
      code: "object-not-found", message: "there is no \(id.shortForm)", entity: id.entity.name,
      exitCode: .negativeAnswer)
  }
}

extension GetCommand: FastPathObjectCommand {
  static var plain: GetCommand {
    var command = GetCommand()
    command.fieldLists = []
    command.depth = 0
    command.clearShared()
    return command
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    switch option {
    case "--fields": line.add(to: &fieldLists)
    case "--depth": depth = line.integer(option) ?? 0
    default: return consumeShared(option, from: &line)
    }
    return true
  }

  mutating func consume(operands: [String]) -> Bool {
    ids = operands
    return !operands.isEmpty
  }

  mutating func validateAll() throws {
    try output.validateAll()
    try validate()
  }
}
