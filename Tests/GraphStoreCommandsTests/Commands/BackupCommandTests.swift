import Foundation
import GraphStoreSQLite
import GraphStoreTestSupport
import Testing

/// `graphstore backup` and `graphstore restore` as a person and a script see them.
@Suite("backup and restore")
struct BackupCommandTests {
  private let tool: CommandLineTool

  /// A store with two small values and a large one, which lies in a file of its own.
  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "Photos", "entities": [{"name": "Photo", "attributes": [
        {"name": "name", "type": "string"}, {"name": "image", "type": "binary", "externalStorage": true}]}]}
      """, to: "photos.json")
    try Data(repeating: 7, count: 300_000).write(to: tool.folder.appendingPathComponent("large"))
    #expect(try tool.run("init", "p.db", "--model", "photos.json").code == 0)
    let made = try tool.run(
      "run", "-", "--store", "p.db",
      input: "insert Photo name=a image=@large\ninsert Photo name=b\ninsert Photo name=c\n")
    try #require(made.code == 0, "\(made.errors)")
    tool.environment["GRAPHSTORE_STORE"] = "p.db"
  }

  private func exported(_ store: String) throws -> String {
    let outcome = try tool.run("export", "Photo", "--fields", "name,image", "--store", store)
    return outcome.code == 0 ? outcome.output : "\(outcome.code) \(outcome.errors)"
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func terminal(_ arguments: String...) throws -> PseudoTerminal {
    try PseudoTerminal(
      CommandLineTool.executable.path, arguments + ["-s", tool.path("p.db")],
      environment: ["TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": tool.folder.path], size: (200, 24))
  }

  // MARK: backup

  @Test("STO-163, STO-185: backup copies the store with its external data, and tells objects, bytes and time")
  func backup() throws {
    let outcome = try tool.run("backup", "b.db")
    #expect(outcome.code == 0 && outcome.output.isEmpty, "\(outcome.errors)")
    let size = try #require(
      FileManager.default.attributesOfItem(atPath: tool.path("b.db"))[.size] as? Int)
    let told = try #require(
      outcome.errors.wholeMatch(
        of: /copied (.+) to (.+): 3 objects, (.+) bytes, [0-9]+\.[0-9] s; the copy is whole\n/))
    #expect(told.1.hasSuffix("p.db") && told.2.hasSuffix("b.db"))
    #expect(Int(told.3.filter(\.isNumber)) == size + 300_000)
    #expect(try exported("b.db") == exported("p.db"))
    #expect(try tool.run("check", "-s", "b.db").code == 0)
  }

  @Test("STO-186: --one-file writes large values into the file")
  func oneFile() throws {
    #expect(try tool.run("backup", "b.db", "--one-file").code == 0)
    #expect(try exported("b.db") == exported("p.db"))
    #expect(try names().filter { $0.contains("b") && $0 != "b.db" } == ["p.db"])
    #expect(try tool.run("check", "-s", "b.db").code == 0)
  }

  @Test("PAT-198, STO-165: --type writes a store of another type, with the same ids; diff finds nothing")
  func types() throws {
    var former = "p.db"
    // Each of the four from each other one.
    let types = [
      "json", "binary", "sqlite", "xml", "binary", "json", "xml", "sqlite", "binary", "xml", "json", "sqlite",
    ]
    for (number, type) in types.enumerated() {
      let name = "copy\(number)"
      let outcome = try tool.run("backup", name, "--type", type, "--store", former)
      #expect(outcome.code == 0 && outcome.errors.contains(": 3 objects, "), "\(outcome.errors)")
      #expect(try exported(name) == exported("p.db"))
      let difference = try tool.run("diff", "p.db", name, "--exit-code")
      #expect(difference.code == 0, "\(difference.output)")
      former = name
    }
    let next = try tool.run("insert", "Photo", "name=d", "--store", former)
    #expect(next.output.contains("Photo/p4"))
    #expect(try tool.run("check", "--store", former).code == 0)
  }

  @Test("STO-186: of a backup of another type that cannot be made nothing is left; nothing is overwritten")
  func failedType() throws {
    try tool.write("precious", to: "taken")
    #expect(try tool.run("backup", "taken", "--type", "json").code == 73)
    #expect(try tool.run("backup", "nowhere/b", "--type", "json").code != 0)
    #expect(try tool.run("backup", "b", "--type", "json", "--one-file").code == 64)
    let folder = tool.folder.appendingPathComponent(".p_SUPPORT/_EXTERNAL_DATA")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.removeItem(at: folder.appendingPathComponent(file))
    }
    let before = try names()
    for type in ["json", "binary", "xml"] {
      let outcome = try tool.run("backup", "b", "--type", type)
      #expect(outcome.code == 66 && outcome.errors.contains("external-data-missing"), "\(outcome.errors)")
    }
    #expect(try names() == before)
  }

  @Test(
    "STO-186: of a store with a link to nothing no false copy of another type is left",
    arguments: ["json", "binary", "xml"])
  func danglingLink(_ type: String) throws {
    let company = try CommandLineTool.staffedCompany()
    let connection = try SQLiteConnection(path: company.path("hr.db"), mode: .readWrite)
    try connection.execute("UPDATE ZPERSON SET ZDEPARTMENT = 999 WHERE Z_PK = 1")
    connection.close()
    let outcome = try company.run("backup", "copy", "--type", type)
    #expect(
      outcome.code == 74 && outcome.errors.contains("hr.db") && outcome.errors.contains("check"), "\(outcome)"
    )
    #expect(!FileManager.default.fileExists(atPath: company.path("copy")))
    #expect(try company.run("check", "--repair", "--yes").code == 0)
    #expect(try company.run("backup", "copy", "--type", type).code == 0)
  }

  @Test("STO-163: a program is told the same as JSON")
  func json() throws {
    let outcome = try tool.run("backup", "b.db", "--json", "-q")
    let told = try object(outcome.output)
    #expect(told["objects"] as? Int == 3 && told["bytes"] as? Int ?? 0 > 300_000)
    #expect((told["path"] as? String)?.hasSuffix("b.db") == true && told["replaced"] is NSNull)
    #expect(told["seconds"] is Double && outcome.errors.isEmpty)
  }

  @Test(
    "STO-153, STO-163: nothing is overwritten, and what cannot be copied leaves nothing",
    arguments: [true, false])
  func refused(isEmpty: Bool) throws {
    try tool.write(isEmpty ? "" : "mine", to: "b.db")
    let taken = try tool.run("backup", "b.db")
    #expect(taken.code == (isEmpty ? 0 : 73), "\(taken.errors)")
    if !isEmpty {
      #expect(taken.errors.contains("store-exists"))
      #expect(try String(contentsOfFile: tool.path("b.db"), encoding: .utf8) == "mine")
    }
    let before = try names()
    for (words, code) in [
      (["backup", "p.db"], Int32(73)), (["backup", "none/b.db"], 73),
      (["backup", "c.db", "-s", "none.db"], 66),
      (["backup", "c.db", "-s", "photos.json"], 65), (["backup", "p.copy"], 73),
    ] {
      let outcome = try tool.run(CommandLineTool.executable.path, words, input: nil)
      #expect(outcome.code == code, "\(words): \(outcome.code) \(outcome.errors)")
    }
    #expect(try names() == before)
  }

  @Test("STO-163: under writers every backup is whole, and no writer fails")
  func underWriters() throws {
    let insert = "for i in 1 2 3 4 5 6 7 8; do graphstore insert Photo name=$i image=@large || exit 9; done"
    let copy = "graphstore backup b$n.db && graphstore check -s b$n.db || exit 8"
    let outcome = try tool.runShell("(\(insert)) & w=$!; for n in 0 1 2 3; do \(copy); done; wait $w")
    #expect(outcome.code == 0, "\(outcome.output) \(outcome.errors)")
    #expect(try tool.run("count", "Photo").output == "11\n")
  }

  // MARK: restore

  private func changed() throws {
    #expect(try tool.run("backup", "b.db").code == 0)
    #expect(try tool.run("delete", "Photo", "--all", "--yes").code == 0)
    #expect(try tool.run("insert", "Photo", "name=later").code == 0)
  }

  @Test("STO-164, STO-156, MIG-334: restore puts a backup back, and keeps what it replaces")
  func restore() throws {
    let all = try exported("p.db")
    try changed()
    let outcome = try tool.run("restore", "b.db", "--yes")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("3 objects") && outcome.errors.contains("the old store is "))
    #expect(try exported("p.db") == all)
    #expect(try tool.run("count", "Photo", "-s", "p.db.backup").output == "1\n")
    #expect(try tool.run("check").code == 0)
    #expect(try exported("b.db") == all)
  }

  @Test("STO-164: where no store is, restore makes one")
  func absent() throws {
    let all = try exported("p.db")
    try changed()
    let outcome = try tool.run("restore", "b.db", "--yes", "--store", "new.db")
    #expect(outcome.code == 0 && !outcome.errors.contains("the old store"), "\(outcome.errors)")
    #expect(try exported("new.db") == all)
  }

  @Test("STO-164: off a terminal restore needs --yes, else it exits 4 and changes nothing")
  func consent() throws {
    try changed()
    for words in [["restore", "b.db"], ["restore", "b.db", "--no-input"], ["restore", "b.db", "--json"]] {
      let refused = try tool.run(CommandLineTool.executable.path, words, input: nil)
      #expect(refused.code == 4 && refused.errors.contains("restore needs --yes"), "\(refused.errors)")
      #expect(refused.errors.contains("p.db is replaced, and kept under another name"))
    }
    #expect(try tool.run("count", "Photo").output == "1\n")
    #expect(!FileManager.default.fileExists(atPath: tool.path("p.db.backup")))
  }

  @Test("STO-164: at a terminal restore asks first")
  func asked() throws {
    try changed()
    let declined = try terminal("restore", tool.path("b.db"))
    #expect(declined.expect("[y/N] "), "\(declined.transcript)")
    declined.send("n\n")
    #expect(declined.wait() == 4)
    #expect(try tool.run("count", "Photo").output == "1\n")
    let agreed = try terminal("restore", tool.path("b.db"))
    #expect(agreed.expect("[y/N] "))
    agreed.send("y\n")
    #expect(agreed.wait() == 0, "\(agreed.transcript)")
    #expect(try tool.run("count", "Photo").output == "3\n")
  }

  @Test(
    "STO-164, STO-156: a backup that is missing, cut short or no store is refused before anything is asked")
  func badSource() throws {
    try changed()
    let whole = try Data(contentsOf: tool.folder.appendingPathComponent("b.db"))
    try whole.prefix(whole.count / 2).write(to: tool.folder.appendingPathComponent("cut.db"))
    let before = try names()
    for (source, code) in [("none.db", Int32(66)), ("photos.json", 65), ("cut.db", 74), ("p.db", 73)] {
      let outcome = try tool.run("restore", source, "--yes")
      #expect(outcome.code == code, "\(source): \(outcome.code) \(outcome.errors)")
      if code != 73 { #expect(try tool.run("restore", source).code == code) }
    }
    #expect(try names() == before)
    #expect(try tool.run("count", "Photo").output == "1\n")
    #expect(try tool.run("restore", "b.db", "--yes", "--read-only").code == 64)
  }

  @Test("STO-159, STO-164: a store that others have open is waited for, and stays as it is")
  func inUse() throws {
    try changed()
    let running = try RunningTool(tool, ["import", "Photo", "-", "--from", "ndjson"])
    try running.feed((0..<2000).map { "{\"name\":\"p\($0)\"}\n" }.joined())
    let outcome = try tool.run("restore", "b.db", "--yes", "--timeout", "0.2")
    #expect(outcome.code == 75 && outcome.errors.contains("store-timeout"), "\(outcome.errors)")
    running.send(SIGKILL)
    _ = running.exitCode()
    #expect(try tool.run("count", "Photo").output == "1\n")
    let session = try tool.run("run", "-c", "fetch Photo", "-c", "restore b.db --yes")
    #expect(session.code != 0 && session.errors.contains("store-in-use"), "\(session.errors)")
    #expect(try tool.run("count", "Photo").output == "1\n")
  }

  @Test("STO-161: there is no command that destroys a store")
  func noDestroy() throws {
    #expect(try tool.run("destroy", "p.db").code == 64)
  }

  @Test("STO-157: a copy that would be larger than files may be is told by its own name, and not as damage")
  func fileSizeLimit() throws {
    let company = try CommandLineTool.staffedCompany()
    // As much as the index of the store's log needs, and less than the copy.
    let outcome = try company.runShell("ulimit -f 100; exec graphstore backup copy.db")
    #expect(outcome.code == 74, "\(outcome)")
    #expect(outcome.errors.contains("copy.db cannot be written") && outcome.errors.contains("ulimit -f"))
    #expect(!outcome.errors.contains("hr.db") && !outcome.errors.contains("check"), "\(outcome)")
    let left = try FileManager.default.contentsOfDirectory(atPath: company.folder.path)
    #expect(!left.contains { $0.contains("copy") }, "\(left)")
  }
}
