import Foundation
import GraphStoreTestSupport
import Testing

@Suite("External data through the command")
struct ExternalDataCommandTests {
  private let tool: CommandLineTool
  private let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "Photos", "entities": [{"name": "Photo", "attributes": [
        {"name": "name", "type": "string"}, {"name": "image", "type": "binary", "externalStorage": true}]}]}
      """, to: "photos.json")
    #expect(try tool.run("init", "p.db", "--model", "photos.json").code == 0)
    try large.write(to: tool.folder.appendingPathComponent("large"))
  }

  private var files: [String] {
    let path = tool.folder.appendingPathComponent(".p_SUPPORT/_EXTERNAL_DATA").path
    return (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  private func run(_ arguments: String...) throws -> CommandLineTool.Outcome {
    try tool.run(CommandLineTool.executable.path, arguments + ["--store", "p.db"], input: nil)
  }

  @Test(
    "STO-175, STO-187: a large file is copied beside the store, counted by info, and comes back by export and import"
  )
  func largeFile() throws {
    #expect(try run("insert", "Photo", "name=a", "image=@large").code == 0)
    #expect(files.count == 1)
    let info = try run("info", "--json").output
    #expect(info.contains(#""external-files":1"#) && info.contains(#""external-bytes":300000"#))
    #expect(try run("export", "Photo", "--output", "out.ndjson").code == 0)
    #expect(try tool.run("init", "q.db", "--model", "photos.json").code == 0)
    #expect(try tool.run("import", "Photo", "out.ndjson", "--store", "q.db").code == 0)
    let back = try tool.run("fetch", "Photo", "--ndjson", "--fields", "image", "--store", "q.db").output
    #expect(back.contains(large.base64EncodedString()))
    #expect(try tool.run("check", "--store", "q.db").code == 0)
  }

  @Test("An output file cannot replace one of the store's external data")
  func outputFile() throws {
    #expect(try run("insert", "Photo", "name=a", "image=@large").code == 0)
    let refused = try run(
      "fetch", "Photo", "--fields", "name", "-o", ".p_SUPPORT/_EXTERNAL_DATA/\(files[0])", "--yes")
    #expect(refused.code == 64 && refused.errors.contains("belongs to the store"))
    #expect(try run("upsert", "Photo", "--key", "image", "image=@large", "name=b").code == 0)
    #expect(try run("count", "Photo").output == "1\n")
  }

  /// The mode of a file or folder, without its kind.
  private func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: tool.path(name))
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test(
    "STO-219, MIG-276: copies of a store, and the folders of their external data, are as open as the store",
    arguments: [(0o644, 0o755), (0o600, 0o700), (0o640, 0o750)])
  func modes(_ store: Int, _ folder: Int) throws {
    #expect(try run("insert", "Photo", "name=a", "image=@large").code == 0)
    try FileManager.default.setAttributes([.posixPermissions: store], ofItemAtPath: tool.path("p.db"))
    try tool.write(
      try String(contentsOfFile: tool.path("photos.json"), encoding: .utf8).replacing(
        "{\"name\": \"name\"", with: "{\"name\": \"place\", \"type\": \"string\"}, {\"name\": \"name\""),
      to: "later.json")
    try tool.sqlite("UPDATE ZPHOTO SET Z_OPT = NULL", "p.db")
    #expect(try run("check", "--repair", "--yes").code == 0)
    #expect(try run("migrate", "apply", "--to", "photos.json", "--output", "copy.db").code == 0)
    #expect(try run("migrate", "apply", "--to", "later.json", "--output", "later.db").code == 0)
    #expect(try run("migrate", "apply", "--to", "later.json").code == 0)
    let backup = try #require(
      FileManager.default.contentsOfDirectory(atPath: tool.folder.path).first {
        $0.hasPrefix("p.db.") && $0.hasSuffix(".backup") && $0 != "p.db.backup"
      })
    for name in ["p.db", "p.db.backup", "copy.db", "later.db", backup] {
      #expect(try mode(name) == store, "\(name)")
      let stem = String(name[..<(name.lastIndex(of: ".") ?? name.endIndex)])
      guard name != "p.db" else { continue }
      #expect(try mode(".\(stem)_SUPPORT") == folder, "\(name)")
      #expect(try mode(".\(stem)_SUPPORT/_EXTERNAL_DATA") == folder, "\(name)")
    }
  }

  @Test(
    "STO-330: what one store deletes or replaces stays for another that has the same folder",
    arguments: ["delete Photo/p1", "update Photo/p1 image=@other", "update Photo/p1 image:=null"])
  func sharedFolder(_ line: String) throws {
    #expect(try run("insert", "Photo", "name=a", "image=@large").code == 0)
    try Data(repeating: 7, count: 200_000).write(to: tool.folder.appendingPathComponent("other"))
    for _ in 0..<2 {
      try tool.sqlite("UPDATE ZPHOTO SET Z_OPT = NULL", "p.db")
      #expect(try run("check", "--repair", "--yes").code == 0)
    }
    _ = try tool.runShell("cp p.db p.copy; cp p.db p.other")
    for (changed, kept) in [("p.db.backup", "p.db.backup-2"), ("p.copy", "p.other"), ("p.other", "p.db")] {
      let outcome = try tool.runShell("graphstore \(line) -s \(changed)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let image = try tool.run("get", "Photo/p1", "--fields", "image", "-f", "csv", "--no-header", "-s", kept)
      #expect(image.output == large.base64EncodedString() + "\n", "\(changed) \(kept): \(image.errors)")
    }
  }

  @Test("A dry run writes no file, and neither does an insert that fails")
  func dryRun() throws {
    #expect(try run("insert", "Photo", "image=@large", "--dry-run").code == 0)
    #expect(try run("insert", "Photo", "image=@large", "name:=[1]").code == 65)
    #expect(files.isEmpty)
  }

  @Test(
    "DGN-200, STO-182: a missing file ends with 66 and names object, attribute and file; other attributes are shown"
  )
  func missing() throws {
    #expect(try run("insert", "Photo", "name=a", "image=@large").code == 0)
    let name = files[0]
    try FileManager.default.removeItem(at: tool.folder.appendingPathComponent(".p_SUPPORT"))
    for words in [["get", "Photo/p1"], ["fetch", "Photo"]] {
      let shown = try tool.run(CommandLineTool.executable.path, words + ["--store", "p.db"], input: nil)
      #expect(shown.code == 66 && shown.errors.contains("[external-data-missing]"))
      #expect(
        shown.errors.contains("Photo/p1") && shown.errors.contains("image") && shown.errors.contains(name))
    }
    #expect(try run("fetch", "Photo", "--fields", "name").code == 0)
    let check = try run("check")
    #expect(check.code == 2 && check.output.contains("1 row without the file of its data: Photo/p1"))
  }

  @Test(
    "STO-178: a save that is killed leaves no row without its file, and check names every file without a row")
  func killed() throws {
    for round in 0..<6 {
      let running = try RunningTool(
        tool, ["insert", "Photo", "name=\(round)", "image=@large", "--store", "p.db"])
      usleep(UInt32(round) * 15_000)
      running.send(SIGKILL)
      _ = running.exitCode()
    }
    let check = try run("check", "--json")
    #expect(check.code == 0, "\(check.output)")
    let rows = try run("count", "Photo").output.trimmingCharacters(in: .whitespacesAndNewlines)
    let unnamed = files.count - (Int(rows) ?? 0)
    #expect(unnamed >= 0)
    #expect(check.output.contains("that no row names") == (unnamed > 0))
  }
}
