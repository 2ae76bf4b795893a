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

      --type writes the objects into a store of another type, with their ids; a history stays behind. The same happens \
      without it where one of both is on a server: at a path the copy is a SQLite store then.

      graphstore backup --store hr.db backups/hr.db
      graphstore backup --store hr.db hr-for-mail.db --one-file
      graphstore backup --store hr.db hr.json --type json
      """)

  @Argument(help: "Where to make the copy.", completion: .file()) var destination: String
  @Flag(
    name: .customLong("one-file"), help: "Write large values into the file, and not into files beside it.")
  var oneFile = false
  @Option(help: "The type of the copy (default: that of the store).") var type: StoreTypeName?
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  func validate() throws {
    if oneFile, type != nil { throw ValidationError("--one-file and --type exclude each other.") }
  }

  var idleOptions: IdleStoreOptions? {
    if type != nil {
      return IdleStoreOptions(
        options: [.configuration, .trace, .sqlLog], reason: "a backup has all that the store has")
    }
    return IdleStoreOptions(
      options: [.model, .configuration, .trace, .sqlLog],
      reason: "a backup is a copy of the file, whatever its model is, and is not traced")
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let path = try session.storePath()
    // The hidden copy has to go when the command is interrupted.
    ProcessSignals.watch()
    let start = ContinuousClock.now
    let result = try session.recovering(path) {
      try copy(path, in: session)
    }
    let report = StoreCopyReport(result, from: path, start.duration(to: .now))
    if json {
      try session.telling("\(path) is copied to \(result.path)") {
        try session.printJSON { report.writeJSON(to: $0) }
      }
    }
    session.summarize(report.lines.joined(separator: "\n")) { report.writeJSON(to: $0) }
    return .success
  }

  private func copy(_ path: String, in session: CommandSession) throws -> StoreBackupResult {
    let destination = ServerAddress.shown(self.destination)
    guard let type else {
      return try StoreBackup.make(
        ofStoreAt: path, at: destination, isOneFile: oneFile, timeout: session.timeout)
    }
    return try StoreBackup.make(
      ofStoreAt: path, at: destination, type: type.type, model: session.givenModel(),
      timeout: session.timeout)
  }
}
