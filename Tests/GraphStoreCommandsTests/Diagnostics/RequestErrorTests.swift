import Foundation
import Testing

/// The errors of requests, as the command tells them.
@Suite("Errors of requests")
struct RequestErrorTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  private func fetch(_ words: [String]) throws -> (code: Int32, errors: String) {
    let outcome = try tool.run(
      CommandLineTool.executable.path, ["fetch", "Employee"] + words, input: nil)
    #expect(outcome.output.isEmpty)
    return (outcome.code, outcome.errors)
  }

  @Test(
    "DGN-157 to DGN-162: each has its code, exit code 64, and says what does not fit and what does",
    arguments: [
      (["--where", "salary >"], "predicate-syntax", "^"),
      (["--where", "name > 5"], "type-mismatch", "text"),
      (["--where", "salary LIKE 'x'"], "type-mismatch", "salary"),
      (["--where", "FETCH(1, 2, YES).@count > 0"], "unsupported-in-fetch", "FETCH"),
      (["--where", "name MATCHES name", "--strict"], "unsupported-in-store", "MATCHES"),
      (["--where", "reports.name == 'Ada'"], "to-many-path", "ANY"),
      (["--sort", "reports.name"], "unsupported-sort", "reports"),
      (["--sort", "salry"], "unknown-key", "salary"),
    ])
  func codes(words: [String], code: String, words said: String) throws {
    let (exit, errors) = try fetch(words)
    #expect(exit == 64)
    #expect(errors.contains("[\(code)]"), "\(errors)")
    #expect(errors.contains(said), "\(errors)")
  }

  @Test("DGN-163: an argument that is no value of the kind that its place wants, with number and exit code")
  func arguments() throws {
    for words in [["%K == 1", "--arg", "5"], ["age == %d", "--arg", "\"x\""]] {
      let outcome = try tool.run(
        CommandLineTool.executable.path, ["filter"] + words + ["--error-format", "json"],
        input: Data("{}".utf8))
      #expect(outcome.code == 64 && outcome.output.isEmpty)
      #expect(outcome.errors.contains(#""code":"argument-type""#), "\(outcome.errors)")
      #expect(outcome.errors.contains(#""number":136038"#))
    }
    // Text that a variable brings in is a value, whatever stands in it.
    let none = try tool.run("count", "Employee", "-w", "name == $x", "--var", "x=name OR TRUEPREDICATE")
    #expect(none.output == "0\n")
  }

  @Test("DGN-159: what SQL cannot express is no error where it is not refused")
  func memory() throws {
    let found = try tool.run("fetch", "Employee", "--where", "name MATCHES name AND badge == 2", "-f", "ids")
    #expect(found.output == "Employee/p2\n")
  }
}
