import Foundation
import Testing

@testable import GraphStoreCommands

@Suite("Arguments and variables that are no UTF-8")
struct ArgumentBytesTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.company() }

  @Test(
    "An argument that is no text is refused with its position, whatever it would be",
    arguments: [
      (3, #"graphstore insert Department name="$(printf 'caf\351')""#),
      (4, #"graphstore count Department --where "$(printf 'name == "\351"')""#),
      (6, #"graphstore count Department -w 'name == $n' --var n="$(printf '\351')""#),
      (3, #"graphstore metadata set owner="$(printf 'caf\351')""#),
      (3, #"graphstore import Department "$(printf 'f\351.csv')""#),
      (2, #"graphstore init "$(printf 'n\351.db')" -m model.json"#),
      (3, #"graphstore fetch Department --"$(printf 'f\351')""#),
      (1, #"graphstore "$(printf '\377\376')""#),
      (3, #"graphstore run -c "$(printf 'insert Department name=\303')""#),
    ])
  func refused(position: Int, line: String) throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
    let outcome = try tool.runShell(line.replacing("model.json", with: "'\(Self.model)'"))
    #expect(outcome.code == 64 && outcome.output == "")
    #expect(outcome.errors.contains("argument \(position) is not UTF-8"), "\(outcome.errors)")
    #expect(outcome.errors.contains("\\x") && outcome.errors.contains("[not-utf8]"), "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted() == before)
    #expect(try tool.run("count", "Department").output == "0\n")
  }

  private static let model = Repository.root.appendingPathComponent("Models/company.json").path

  @Test("It is told as JSON where that is asked for")
  func json() throws {
    let outcome = try tool.runShell(
      #"graphstore insert Department name="$(printf 'caf\351')" --error-format json"#)
    #expect(outcome.errors.hasPrefix(#"{"error":{"code":"not-utf8","#), "\(outcome.errors)")
    #expect(outcome.errors.contains(#"argument 3 is not UTF-8: name=caf\\xE9"#), "\(outcome.errors)")
  }

  @Test("A setting in the environment that is no text is refused, and others are as if they were not set")
  func variables() throws {
    for name in ["GRAPHSTORE_STORE", "GRAPHSTORE_MODEL", "GRAPHSTORE_HISTORY", "GRAPHSTORE_LOG"] {
      let outcome = try tool.runShell(#"\#(name)="$(printf 'h\351.db')" graphstore count Department"#)
      #expect(
        outcome.code == 78 && outcome.errors.contains("\(name) is not UTF-8: h\\xE9.db"), "\(outcome.errors)")
    }
    let others = try tool.runShell(
      #"HOME="$(printf '/\351')" OTHER="$(printf '\351')" graphstore count Department"#)
    #expect(others.code == 0 && others.output == "0\n", "\(others.errors)")
  }

  @Test("Text in UTF-8 stays as it is")
  func text() throws {
    #expect(try tool.run("insert", "Department", "name=café 👩‍🚀 \u{FFFD}").code == 0)
    #expect(
      try tool.run("fetch", "Department", "--fields", "name", "-f", "csv").lines[1] == "café 👩‍🚀 \u{FFFD}")
  }

  @Test("Bytes are shown so that nothing in them reaches the terminal")
  func shown() {
    #expect(ProcessArguments.text(of: [0x61, 0xE9, 0x1B, 0x0A]) == "a\\xE9\\x1B\\x0A")
    #expect(ProcessArguments.text(of: Array(repeating: 0xFF, count: 100)).count == 80 * 4 + 1)
  }
}
