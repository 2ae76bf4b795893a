import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore update ENTITY|ID... key=value...`
struct UpdateCommand: StoreCommand, AskingCommand, SavingCommand {
  static let configuration = CommandConfiguration(
    commandName: "update", abstract: "Change objects.",
    discussion: """
      Objects are named by ids, or by an entity with --where or --all. Values are written as for insert; key+=n adds.

      graphstore update Employee/p12 salary=75000 manager=Employee/p1
      graphstore update Employee --where 'department.name == "Sales"' salary+=1000
      graphstore update Employee --all --batch salary+=100
      """)

  @Argument(
    parsing: .remaining, help: ArgumentHelp("Ids or an entity, then values.", valueName: "id or key=value"))
  var words: [String]
  @OptionGroup var filter: FilterOptions
  @Flag(help: "All objects of the entity.") var all = false
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Refuse if more objects would change.", valueName: "count"))
  var max: Int?
  @OptionGroup var batch: BatchOptions
  @OptionGroup var archives: ArchiveOptions
  @OptionGroup var counts: ChangeCountOptions
  @OptionGroup var dryRun: DryRunOptions
  @OptionGroup var saving: SavingOptions
  @OptionGroup var options: AskingStoreCommandOptions

  func adjust(_ settings: inout CommandSettings) throws {
    try options.apply(to: &settings)
    settings.apply(archives)
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let start = ContinuousClock.now
    let first = words.firstIndex { $0.contains("=") } ?? words.endIndex
    guard first < words.endIndex else {
      throw Diagnostic(
        code: "usage", message: "update needs at least one key=value",
        hints: filter.predicates.contains(where: Assignment.ends)
          ? ["values stand before the condition: \"where\" takes all behind it"] : [], exitCode: .usage)
    }
    let assignments = try Assignment.list(words[first...])
    let selection = try ObjectSelection(
      Array(words[..<first]), filter: filter, all: all, action: "update", isDryRun: dryRun.isOn,
      in: session)
    if batch.isOn { return try updateSet(assignments, selection, in: session, start) }
    let ids = try session.change(isRehearsal: dryRun.isOn) { writer in
      let objects = try selection.objects()
      try selection.check(objects.count, max: max, "updated")
      let changes = try changes(assignments, objects: objects, selection: selection, session: session)
      if !dryRun.isOn {
        try session.confirm("update \(objects.count.grouped) \(selection.noun)", extent: objects.count)
      }
      for object in objects { try writer.apply(changes[ObjectIdentifier(object.entity)] ?? [], to: object) }
      return objects.map(\.objectID)
    }
    let summary = session.saveSummary
    let count = ids.count { !summary.droppedUpdates.contains($0) }
    if counts.json {
      try session.print(ChangeCounts(counts: [("updated", count)], isDryRun: dryRun.isOn))
    } else if dryRun.isOn {
      try session.tellRehearsal("update \(count.grouped) \(selection.noun)")
    }
    if !dryRun.isOn {
      let concession = summary.concession.map { "; \($0)" } ?? ""
      session.reportResult("updated \(count.grouped) \(selection.noun)\(concession)", since: start)
    }
    return .success
  }

  /// Changes the objects of an entity in the store.
  private func updateSet(
    _ assignments: [Assignment], _ selection: ObjectSelection, in session: CommandSession,
    _ start: ContinuousClock.Instant
  ) throws -> ExitCode {
    let result = try session.changeSet(isRehearsal: dryRun.isOn) { context in
      let result = try selection.withRequest { request in
        let entity = try session.entity(request.entityName, .write)
        var update = try BatchUpdateRequest(
          request, ChangeReader(session).changes(assignments, entity))
        (update.resultType, update.validates) = (.count, true)
        return try context.execute(update)
      }
      try selection.check(result.count, max: max, "updated")
      if !dryRun.isOn {
        try session.confirm("update \(result.count.grouped) \(selection.noun)", extent: result.count)
      }
      return result
    }
    let done = "\(result.count.grouped) \(selection.noun)"
    if counts.json {
      try session.print(ChangeCounts(counts: [("updated", result.count)], isDryRun: dryRun.isOn))
    } else if dryRun.isOn {
      try session.tellRehearsal("update \(done)")
    }
    if !dryRun.isOn { session.reportResult("updated \(done)", since: start) }
    return .success
  }

  /// The changes by entity, those of the entity that was named in any case: they may be wrong though nothing
  /// matches.
  private func changes(
    _ assignments: [Assignment], objects: [ManagedObject], selection: ObjectSelection,
    session: CommandSession
  ) throws -> [ObjectIdentifier: [ObjectChange]] {
    let reader = ChangeReader(session)
    var changes: [ObjectIdentifier: [ObjectChange]] = [:]
    for entity in Set(objects.map(\.entity)).union([selection.entity].compactMap(\.self)) {
      changes[ObjectIdentifier(entity)] = try reader.changes(assignments, entity)
    }
    return changes
  }
}
