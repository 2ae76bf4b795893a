import ArgumentParser
import Foundation
import GraphStore
import GraphStoreReports

/// `graphstore`
struct RootCommand: ParsableCommand {
  static let version = LibraryVersion.current

  /// Name and version, which the report of a crash begins with.
  static let crashReport = "graphstore \(version)"

  static let configuration = CommandConfiguration(
    commandName: "graphstore", abstract: "Keep graphs of objects in files.",
    discussion: """
      A model file says which entities there are; a store holds the objects. The store is named by --store, by \
      GRAPHSTORE_STORE, or by the nearest .graphstore.json upwards.

      Pages of help: graphstore help \(HelpTopic.list).
      """,
    version: version, subcommands: [], groupedSubcommands: groups)

  private static let groups = [
    CommandGroup(
      name: "Data",
      subcommands: [
        FetchCommand.self, GetCommand.self, CountCommand.self, InsertCommand.self, UpdateCommand.self,
        UpsertCommand.self, DeleteCommand.self, LinkCommand.self, UnlinkCommand.self,
        ImportCommand.self, ExportCommand.self, WatchCommand.self,
      ]),
    CommandGroup(
      name: "Query help", subcommands: [ExplainCommand.self, PredicateCommand.self, FilterCommand.self]),
    CommandGroup(name: "Session", subcommands: [ShellCommand.self, RunCommand.self]),
    CommandGroup(name: "Model", subcommands: [ModelCommand.self]),
    CommandGroup(name: "Migrate", subcommands: [MigrateCommand.self]),
    CommandGroup(
      name: "Store",
      subcommands: [
        InitCommand.self, InfoCommand.self, MetadataCommand.self, CheckCommand.self, StatsCommand.self,
        CompactCommand.self, BackupCommand.self, RestoreCommand.self, DumpCommand.self, LoadCommand.self,
        DiffCommand.self, HistoryCommand.self,
      ]),
    CommandGroup(
      name: "Other", subcommands: [CompletionsCommand.self, ManualCommand.self, DoctorCommand.self]),
  ]

  @OptionGroup(title: "Store") var store: StoreArguments
  @OptionGroup(title: "Questions") var consent: ConsentOptions
  @OptionGroup(title: "Every command") var shared: SharedOptions

  /// The options before a command. Asked for the command itself, the argument parser would describe all
  /// others with it.
  static var options: OptionTable {
    OptionTable(of: StoreArguments.self, ConsentOptions.self, SharedOptions.self)
  }

  /// The commands of the first level.
  static var commands: [any ParsableCommand.Type] { groups.flatMap(\.subcommands) }

  static var commandNames: [String] { commands.map { $0._commandName } }

  static func command(named name: String) -> (any ParsableCommand.Type)? {
    commands.first { $0._commandName == name }
  }

  /// What the bare command prints.
  static var shortHelp: String {
    var lines = ["graphstore \(version): keeps graphs of objects in files.", ""]
    for group in groups {
      let names = group.subcommands.map { $0._commandName }.joined(separator: " ")
      lines.append("  " + group.name.padding(toLength: 11, withPad: " ", startingAt: 0) + names)
    }
    lines += [
      "", "Start with: graphstore init hr.db --model Models/company.json",
      "Help:       graphstore --help, graphstore COMMAND --help, graphstore help TOPIC:",
    ]
    let topics = HelpTopic.allCases.map(\.rawValue).joined(separator: ", ")
    lines += LineBreaking.lines(topics, columns: 66).map { "            " + $0 }
    return lines.joined(separator: "\n")
  }
}
