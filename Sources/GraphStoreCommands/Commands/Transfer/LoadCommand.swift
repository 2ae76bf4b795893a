import ArgumentParser
import Foundation
import GraphStore
import GraphStoreReports

/// `graphstore load DUMP`
struct LoadCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "load", abstract: "Make a store of what dump has written.",
    discussion: """
      The store is made at the path that --store names, where none may be yet, with the model, the UUID, the metadata and \
      the ids of the dump. It appears when it is whole: of a dump that is wrong, or cut short, nothing is left. Values are \
      taken as they are, though a rule of the model may forbid them; graphstore check tells of those.

      Lines may be taken out of a dump on purpose: with --pruned their number does not count, and links to objects that are \
      not there are left out.

      The store is a SQLite store, whatever its name ends in: graphstore import --all --create --type fills one of another type. \
      At an address it is one of the server, which holds no links to objects that are not there; it is filled in a file first.

      graphstore load hr.dump --store copy.db
      grep -v '"Project/' hr.dump | graphstore load - --pruned -s small.db
      """)

  @Argument(help: "The dump, or - for standard input.", completion: .file()) var dump: String
  @Flag(help: "Lines were taken out on purpose: leave out links to objects that are not there.")
  var pruned = false
  @Flag(inversion: .prefixedNo, help: "Show how far it has come, on a terminal.") var progress = true
  @OptionGroup var options: StoreCommandOptions

  var writesStoreItself: Bool { true }

  var idleOptions: IdleStoreOptions? {
    IdleStoreOptions(
      options: [.model, .configuration, .readOnly, .timeout, .trace],
      reason: "load makes a store that nobody else has yet, with the model of the dump")
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    let start = ContinuousClock.now
    let path = try session.storePath()
    try session.refuseLog(amongInputs: [dump])
    try StorePlace(path: path).checkFolder()
    try StoreBackup.checkDestination(path)
    let reader = try DumpReader(path: dump)
    ProcessSignals.watch()
    let filling = try reader.beginFilling(at: path)
    let terminal = session.errorTerminal
    let isShown = progress && terminal.isTerminal && !session.settings.isQuiet
    try reader.read(
      into: filling, prunes: pruned, interruption: session.interruption, terminal: isShown ? terminal : nil)
    let filled = try reader.finish(filling, prunes: pruned)
    tellDangling(filled, in: session)
    summarize(filled, path: path, elapsed: start.duration(to: .now), in: session)
    return .success
  }

  /// Says what leads to objects that are not there.
  private func tellDangling(_ filled: FilledStore, in session: CommandSession) {
    for finding in filled.dangling {
      let what = pruned ? "left out" : "kept"
      session.report(
        Diagnostic(
          .warning, code: "dangling-link", message: "\(finding.subject): \(finding.message); \(what)",
          details: finding.objects.isEmpty ? [] : [finding.objects.joined(separator: ", ")],
          hints: pruned ? [] : ["see graphstore check, or leave them out with --pruned"], exitCode: .success))
    }
  }

  private func summarize(
    _ filled: FilledStore, path: String, elapsed: Duration, in session: CommandSession
  ) {
    let showsTime = session.settings.showsTime || session.errorTerminal.isTerminal
    let time = showsTime ? "   (\(elapsed.secondsText(decimals: 2)) s)" : ""
    session.summarize("created \(path): \(filled.count.counted("object"))\(time)") { output in
      var json = JSONBuilder(output)
      json.beginObject()
      json.member("store", path)
      json.member("objects", filled.count)
      json.endObject()
    }
  }
}
