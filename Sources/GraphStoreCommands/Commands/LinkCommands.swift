import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore link ID.rel ID...`
struct LinkCommand: StoreCommand, SavingCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Add objects to a relationship; the other end follows.",
    discussion: """
      In an ordered relationship new members come last, or where --at, --before or --after say; members that are there \
      already are moved.

      graphstore link Project/p1.members Employee/p10 Employee/p11
      graphstore link Project/p1.members Employee/p10 --before Employee/p2
      """)

  @Argument(help: ArgumentHelp("Relationship of an object.", valueName: "id.rel")) var end: String
  @Argument(help: ArgumentHelp("Objects to add.", valueName: "id")) var ids: [String]
  @OptionGroup var place: MemberPlaceOptions
  @OptionGroup var counts: ChangeCountOptions
  @OptionGroup var dryRun: DryRunOptions
  @OptionGroup var saving: SavingOptions
  @OptionGroup var options: StoreCommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    try session.change(isRehearsal: dryRun.isOn) { writer in
      let (object, relationship) = try session.end(end)
      let members = try ids.map { try session.object($0, .write) }
      guard relationship.isToMany || members.count == 1 else {
        throw Diagnostic(
          code: "wrong-cardinality",
          message: "\(object.entity.name).\(relationship.name) leads to one object, not to \(members.count)",
          entity: object.entity.name, property: relationship.name, exitCode: .dataError)
      }
      guard let place = try place.place(in: session) else {
        return try writer.link(members, to: object, relationship)
      }
      try place.insert(members, into: object, relationship)
    }
    if counts.json {
      try session.print(ChangeCounts(counts: [("linked", ids.count)], isDryRun: dryRun.isOn))
    } else if dryRun.isOn {
      try session.tellRehearsal("link \(ids.count.grouped) to \(end)")
    } else {
      session.inform("linked \(ids.count.grouped) to \(end)")
    }
    return .success
  }
}

/// `graphstore unlink ID.rel ID...`
struct UnlinkCommand: StoreCommand, AskingCommand, SavingCommand {
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
  @OptionGroup var counts: ChangeCountOptions
  @OptionGroup var dryRun: DryRunOptions
  @OptionGroup var saving: SavingOptions
  @OptionGroup var options: AskingStoreCommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    do {
      let (count, report) = try session.change(isRehearsal: dryRun.isOn) { try change(session, $0) }
      if counts.json {
        if let report {
          try session.printJSON { report.writeJSON(to: $0) }
        } else {
          let verb = delete ? "deleted" : "unlinked"
          try session.print(ChangeCounts(counts: [(verb, count)], isDryRun: dryRun.isOn))
        }
      } else if dryRun.isOn {
        try session.print(report: report?.treeLines ?? [])
        try session.tellRehearsal("\(delete ? "delete" : "unlink") \(count.grouped) of \(end)")
      }
      if !dryRun.isOn { session.inform("\(delete ? "deleted" : "unlinked") \(count.grouped) of \(end)") }
      return .success
    } catch let refusal as RefusedRehearsal {
      session.rollBackCommand()
      if counts.json {
        try session.printJSON { refusal.report.writeJSON(to: $0) }
      } else {
        try session.print(report: refusal.report.lines)
      }
      return refusal.report.exitCode
    }
  }

  /// Ends a dry run of a deletion that would be refused.
  private struct RefusedRehearsal: Error {
    var report: DeletionReport
  }

  /// - Returns: how many objects were taken out, and of a dry run what would go along.
  private func change(_ session: CommandSession, _ writer: ChangeWriter) throws -> (Int, DeletionReport?) {
    let (object, relationship) = try session.end(end)
    let members = try members(object, relationship: relationship, session: session)
    if delete, !dryRun.isOn, session.asksPerson {
      let preview = try writer.context.deletionPreview(of: members)
      if preview.wouldSucceed {
        try session.confirm(
          "delete \(preview.deletions.count.counted("object"))", extent: preview.deletions.count,
          showing: DeletionReport(preview).treeLines)
      }
    }
    try writer.unlink(members, from: object, relationship)
    guard delete else { return (members.count, nil) }
    var report: DeletionReport?
    if dryRun.isOn {
      let preview = try writer.context.deletionPreview(of: members)
      report = DeletionReport(preview)
      if !preview.wouldSucceed, let report { throw RefusedRehearsal(report: report) }
    }
    try writer.delete(members)
    return (members.count, report)
  }

  private func members(
    _ object: ManagedObject, relationship: RelationshipDescription, session: CommandSession
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
        entity: object.entity.name, property: relationship.name, exitCode: .noInput)
    }
    return named
  }
}
