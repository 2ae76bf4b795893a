import Foundation
import GraphStoreTestSupport
import Testing

@Suite("What commands say of matches that take too many steps")
struct PatternLimitTests {
  private let tool: CommandLineTool
  private static let condition = "t MATCHES '((a+)+c|a*b)'"
  private static let text = String(repeating: "a", count: 40) + "b"

  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      #"""
      {"entities":[{"name":"T","attributes":[{"name":"t","type":"string"}]},
      {"name":"V","attributes":[{"name":"t","type":"string","pattern":"((a+)+c|a*b)"}]}]}
      """#, to: "m.json")
    tool.environment["GRAPHSTORE_STORE"] = "s.db"
    let made = try tool.run("init", "s.db", "--model", "m.json")
    try #require(made.code == 0, "\(made.errors)")
    try #require(tool.run("insert", "T", "t=\(Self.text)").code == 0)
  }

  @Test(
    "DGN-203: predicate-limit, exit 65, with the place of the pattern; what does not match is not deleted either",
    arguments: [
      ["count", "T", "-w", condition], ["fetch", "T", "-w", "t != 'x'", "-w", condition],
      ["fetch", "T", "-w", condition + " AND t MATCHES t"], ["delete", "T", "-w", "NOT \(condition)"],
    ])
  func conditions(_ arguments: [String]) throws {
    let outcome = try tool.run(CommandLineTool.executable.path, arguments, input: nil)
    #expect(outcome.code == 65 && outcome.output == "")
    #expect(outcome.errors.contains("[predicate-limit]"), "\(outcome.errors)")
    let line = try #require(arguments.last)
    let place = try #require(line.range(of: "'((a"))
    let column = line.distance(from: line.startIndex, to: place.lowerBound)
    let marks = String(repeating: " ", count: column + 2) + String(repeating: "^", count: 14)
    #expect(outcome.errors.contains("\n  \(line)\n\(marks)\n"), "\(outcome.errors)")
    #expect(try tool.run("count", "T").output == "1\n")
    let json = try tool.run(
      CommandLineTool.executable.path, arguments + ["--error-format", "json"], input: nil)
    #expect(json.errors.contains("136035"), "\(json.errors)")
  }

  @Test("DGN-203: filter ends with it too")
  func filter() throws {
    let outcome = try tool.run("filter", "NOT \(Self.condition)", input: "{\"t\":\"\(Self.text)\"}\n")
    #expect(outcome.code == 65 && outcome.output == "" && outcome.errors.contains("[predicate-limit]"))
  }

  @Test("DGN-168: a value that its pattern takes too many steps for is refused as that, with its number")
  func values() throws {
    let outcome = try tool.run("insert", "V", "t=\(Self.text)", "--error-format", "json")
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("136035") && outcome.errors.contains("takes too many steps"))
    #expect(try tool.run("count", "V").output == "0\n")
  }
}
