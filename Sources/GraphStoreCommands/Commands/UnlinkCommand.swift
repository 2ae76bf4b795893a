import ArgumentParser
import GraphStore

/// `graphstore unlink ID.rel ID...`
struct UnlinkCommand: ExecutableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "Take objects out of a relationship; the other end follows.",
    discussion: """
      A to-one relationship is cleared without further ids.

      graphstore unlink Project/p1.members Employee/p10
      graphstore unlink Employee/p10.manager
      """)

  @Argument(help: ArgumentHelp("Relationship of an object.", valueName: "id.rel")) var end: String
  @Argument(help: ArgumentHelp("Objects to take out.", valueName: "id")) var ids: [String] = []
  @Flag(help: "Delete them too, by the rules of the model.") var delete = false
  @OptionGroup var dryRun: DryRunOptions
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Every command") var shared: SharedOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let (object, relationship) = try session.end(end)
    let members = try members(object, relationship, session)
    let context = try session.context(.write)
    if delete, !dryRun.isOn, session.asksPerson {
      let preview = try context.deletionPreview(of: members)
      if preview.wouldSucceed, preview.deletions.count > 1 {
        try session.confirm(
          "delete \(preview.deletions.count) objects", showing: DeletionReport(preview).treeLines)
      }
    }
    try ChangeWriter(session).unlink(members, from: object, relationship)
    if delete, dryRun.isOn {
      let preview = try context.deletionPreview(of: members)
      let report = DeletionReport(preview)
      try session.print(preview.wouldSucceed ? report.treeLines : report.lines)
      guard preview.wouldSucceed else {
        session.takeBack()
        return report.exitCode
      }
    }
    if delete { for member in members { try context.delete(member) } }
    let count = members.count
    if try session.finishChange(dryRun, "\(delete ? "delete" : "unlink") \(count) of \(end)") {
      session.note("\(delete ? "deleted" : "unlinked") \(count) of \(end)")
    }
    return .success
  }

  private func members(
    _ object: ManagedObject, _ relationship: RelationshipDescription, _ session: CommandSession
  ) throws -> [ManagedObject] {
    let present =
      try relationship.isToMany
      ? object.objects(forKey: relationship.name)
      : [object.object(forKey: relationship.name)].compactMap(\.self)
    if ids.isEmpty {
      guard !relationship.isToMany else {
        throw Diagnostic(
          code: "usage", message: "unlink needs the ids of the objects to take out of \(end)",
          exitCode: .usage)
      }
      return present
    }
    let named = try ids.map { try session.object($0, .write) }
    let known = Set(present)
    if let stranger = named.first(where: { !known.contains($0) }) {
      throw Diagnostic(
        code: "object-not-found", message: "\(stranger.objectID.shortForm) is not in \(end)",
        entity: object.entity.name, key: relationship.name, exitCode: .noInput)
    }
    return named
  }
}
