import Foundation
import Testing

@Suite("What is wrong with records of an import")
struct ImportProblemTests {
  private let tool: CommandLineTool
  private static let record = "{\"salary\":\"abc\",\"badge\":\"abc\",\"email\":\"x\"}\n"

  init() throws {
    tool = try CommandLineTool.company()
    try tool.write(Self.record, to: "bad.ndjson")
    try tool.write("salary,badge,email\nabc,abc,x\n", to: "bad.csv")
  }

  private static let parts = [
    "Employee.salary: \"abc\"", "Employee.badge: \"abc\"", "Employee.email: \"x\"",
  ]

  @Test(
    "All wrong values of a record are told, those that cannot be read and those that a rule forbids",
    arguments: ["bad.ndjson", "bad.csv"])
  func together(file: String) throws {
    let outcome = try tool.run("import", "Employee", file)
    #expect(outcome.code == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("the record cannot be imported   [multiple-validation-errors]"))
    for part in Self.parts { #expect(outcome.errors.contains(part), "\(part): \(outcome.errors)") }
    #expect(try tool.run("count", "Employee").output == "0\n")
  }

  @Test("A line of the rejects has all of them", arguments: ["bad.ndjson", "bad.csv"])
  func rejects(file: String) throws {
    let outcome = try tool.run("import", "Employee", file, "--on-error", "skip", "--rejects", "-")
    #expect(outcome.code == 5 && outcome.lines.count == 1, "\(outcome.errors)\(outcome.output)")
    for part in Self.parts {
      #expect(outcome.output.contains(part.replacing("\"", with: "\\\"")), "\(part): \(outcome.output)")
    }
    #expect(outcome.output.contains(#""row":{"salary":"abc","badge":"abc","email":"x"}"#))
  }

  @Test("Nothing is said of what a record does not give, nor of rules of a value that cannot be read")
  func onlyGiven() throws {
    let outcome = try tool.run(
      "import", "Employee", "-", "--from", "ndjson", input: "{\"salary\":\"abc\",\"badge\":1}\n")
    #expect(outcome.code == 65 && outcome.errors.contains("[value-type]"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("Employee.name"), "\(outcome.errors)")
  }

  @Test("The links of a record that fails are told too, and a good record beside it is not")
  func links() throws {
    let outcome = try tool.run(
      "import", "Employee", "-", "--from", "ndjson",
      input: "{\"name\":\"Ada\",\"badge\":1}\n{\"badge\":\"abc\",\"department\":[1],\"nme\":\"x\"}\n")
    #expect(outcome.code == 65, "\(outcome.errors)")
    for text in ["-:2:", "badge", "department takes ids", "\"nme\""] {
      #expect(outcome.errors.contains(text), "\(text): \(outcome.errors)")
    }
    #expect(!outcome.errors.contains("-:1:"), "\(outcome.errors)")
  }
}
