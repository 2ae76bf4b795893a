import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore compact`
struct CompactCommand: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact", abstract: "Give back room on the disk that no object needs.",
    discussion: """
      Writes the log into the store's file, the file anew without free pages, and removes files of external data that no \
      object has. Prints the bytes before, after and saved. Meanwhile the file needs its size on the disk twice more; \
      whoever ends the command at any moment leaves all objects.

      Beside another process that has the store open it does what it can, waits no longer than --timeout all in all, says \
      what was left, and exits 5. A damaged store is left as it is. --dry-run tells what there is to be given back.
      """)

  @OptionGroup var dryRun: DryRunOptions
  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup var options: AskingStoreCommandOptions

  var usualFormat: OutputFormat { .line }

  var writesStoreItself: Bool { !dryRun.isOn }

  var idleOptions: IdleStoreOptions? {
    IdleStoreOptions(
      options: [.configuration, .trace, .sqlLog],
      reason: "the command works on the store's file, past any context")
  }

  func validate() throws {
    guard !options.store.readOnly || dryRun.isOn else {
      throw ValidationError("compact writes to the store, which --read-only forbids; see --dry-run")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let stores = try session.stores()
    let names = stores.count > 1 ? try StoreName.named(stores) : []
    var isWhole = true
    let tables = try stores.enumerated().map { position, store in
      let name = names.isEmpty ? nil : names[position].name
      return try compact(store.path, name: name, in: session, &isWhole)
    }
    if tables.count == 1 {
      try session.write(default: .line, tables[0])
    } else {
      try session.write(
        default: .line, PropertyTables(tables: tables, format: session.settings.format ?? .line))
    }
    return isWhole ? .success : .partial
  }

  private func compact(
    _ path: String, name: String?, in session: CommandSession, _ isWhole: inout Bool
  ) throws -> PropertyTable {
    let model = try session.givenModel()
    let compaction = try session.recovering(path) {
      try StoreCompaction(path: path, model: model, timeout: session.timeout)
    }
    var table = PropertyTable()
    if let name { table.add("store", .string(name)) }
    guard !dryRun.isOn else {
      Self.add(compaction, to: &table)
      return table
    }
    let result = try compaction.run()
    Self.add(result, to: &table)
    for left in result.unfinished { session.report(Self.warning(left, path)) }
    if !result.unfinished.isEmpty { isWhole = false }
    return table
  }

  private static func add(_ compaction: StoreCompaction, to table: inout PropertyTable) {
    table.add("before", .int(Int64(compaction.before.total)))
    table.add("free-bytes", .int(Int64(compaction.freeBytes)))
    table.add("log-bytes", .int(Int64(compaction.before.log)))
    table.add("unnamed-files", compaction.unnamedFiles.map { .int(Int64($0.count)) } ?? .null)
    table.add("unnamed-bytes", compaction.unnamedFiles.map { .int(Int64($0.bytes)) } ?? .null)
  }

  private static func add(_ result: StoreCompaction.Result, to table: inout PropertyTable) {
    table.add("before", .int(Int64(result.before.total)))
    table.add("after", .int(Int64(result.after.total)))
    table.add("saved", .int(Int64(result.before.total - result.after.total)))
    table.add("removed-files", .int(Int64(result.removed.count)))
    table.add(
      "left",
      result.unfinished.isEmpty
        ? .null : .string(result.unfinished.map(\.rawValue).joined(separator: ", ")))
  }

  private static func warning(_ left: StoreCompaction.Unfinished, _ path: String) -> Diagnostic {
    Diagnostic(
      .warning, code: "not-compacted", message: "\(path): \(left.message)",
      hints: [
        left == .filesWithoutModel
          ? "name the store's model with --model FILE"
          : "run it again when nobody uses the store, or with a longer --timeout"
      ], exitCode: .partial)
  }
}
