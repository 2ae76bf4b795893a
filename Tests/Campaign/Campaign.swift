import ArgumentParser
import Foundation

/// Searches for lost data, wrong answers and crashes of the command, at random and systematically, for a
/// given time.
@main
struct Campaign: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graphstore-campaign",
    abstract: "Search for lost data, wrong answers and crashes of graphstore.",
    discussion: """
      Cases are made from the seed, the search and a number: what fails prints the line that runs its case again. The \
      exit code is 1 if anything was found.
      """)

  @Option(help: "The command to be tried (default: the one beside this program).") var command: String?
  @Option(help: "Searches, apart by commas (default: all).") var search: String?
  @Option(help: "What all cases are made from (default: a fresh one).") var seed: UInt64?
  @Option(help: "Run this case alone.") var `case`: Int?
  @Option(help: "The number of the first case.") var first = 0
  @Option(help: "How long to search.") var seconds = 60.0
  @Option(help: "How long to search, in hours.") var hours: Double?
  @Option(help: "Cases that run at once (default: one a processor).") var workers: Int?
  @Option(help: "Where evidence of what fails is kept.") var evidence = ".build/campaign"
  @Flag(help: "Run the package's own random tests too, which must be built.") var tests = false
  @Flag(help: "Say which searches there are.") var list = false

  mutating func run() throws {
    let repository = FileManager.default.currentDirectoryPath
    let command =
      self.command
      ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("graphstore").path
    let program = command.hasPrefix("/") ? command : repository + "/" + command
    let kept = evidence.hasPrefix("/") ? evidence : repository + "/" + evidence
    let scratch = NSTemporaryDirectory() + "graphstore-campaign-\(ProcessInfo.processInfo.processIdentifier)"
    let setup = Setup(command: program, repository: repository, scratch: scratch)
    if list {
      for search in Self.searches + RandomTests.all { print("\(search.name): \(search.summary)") }
      return
    }
    guard FileManager.default.isExecutableFile(atPath: program) else {
      throw ValidationError("there is no command at \(program): swift build --product graphstore")
    }
    let seed = self.seed ?? UInt64.random(in: 1...UInt64(UInt32.max))
    print("seed \(seed), command \(program)")
    defer { Files.remove(scratch) }
    try setup.samples.make(setup: setup)
    let searches = try chosen
    let findings = Findings(folder: kept)
    let line = CommandLine.arguments[0] + " --command \(command) --seed \(seed)"
    let schedule = Schedule(
      searches: searches, setup: setup, seed: seed, seconds: hours.map { $0 * 3600 } ?? seconds, first: first,
      findings: findings, rerun: { "\(line) --search \($0) --case \($1)" })
    if let number = self.case {
      schedule.run(case: number)
    } else {
      schedule.run(workers: workers ?? ProcessInfo.processInfo.activeProcessorCount)
    }
    print((schedule.summary + findings.summary).joined(separator: "\n"))
    print(findings.isEmpty ? "nothing found" : "evidence: \(kept)")
    if !findings.isEmpty { throw ExitCode(1) }
  }

  private var chosen: [any Search] {
    get throws {
      guard let names = search?.split(separator: ",").map(String.init) else {
        return Self.searches + (tests ? RandomTests.all : [])
      }
      return try names.map { name in
        guard let search = (Self.searches + RandomTests.all).first(where: { $0.name == name }) else {
          throw ValidationError("there is no search “\(name)”; --list says which there are")
        }
        return search
      }
    }
  }

  private static let searches: [any Search] = [
    InterruptedCalls(), DamagedStores(), MadeModels(), MadePredicates(), MadeRecords(), MadeScripts(),
    UndoSessions(), ConcurrentWriters(), RepairsAmongWriters(), TerminalOutput(), LocaleNames(),
    ForeignLayouts(),
  ]
}
