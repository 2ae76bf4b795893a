import Foundation
import Testing

@Suite("filter: keys of any spelling, and records that have none")
struct FilterKeyTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool() }

  @Test(
    "Backquotes and %K name keys that are no identifiers",
    arguments: [
      ["`user-id` == 5"], ["%K == 5", "--arg", "\"user-id\""], ["`a b`.`c.d` == 1"],
      ["%K == 1", "--arg", "\"a b\""],
      ["SELF.`user-id` > 4"], ["`1st` == 'x'"],
    ])
  func keys(_ words: [String]) throws {
    let record = "{\"user-id\":5,\"a b\":{\"c.d\":1},\"1st\":\"x\"}\n"
    let expected = words[0].hasPrefix("%K == 1") ? "" : record
    let outcome = try tool.run(CommandLineTool.executable.path, ["filter"] + words, input: Data(record.utf8))
    #expect(outcome.output == expected, "\(outcome.errors)")
    #expect(outcome.code == 0)
  }

  @Test("PRD-288: keys in backquotes print in them, and what is not closed is an error")
  func printing() throws {
    #expect(
      try tool.run("predicate", "print", "`user-id` == 5 AND `plain` == 1").output
        == "`user-id` == 5 AND plain == 1\n")
    for text in ["`user == 5", "`` == 5"] { #expect(try tool.run("predicate", "print", text).code == 64) }
  }

  @Test("What is no object does not match, and is counted")
  func strangers() throws {
    let input = "{\"age\":7}\n\"str\"\n5\nnull\n[1]\n{\"age\":9}\n"
    let outcome = try tool.filter("age > 1", input: input)
    #expect(outcome.code == 0)
    #expect(outcome.lines == ["{\"age\":7}", "{\"age\":9}"])
    #expect(outcome.errors.contains("are no objects"), "\(outcome.errors)")
    #expect(try tool.filter("age > 1", "--quiet", input: input).errors == "")
    #expect(try tool.filter("age > 1", "--invert", "--count", input: "\"a\"\n{\"age\":0}\n").output == "2\n")
    #expect(try tool.filter("SELF == 5", input: input).output == "5\n")
    #expect(try tool.filter("TRUEPREDICATE", "--sort", "-age", input: "\"a\"\n{\"age\":0}\n").code == 0)
  }
}
