import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore delete ENTITY|ID...`
struct DeleteCommand: StoreCommand, AskingCommand, SavingCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete objects, by the rules of the model.",
    discussion: """
      Objects are named by ids, or by an entity with --where or --all. Cascades take further objects along; --dry-run \
      shows all of it and writes nothing.

      graphstore delete Department/p1 --dry-run
      graphstore delete Employee --where 'birthday < "1960-01-01"' --max 10
      graphstore delete Project --where 'members.@count == 0' --batch
      """)

  @Argument(help: ArgumentHelp("Ids, or an entity.", valueName: "entity or id")) var targets: [String]
  @OptionGroup var filter: FilterOptions
  @Flag(help: "All objects of the entity.") var all = false
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Refuse if more objects would go, cascades included.", valueName: "count"))
  var max: Int?
  @Flag(name: [.customLong("dry-run"), .customShort("n")], help: "Show what would go, and write nothing.")
  var dryRun = false
  @OptionGroup var batch: BatchOptions
  @OptionGroup var counts: ChangeCountOptions
  @OptionGroup var saving: SavingOptions
  @OptionGroup var options: AskingStoreCommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let start = ContinuousClock.now
    let selection = try ObjectSelection(
      targets, filter: filter, all: all, action: "delete", isDryRun: dryRun, in: session)
    if batch.isOn { return try deleteSet(selection, in: session, start) }
    if dryRun {
      let report = DeletionReport(
        try session.context(.write).deletionPreview(of: try selection.objects()))
      if counts.json {
        try session.printJSON { report.writeJSON(to: $0) }
      } else {
        try session.print(report: report.lines)
      }
      return report.exitCode
    }
    var isTold = false
    let (count, updated) = try session.change { writer in
      let objects = try selection.objects()
      if max != nil || session.asksPerson {
        let preview = try writer.context.deletionPreview(of: objects)
        isTold = try approve(preview, selection: selection, session: session)
      }
      let before = (writer.context.deletedObjects.count, writer.context.updatedObjects.count)
      try writer.delete(objects)
      return (
        writer.context.deletedObjects.count - before.0,
        Swift.max(0, writer.context.updatedObjects.count - before.1)
      )
    }
    if counts.json {
      try session.print(ChangeCounts(counts: [("deleted", count), ("updated", updated)], isDryRun: false))
    }
    if !isTold || session.settings.showsTime {
      session.reportResult("deleted \(count.counted("object"))", since: start)
    }
    return .success
  }

  /// Deletes the objects of an entity in the store.
  private func deleteSet(
    _ selection: ObjectSelection, in session: CommandSession, _ start: ContinuousClock.Instant
  ) throws -> ExitCode {
    let result = try session.changeSet(isRehearsal: dryRun) { context in
      let result = try selection.withRequest { request in
        var deletion = BatchDeleteRequest(request)
        deletion.resultType = .count
        return try context.execute(deletion)
      }
      try selection.check(result.count, max: max, "deleted")
      if !dryRun {
        try session.confirm("delete \(result.count.counted("object"))", extent: result.count)
      }
      return result
    }
    let done = "\(result.count.counted("object")), cascades included"
    if counts.json {
      try session.print(ChangeCounts(counts: [("deleted", result.count)], isDryRun: dryRun))
    } else if dryRun {
      try session.tellRehearsal("delete \(done)")
    }
    if !dryRun { session.reportResult("deleted \(done)", since: start) }
    return .success
  }

  /// Sees to it that what would go is what is wanted.
  ///
  /// - Returns: Whether what goes has been said.
  private func approve(
    _ preview: DeletionPreview, selection: ObjectSelection, session: CommandSession
  ) throws -> Bool {
    let report = DeletionReport(preview)
    try selection.check(preview.deletions.count, max: max, "deleted")
    if session.savePolicy == .onRequest {
      try session.print(report: ["  \(report.summary). Pending until .commit."])
      return true
    }
    if preview.wouldSucceed {
      try session.confirm(
        "delete \(preview.deletions.count.counted("object"))", extent: preview.deletions.count,
        showing: report.treeLines)
    }
    return false
  }
}
