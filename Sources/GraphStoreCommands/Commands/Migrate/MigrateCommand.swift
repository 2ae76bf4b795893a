import ArgumentParser

/// `graphstore migrate`
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Bring a store to another version of its model.",
    discussion: """
      The wanted version is given by --to: a model file, a directory of versions (its current one), or \
      DIRECTORY#VERSION; else by --model. From the store's version to it leads a chain of mappings: those in \
      DIRECTORY/mappings, and inferred ones between a version and the next.
      """,
    subcommands: [
      MigrateStatusCommand.self, MigratePlanCommand.self, MigrateApplyCommand.self,
      MigrateNewMappingCommand.self,
    ])
}
