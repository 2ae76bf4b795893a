import ArgumentParser
import Foundation
import GraphStore
import GraphStoreReports

/// `graphstore metadata`
struct MetadataCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metadata", abstract: "Read and write what the store says of itself.",
    subcommands: [
      MetadataListCommand.self, MetadataGetCommand.self, MetadataSetCommand.self, MetadataUnsetCommand.self,
    ]
  )
}

/// `graphstore metadata list`
struct MetadataListCommand: RecordCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "Print all of it.")

  @Flag(help: "What the store keeps for itself too.") var all = false
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup var options: AskingStoreCommandOptions

  var idleOptions: IdleStoreOptions? { .ofMetadata }

  func execute(in session: CommandSession) throws -> ExitCode {
    let isForPrograms = session.settings.format == .json || session.settings.format == .ndjson
    let isTable = session.settings.format == nil || session.settings.format == .table
    let rows = try session.metadata().sorted { $0.key < $1.key }
      .filter { all || isForPrograms || !StoreMetadata.isReserved($0.key) }
    try session.write(
      PropertyLines(
        rows: rows.map { row in
          (
            name: isTable && StoreMetadata.isReserved(row.key) ? "\(row.key) (reserved)" : row.key,
            value: row.value
          )
        }))
    return .success
  }
}

/// `graphstore metadata get KEY`
struct MetadataGetCommand: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "get", abstract: "Print one value; exit 2 if there is none.")

  @Argument(help: "Key.") var key: String
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup var options: AskingStoreCommandOptions

  var usualFormat: OutputFormat { .line }

  var idleOptions: IdleStoreOptions? { .ofMetadata }

  func execute(in session: CommandSession) throws -> ExitCode {
    let metadata = try session.metadata()
    guard let value = metadata[key] else {
      throw Diagnostic(
        code: "unknown-key", message: "the store has no metadata \"\(key)\"",
        suggestions: NearestNames.names(near: key, among: metadata.keys.sorted()), property: key,
        exitCode: .negativeAnswer)
    }
    if session.settings.format == nil, case .string(let text) = value {
      try session.print(foreign: text)
    } else {
      try session.write(default: .line, PropertyLines(rows: [(name: key, value: value)]))
    }
    return .success
  }
}

/// `graphstore metadata set key=value...`
struct MetadataSetCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set values: key=text, or key:=JSON.",
    discussion: "graphstore metadata set owner=Ada reviewed:=true")

  @Argument(help: ArgumentHelp("Values.", valueName: "key=value")) var values: [String]
  @OptionGroup var options: StoreCommandOptions

  var writesStoreItself: Bool { true }

  var idleOptions: IdleStoreOptions? { .ofMetadata }

  func execute(in session: CommandSession) throws -> ExitCode {
    var changes: [String: Value?] = [:]
    for word in values {
      let assignment = try Assignment(word)
      switch assignment.content {
      case .text(let text): changes[assignment.key] = .some(.string(text))
      case .json(let json): changes[assignment.key] = .some(Value(json))
      case .file(let file):
        let bytes = try file.bytes()
        changes[assignment.key] = .some(
          String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .data(Data(bytes)))
      case .match, .added:
        throw Diagnostic(
          code: "usage", message: "metadata takes key=text, key:=JSON or key=@FILE",
          property: assignment.key, exitCode: .usage)
      }
    }
    try session.changeMetadata(changes)
    return .success
  }
}

/// `graphstore metadata unset KEY...`
struct MetadataUnsetCommand: StoreCommand {
  static let configuration = CommandConfiguration(commandName: "unset", abstract: "Remove values.")

  @Argument(help: ArgumentHelp("Keys.", valueName: "key")) var keys: [String]
  @OptionGroup var options: StoreCommandOptions

  var writesStoreItself: Bool { true }

  var idleOptions: IdleStoreOptions? { .ofMetadata }

  func execute(in session: CommandSession) throws -> ExitCode {
    var changes: [String: Value?] = [:]
    for key in keys { changes.updateValue(nil, forKey: key) }
    try session.changeMetadata(changes)
    return .success
  }
}

extension IdleStoreOptions {
  /// Metadata are read and written past any model and context.
  fileprivate static let ofMetadata = IdleStoreOptions(
    options: [.model, .configuration, .trace, .sqlLog],
    reason: "metadata need no model, and their reading is not traced")
}
