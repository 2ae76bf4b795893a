import ArgumentParser
import GraphStore

/// `graphstore get ID...`
struct GetCommand: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print objects by their ids.",
    discussion: """
      The exit code is 2 if one of them does not exist.

      graphstore get Employee/p12 --fields name,manager.name
      """)

  @Argument(help: ArgumentHelp("Ids such as Employee/p12, or URIs.", valueName: "id")) var ids: [String]
  @Option(
    name: .customLong("fields"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("What to print: name,manager.name,reports.@count", valueName: "key paths"))
  var fieldLists: [String] = []
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup var options: AskingStoreCommandOptions

  /// All key paths to print, in order.
  private var fields: String? { fieldLists.joinedList }

  func validate() throws { try fieldLists.checkKeyPaths("--fields") }

  func execute(in session: CommandSession) throws -> ExitCode {
    let context = try session.context(.read)
    var missing: [ManagedObjectID] = []
    var objects: [ManagedObject] = []
    for id in try ids.map({ try session.identifier($0) }) {
      do {
        objects.append(try context.existingObject(with: id))
      } catch GraphStoreError.Code.objectNotFound {
        missing.append(id)
      }
    }
    if !objects.isEmpty {
      try session.write(
        default: .line,
        try ObjectsTask(objects, context, fields: fields, format: session.settings.format ?? .line))
    }
    for id in missing {
      session.report(
        Diagnostic(
          code: "object-not-found", message: "there is no \(id.shortForm)", entity: id.entity.name,
          exitCode: .negativeAnswer))
    }
    return missing.isEmpty ? .success : .negativeAnswer
  }
}

extension GetCommand: FastPathRecordCommand {
  static var plain: GetCommand {
    var command = GetCommand()
    command.fieldLists = []
    command.clearShared()
    return command
  }

  mutating func consume(_ option: String, from line: inout FastPathArguments) -> Bool {
    guard option == "--fields" else {
      return consumeShared(option, from: &line)
    }
    line.add(to: &fieldLists)
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
