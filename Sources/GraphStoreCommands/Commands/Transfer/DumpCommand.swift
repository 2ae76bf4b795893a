import ArgumentParser
import Foundation
import GraphStore
import GraphStoreReports

/// `graphstore dump [FILE|-]`
struct DumpCommand: StoreCommand, AskingCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump", abstract: "Write the whole store as text, from which load makes an equal one.",
    discussion: """
      The first line has the model, the UUID, the metadata and the greatest numbers of ids; then follow the objects, one a \
      line with its id, all of one state of the store; the last line has their number. It is NDJSON that can be kept under \
      version control: what has not changed is written as before. The history is not in it, and versions of objects are not. \
      A file whose name ends in .gz is written with gzip, which load reads.

      Of a store that is damaged --salvage writes what can be read, and says what cannot, with exit code 5; load --pruned \
      makes a whole store of that. A store whose schema or metadata are lost cannot be opened by that either.

      graphstore dump hr.dump.gz
      graphstore dump | graphstore load - --store copy.db
      graphstore dump saved.dump --salvage
      graphstore load saved.dump --pruned --store saved.db
      """)

  @Argument(help: "Where to write it (default: standard output).", completion: .file()) var file: String?
  @Flag(help: "Leave out what cannot be read of a damaged store, and say what that is.") var salvage = false
  @Flag(inversion: .prefixedNo, help: "Show how far it has come, on a terminal.") var progress = true
  @OptionGroup var options: AskingStoreCommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let start = ContinuousClock.now
    _ = try session.storePath()
    session.settings.outputPath = file == "-" ? nil : file
    try session.confirmOutput()
    let context = try session.context(.read)
    guard !context.hasChanges else {
      throw Diagnostic(
        code: "unsaved-changes", message: "there are unsaved changes, which a dump would not have",
        hints: [".commit or .rollback them first"], exitCode: .usage)
    }
    let contents = try StoreContents(context.coordinator, isSalvage: salvage)
    defer { contents.close() }
    warnOfUnheld(in: contents, session)
    let count = try session.withOutput { try write(contents, to: $0, in: session) }
    session.reportResult(count.counted("object"), since: start)
    guard let losses = contents.losses, !losses.isEmpty else { return .success }
    SalvageReport(losses).tell(session)
    return .partial
  }

  private func write(
    _ contents: StoreContents, to output: OutputBuffer, in session: CommandSession
  ) throws -> Int {
    var bar = progressBar(contents, in: session)
    defer { bar?.finish() }
    return try DumpWriter(contents, to: output, options: session.resultOptions).run { count in
      guard count & 255 == 0 else { return }
      try session.interruption.check()
      bar?.update(done: count, rows: count)
    }
  }

  /// None where the objects are seen on the same terminal.
  private func progressBar(_ contents: StoreContents, in session: CommandSession) -> ProgressBar? {
    let terminal = session.errorTerminal
    guard progress, terminal.isTerminal, !session.outputTerminal.isTerminal, !session.settings.isQuiet else {
      return nil
    }
    return ProgressBar(title: "dumping \(contents.path)", total: nil, terminal: terminal)
  }

  /// Says what the dump lacks.
  private func warnOfUnheld(in contents: StoreContents, _ session: CommandSession) {
    var told: Set<String> = []
    for attribute in contents.shapes.flatMap(\.unheld) where told.insert(attribute.description).inserted {
      session.report(.leftOut(attribute))
    }
  }
}
