import ArgumentParser
import GraphStore
import GraphStoreReports

/// `graphstore backup DST`
struct BackupCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy the store while it is in use.",
    discussion: """
      The copy has what the store holds at one moment, with what is still in its log and with the files of external \
      data; programs go on reading and writing meanwhile. It is checked, and appears when it is whole. Nothing is \
      overwritten. A copy of the main file alone, made by other means, lacks what is in the log.

      graphstore backup --store hr.db backups/hr.db
      graphstore backup --store hr.db hr-for-mail.db --one-file
      """)

  @Argument(help: "Where to make the copy.", completion: .file()) var destination: String
  @Flag(
    name: .customLong("one-file"), help: "Write large values into the file, and not into files beside it.")
  var oneFile = false
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  var idleOptions: IdleStoreOptions? {
    IdleStoreOptions(
      options: [.model, .configuration, .trace],
      reason: "a backup is a copy of the file, whatever its model is, and is not traced")
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let path = try session.storePath()
    // The hidden copy has to go when the command is interrupted.
    ProcessSignals.watch()
    let start = ContinuousClock.now
    let result = try session.recovering(path) {
      try StoreBackup.make(ofStoreAt: path, at: destination, isOneFile: oneFile, timeout: session.timeout)
    }
    let report = StoreCopyReport(result, from: path, start.duration(to: .now))
    if json { try session.printJSON { report.writeJSON(to: $0) } }
    session.summarize(report.lines.joined(separator: "\n")) { report.writeJSON(to: $0) }
    return .success
  }
}
