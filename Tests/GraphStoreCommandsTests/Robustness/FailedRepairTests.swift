import Foundation
import GraphStoreSQLite
import Testing

@Suite("Repairs whose calls fail")
struct FailedRepairTests {
  /// Makes a folder with a store that has data in a file of its own, and that a repair is to mend.
  private func folder() throws -> CommandLineTool {
    let tool = try CommandLineTool()
    try tool.write(
      """
      {"entities": [{"name": "K", "attributes": [{"name": "b", "type": "binary", "externalStorage": true}]}]}
      """, to: "m.json")
    try tool.write(String(repeating: "x", count: 150_000), to: "large")
    let made = try tool.runShell(
      "graphstore init b.db --model m.json -q && graphstore insert K b=@large -s b.db")
    try #require(made.code == 0, "\(made.errors)")
    let raw = try SQLiteConnection(path: tool.path("b.db"), mode: .readWrite)
    defer { raw.close() }
    try raw.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0")
    return tool
  }

  /// The paths of all files and folders, hidden ones as well.
  private func names(_ tool: CommandLineTool) throws -> Set<String> {
    Set(try FileManager.default.subpathsOfDirectory(atPath: tool.folder.path))
  }

  @Test("Whichever call fails, a repair that says that nothing was changed leaves no part of its backup")
  func leftovers() throws {
    let words = ["check", "--repair", "--yes", "-s", "b.db"]
    let whole = try TracedTool.run(folder(), words)
    try #require(whole.code == 0 && whole.calls > 10, "\(whole)")
    for call in 1...whole.calls {
      let tool = try folder()
      let before = try names(tool)
      let ending = try TracedTool.run(tool, words, .fail(EIO), at: call)
      if ending.code == 0 || ending.call.hasPrefix("unlink") { continue }
      let place: Comment = "call \(call) of \(whole.calls): \(ending.call), exit \(ending.code as Any)"
      let left = try names(tool).subtracting(before).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
      // A backup that is whole may stay, with its data.
      #expect(left.isEmpty || left.contains("b.db.backup"), place)
    }
  }
}
