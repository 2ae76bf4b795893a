import ArgumentParser
import GraphStore

/// `graphstore link ID.rel ID...`
struct LinkCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Add objects to a relationship; the other end follows.",
    discussion: "graphstore link Project/p1.members Employee/p10 Employee/p11")

  @Argument(help: ArgumentHelp("Relationship of an object.", valueName: "id.rel")) var end: String
  @Argument(help: ArgumentHelp("Objects to add.", valueName: "id")) var ids: [String]
  @OptionGroup var dryRun: DryRunOptions
  @OptionGroup(title: "Short forms") var shortStore: ShortStoreArguments
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Store") var store: StoreArguments
  @OptionGroup(title: "Every command") var shared: SharedOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    try session.change(isRehearsal: dryRun.isOn) { writer in
      let (object, relationship) = try session.end(end)
      let members = try ids.map { try session.object($0, .write) }
      guard relationship.isToMany || members.count == 1 else {
        throw Diagnostic(
          code: "wrong-cardinality",
          message: "\(relationship.description) leads to one object, not to \(members.count)",
          entity: object.entity.name, property: relationship.name, exitCode: .dataError)
      }
      try writer.link(members, to: object, relationship)
    }
    if dryRun.isOn {
      try session.tellRehearsal("link \(ids.count) to \(end)")
    } else {
      session.note("linked \(ids.count) to \(end)")
    }
    return .success
  }
}
