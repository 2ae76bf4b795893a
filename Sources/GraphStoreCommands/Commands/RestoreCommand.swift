import ArgumentParser
import Foundation
import GraphStore
import GraphStoreReports

/// `graphstore restore SRC`
struct RestoreCommand: StoreCommand, AskingCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Replace the store by a copy of a backup.",
    discussion: """
      The backup is checked, copied beside the store, and put in its place: whatever happens on the way, the store is \
      the old one or the restored one, and whole. The store that it replaces is kept as NAME.backup; whoever has it open \
      has to close it. It asks first; --yes answers.

      Either of both may be on a server, where the store that is replaced is kept as the schema NAME_backup.

      graphstore restore --store hr.db backups/hr.db
      """)

  @Argument(help: "The backup, or any other store.", completion: .file()) var source: String
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: AskingStoreCommandOptions

  var writesStoreItself: Bool { true }

  var idleOptions: IdleStoreOptions? {
    IdleStoreOptions(
      options: [.model, .configuration, .trace],
      reason: "the store becomes a copy of the backup, with the model that it carries, and nothing is traced")
  }

  func validate() throws {
    guard !options.store.readOnly else {
      throw ValidationError("restore replaces the store, which --read-only forbids")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let path = try session.storePath()
    if session.settings.isReadOnly { throw session.readOnly(path) }
    let source = ServerAddress.shown(self.source)
    // Before anybody is asked: a question about what cannot be done is a false alarm.
    try StoreBackup.checkDestination(path)
    try session.recovering(source) { try StoreBackup.check(source, timeout: session.timeout) }
    let isThere = try StorePlace(path: path).isTaken(timeout: session.timeout)
    let plan = isThere ? ["\(path) is replaced, and kept under another name"] : []
    try session.requireConsent(for: "restore", showing: plan)
    try session.confirm(isThere ? "replace \(path) by \(source)" : "make \(path) of \(source)", showing: plan)
    ProcessSignals.watch()
    let start = ContinuousClock.now
    let result = try StoreBackup.restoring(source, to: path, timeout: session.timeout)
    let report = StoreCopyReport(result, from: source, start.duration(to: .now))
    if json {
      try session.telling("\(path) is a copy of \(source)") {
        try session.printJSON { report.writeJSON(to: $0) }
      }
    }
    session.summarize(report.lines.joined(separator: "\n")) { report.writeJSON(to: $0) }
    return .success
  }
}
