import Foundation
import Testing

@Suite("Requests that are larger than SQLite takes")
struct LargeRequestTests {
  private let tool: CommandLineTool

  init() throws { tool = try CommandLineTool.staffedCompany() }

  @Test("What is too much is the command's fault, not the store's")
  func refused() throws {
    let fields = (0..<3000).map { "badge + \($0) as f\($0)" }.joined(separator: ",")
    let sorts = (0..<2500).map { _ in "name" }.joined(separator: ",")
    let path = Array(repeating: "manager", count: 70).joined(separator: ".") + ".name"
    for words in [
      ["--fields", fields], ["--sort", sorts], ["--where", "\(path) == 'A'"], ["--fields", path],
    ] {
      let outcome = try tool.run(CommandLineTool.executable.path, ["fetch", "Employee"] + words, input: nil)
      guard outcome.code != 0 else { continue }
      #expect(
        outcome.code == 64 && !outcome.errors.contains("graphstore check"),
        "\(words[0]): \(outcome.errors.prefix(500))")
      #expect(outcome.errors.contains("hint: "), "\(outcome.errors.prefix(500))")
    }
  }

  @Test("model validate tells of an entity that no table can hold, as init does")
  func wide() throws {
    let attributes = (0..<2100).map { #"{"name":"a\#($0)","type":"int32"}"# }.joined(separator: ",")
    try tool.write(#"{"entities":[{"name":"Wide","attributes":[\#(attributes)]}]}"#, to: "wide.json")
    let made = try tool.run("init", "w.db", "-m", "wide.json")
    #expect(made.code == 65 && made.errors.contains("[model-too-wide]"))
    let validated = try tool.run("model", "validate", "wide.json")
    #expect(validated.code == 2 && validated.output.contains("model-too-wide"), "\(validated.output)")
    #expect(try tool.run("model", "validate", "wide.json", "--json").output.contains("model-too-wide"))
  }
}
