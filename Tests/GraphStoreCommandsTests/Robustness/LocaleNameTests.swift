import Foundation
import GraphStoreTestSupport
import Testing

@Suite("Names of locales in the environment")
struct LocaleNameTests {
  private static let parts = [
    "en", "US", "_", "-", "@", ".", "UTF-8", " ", "English", "United", "States", "zh", "Hant", ";", "=", "'",
    "\"",
    "(", "1252", "x", "und", "root", "%s", "\n", "POSIX", "C", "euro", "é", "/", "..", "collation=phonebook",
    "aaaaaaaaaaaaaaaaa", String(repeating: "z", count: 300),
  ]

  /// Names as they are found, and twelve that are made for each seed.
  private static func names(_ seed: TestSeed) -> [String] {
    var random = seed.generator
    let made = (0..<12).map { _ in
      (0..<Int.random(in: 1...6, using: &random)).map { _ in random.pick(parts) }.joined()
    }
    return made + [
      "English United States", "German Germany.1252", "english (united states)", "en United Kingdom",
      "x\" COLLATE y",
    ]
  }

  @Test(
    "PRD-265: whatever the name, records are compared, by the root collation where it is none",
    arguments: TestSeed.sequence(3))
  func compares(_ seed: TestSeed) throws {
    let tool = try CommandLineTool()
    for name in Self.names(seed) {
      for variable in ["LC_ALL", "LANG"] {
        tool.environment = ["LC_ALL": ""].merging([variable: name]) { $1 }
        let outcome = try tool.run("filter", "a <[l] 'b' AND a ==[cl] 'A'", input: "{\"a\":\"a\"}\n")
        #expect(
          outcome.code == 0 && outcome.output == "{\"a\":\"a\"}\n", "\(seed), \(variable)=\(name): \(outcome)"
        )
      }
    }
  }

  @Test("PRD-265: fetches sort and compare too")
  func fetches() throws {
    let tool = try CommandLineTool.staffedCompany()
    for name in ["English United States", "x\" COLLATE y", "de_DE.UTF-8@euro"] {
      tool.environment["LC_ALL"] = name
      let outcome = try tool.run(
        "fetch", "Employee", "-w", "name <[l] 'c'", "--sort", "name:localized", "--fields", "name", "-f",
        "csv",
        "--no-header")
      #expect(outcome.code == 0 && outcome.lines == ["Ada", "Bob"], "\(name): \(outcome)")
    }
  }
}
