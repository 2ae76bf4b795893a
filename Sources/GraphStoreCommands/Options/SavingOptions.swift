import ArgumentParser
import GraphStore

/// What a save does with conflicts, in the words of the command: of what it meets in the store against what
/// it has in memory.
enum SaveConflictPolicy: String, CaseIterable, ExpressibleByArgument, Sendable {
  case error, store, memory, overwrite, rollback

  var mergePolicy: MergePolicy {
    switch self {
    case .error: .error
    case .store: .mergeByPropertyStoreTrump
    case .memory: .mergeByPropertyObjectTrump
    case .overwrite: .overwrite
    case .rollback: .rollback
    }
  }
}

/// Options of every command that saves objects.
struct SavingOptions: ParsableArguments {
  @Option(
    name: .customLong("on-save-conflict"),
    help: ArgumentHelp(
      "Where others have changed the same, or unique values are taken: error, store, memory, overwrite or rollback.",
      valueName: "policy"))
  var policy: SaveConflictPolicy?

  @OptionGroup var author: AuthorOptions
}

/// Option of every command that writes to a store.
struct AuthorOptions: ParsableArguments {
  /// The author where none is given.
  static let standard = "graphstore"

  @Option(help: ArgumentHelp("Who writes, for the history of a store that keeps one (default: graphstore)."))
  var author: String?
}

/// Command that saves objects.
protocol SavingCommand: ExecutableCommand {
  var saving: SavingOptions { get }
}

extension SavingCommand {
  var conflictPolicy: SaveConflictPolicy? { saving.policy }

  var author: String? { saving.author.author }
}
