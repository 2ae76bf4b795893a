import ArgumentParser
import GraphStore

/// `graphstore check`
struct CheckCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Look for damage in the store.",
    discussion: """
      Checks the file by SQLite's own means, then the graph: inverses, dangling references, required and unique values, \
      and whatever reading would show wrongly or not at all. \
      The exit code is 2 if something is wrong.
      """)

  @Flag(help: "Leave out what reads all rows.") var quick = false
  @Flag(help: "One JSON object.") var json = false
  @OptionGroup var options: StoreCommandOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let path = try session.storePath()
    let model = try session.givenModel()
    let results = try session.recovering(path) {
      try StoreCheck.run(path: path, model: model, isQuick: quick, timeout: session.timeout)
    }
    let report = CheckReport(results, usesColor: session.outputTerminal.usesColor)
    if json {
      try session.printJSON { report.writeJSON(to: $0) }
    } else {
      try session.print(report.lines)
      let count = report.failureCount
      if count > 0 { session.inform("\(count) \(count == 1 ? "problem" : "problems")") }
    }
    return report.failureCount == 0 ? .success : .negativeAnswer
  }
}
