import ArgumentParser

/// `graphstore migrate`
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Bring a store to another version of its model.",
    discussion: """
      The wanted version is given by --to: a model file, a directory of versions (its current one), or \
      DIRECTORY#VERSION; else by --model. From the store's version to it leads a chain of mappings: those in \
      DIRECTORY/mappings, and inferred ones between a version and the next, or at once over several versions where that \
      keeps more.

      Which version a store has is told by its hashes or by the model that it carries. Of an old store of Core Data's, which \
      carries none, --model gives the model that it was made with; without that its tables and columns decide.
      """,
    subcommands: [
      MigrateStatusCommand.self, MigratePlanCommand.self, MigrateApplyCommand.self,
      MigrateNewMappingCommand.self,
    ])
}
