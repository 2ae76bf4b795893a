import ArgumentParser
import Testing

@testable import GraphStoreCommands

@Suite("Plain command lines")
struct FastPathCommandTests {
  private static let plainNames = ["fetch", "get", "count", "export"]

  /// The command that the package's parser reads; nil where it refuses.
  private func parsed(_ words: [String]) -> String? {
    (try? CommandParser.parse(words)).map { String(describing: $0) }
  }

  private func plainly(_ words: [String]) -> String? {
    CommandParser.plainCommand(words).map { String(describing: $0) }
  }

  @Test(
    "They give the commands that the package's parser gives",
    arguments: [
      "fetch Employee", "fetch Employee --limit 10 --where salary>5 -w age<3 --sort -salary,name",
      "fetch --limit 10 Employee --store s.db", "fetch Employee --limit=10 --where=a=b --var n=A* --var x:=1",
      "fetch Employee -f csv -o file --null - --width 0 --offset 3 --no-subentities --time-zone UTC",
      "fetch Employee -q -y -s s.db -m m.json --exit-code --json", "fetch Employee --where --limit",
      "fetch Employee --limit -0 --width +5 --timeout 1e1 --color never --error-format json --time",
      "get Employee/p1 Employee/p2 --fields name --ndjson --no-header", "get - -o file",
      "get Employee/p1 --no-input --yes",
      "count Employee --subentities --read-only --no-color --quiet --model m.json",
      "export --all -o folder --format csv", "export Employee --fields name --limit 2", "fetch =",
      "fetch a=b",
      "fetch Employee --group-by a,b --aggregate sum:x --aggregate count --having x>1 --distinct",
      "fetch Employee --stream --ndjson", "count Employee --group-by a --having -1",
      "count A --distinct --fields x",
      "export Employee --group-by a --format csv",
      "fetch Employee --prefetch reports,manager --prefetch=department", "export Employee --prefetch reports",
    ])
  func same(_ line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let command = try #require(plainly(words))
    #expect(command == parsed(words))
  }

  @Test(
    "Everything else is left to the package's parser",
    arguments: [
      "fetch", "fetch A B", "fetch A --help", "fetch A -h", "fetch A --version", "fetch A --nonsense",
      "fetch A -qy", "count A --yes", "count A -y", "count A --no-input",
      "fetch A --limit", "fetch A --limit x", "fetch A --limit 1 --limit 2", "fetch A --limit -1",
      "fetch -- A",
      "fetch A --store", "fetch A --store --json", "fetch A --format xml", "fetch A --json --ndjson",
      "fetch A --json=true", "fetch A --var x", "fetch A -ss.db", "fetch A -f csv --format json",
      "fetch A --where", "fetch A --where=", "fetch A -o -",
      "fetch A --where --", "get", "count A --limit -3", "export", "export --all A", "export --all --limit 3",
      "--store s.db fetch A", "help fetch", "fetsch A", "insert A name=x",
      "fetch A --generate-completion-script",
      "fetch A --prefetch a,", "export --all --prefetch a", "fetch A --fields a,,b",
      "fetch A --aggregate a,,b", "fetch A --having x --having y", "count A --fields x",
      "export --all --distinct",
      "fetch A --color pink", "fetch A --timeout soon",
    ])
  func refused(_ line: String) {
    #expect(plainly(line.split(separator: " ").map(String.init)) == nil)
  }

  @Test("Every option of a plain command is read, and means the same", arguments: plainNames)
  func coverage(_ name: String) throws {
    let command = try #require(CommandOutlines.commands.first { $0.name == name })
    let operands = name == "get" ? ["Employee/p1"] : ["Employee"]
    for option in command.options where !["--help", "-h", "--version", "--all"].contains(option.name) {
      let values: [String?] =
        switch option.value {
        case nil: [nil]
        case .choice(let words): words
        default: ["5=6"]
        }
      // Columns of a count are those that are to differ.
      let others = name == "count" && option.name == "--fields" ? ["--distinct"] : []
      for value in values {
        let words = [name] + operands + others + [option.name] + (value.map { [$0] } ?? [])
        let expected = parsed(words)
        #expect(plainly(words) == expected, "\(words)")
        if expected != nil { #expect(plainly(words) != nil, "\(words)") }
      }
    }
  }

  @Test(
    "Words drawn at random give the same command, or are left to the package's parser",
    arguments: TestSeed.sequence(2))
  func random(_ seed: TestSeed) {
    var generator = seed.generator
    let vocabulary = [
      "Employee", "-w", "--where", "a > 1", "--limit", "3", "-1", "--json", "--sort", "-name", "--store",
      "s.db",
      "-s", "-q", "--var", "n=1", "--limit=2", "--where=", "-", "--", "", "--fields", "--exit-code",
      "--no-subentities",
      "--subentities", "--format", "csv", "-f", "--output", "-o", "--width", "=", "--null", "--nosuch", "-x",
      "Ä",
    ]
    for _ in 0..<200 {
      let name = generator.pick(Self.plainNames)
      let words =
        [name] + (0..<Int.random(in: 0..<7, using: &generator)).map { _ in generator.pick(vocabulary) }
      guard let command = plainly(words) else { continue }
      #expect(command == parsed(words), "\(seed): \(words)")
    }
  }
}
