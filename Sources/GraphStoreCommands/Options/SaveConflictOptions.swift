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

/// Option of every command that saves objects.
struct SaveConflictOptions: ParsableArguments {
  @Option(
    name: .customLong("on-save-conflict"),
    help: ArgumentHelp(
      "Where others have changed the same, or unique values are taken: error, store, memory, overwrite or rollback.",
      valueName: "policy"))
  var policy: SaveConflictPolicy?
}

/// Command that saves objects.
protocol SavingCommand: ExecutableCommand {
  var conflicts: SaveConflictOptions { get }
}

extension SavingCommand {
  var conflictPolicy: SaveConflictPolicy? { conflicts.policy }
}
