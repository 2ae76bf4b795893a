import Foundation
import GraphStore
import GraphStoreSQLite
import Testing

/// Stores in places where nothing can be written, and what reading leaves beside stores where it can.
struct UnwritablePlaceTests {
  /// Whether a file system may be mounted for reading only, for the commands of a test alone.
  private static let canMount: Bool = {
    guard let tool = try? CommandLineTool() else { return false }
    return (try? tool.runShell("mkdir m && unshare -rm mount -t tmpfs tmpfs m"))?.code == 0
  }()

  /// Runs a line with the store `m/hr.db` on a file system that is mounted for reading only.
  private func run(_ line: String, in tool: CommandLineTool) throws -> CommandLineTool.Outcome {
    try tool.write(
      """
      mkdir -p m; mount -t tmpfs tmpfs m && cp hr.db m/ && mount -o remount,ro m || exit 99
      export GRAPHSTORE_STORE=m/hr.db
      \(line)
      """, to: "script.sh")
    return try tool.runShell("unshare -rm sh script.sh")
  }

  @Test(
    "DGN-192, STO-206: on a file system mounted for reading only a write is 77, in every way",
    .enabled(if: canMount, "file systems cannot be mounted"),
    arguments: [
      "insert Department name=Q", "update Employee/p1 salary=1", "delete Employee/p1", "metadata set a=b",
      "run -c 'insert Department name=Q'", "run -c 'count Employee' -c 'insert Department name=Q'",
      "import Department - --from ndjson < /dev/null", "link Project/p1.members Employee/p3",
    ])
  func writing(_ line: String) throws {
    let tool = try CommandLineTool.staffedCompany()
    let outcome = try run("graphstore \(line)", in: tool)
    #expect(outcome.code == 77, "\(outcome)")
  }

  @Test(
    "STO-157: a backup onto a full disk names the copy that there is no room for",
    .enabled(if: canMount, "file systems cannot be mounted"))
  func fullDisk() throws {
    let tool = try CommandLineTool.staffedCompany()
    try tool.write(
      "mkdir m; mount -t tmpfs -o size=24k tmpfs m && exec graphstore backup m/copy.db || exit 99",
      to: "script.sh")
    let outcome = try tool.runShell("unshare -rm sh script.sh")
    #expect(outcome.code == 74 && outcome.errors.contains("[disk-full]"), "\(outcome)")
    #expect(outcome.errors.contains("m/copy.db") && !outcome.errors.contains("hr.db"), "\(outcome)")
  }

  @Test(
    "MIG-277, MIG-330: a document there is planned, and migrated to another place, but not where it is (77)",
    .enabled(if: canMount, "file systems cannot be mounted"),
    arguments: [StoreType.json, .binary, .xml])
  func document(_ type: StoreType) throws {
    let tool = try CommandLineTool.versions(type: type)
    try FileManager.default.moveItem(atPath: tool.path("s.db"), toPath: tool.path("hr.db"))
    let line = """
      graphstore migrate plan --to V.graphmodel > plan || exit 98
      graphstore migrate apply --to V.graphmodel#2 --output out || exit 97
      graphstore migrate apply --to V.graphmodel#2
      """
    let outcome = try run(line, in: tool)
    #expect(outcome.code == 77 && outcome.errors.contains("store-permission"), "\(outcome)")
    #expect(try tool.version("out") == "2" && tool.version("hr.db") == "1")
  }

  @Test(
    "MIG-326: a dry run of a migration ends as the run would that may not write the store (77)",
    .enabled(if: canMount, "file systems cannot be mounted"),
    arguments: [StoreType.sqlite, .json])
  func rehearsal(_ type: StoreType) throws {
    let tool = try CommandLineTool.versions(type: type)
    try tool.write(
      """
      mount --bind s.db s.db && mount -o remount,bind,ro s.db || exit 99
      graphstore migrate apply -s s.db --to V.graphmodel#2 --output out --dry-run || exit 98
      graphstore migrate apply -s s.db --to V.graphmodel#2 --dry-run
      """, to: "script.sh")
    let outcome = try tool.runShell("unshare -rm sh script.sh")
    #expect(outcome.code == 77 && outcome.errors.contains("store-permission"), "\(outcome)")
  }

  @Test(
    "STO-171, STO-172: there a log that holds data is read with its file, and the remedy of a write names --read-only",
    .enabled(if: canMount, "file systems cannot be mounted"))
  func log() throws {
    let tool = try CommandLineTool.staffedCompany()
    let lock = try StoreLock(tool.path("hr.db"))
    lock.release()
    let connection = try SQLiteConnection(path: tool.path("hr.db"), mode: .readWrite)
    defer { connection.close() }
    try connection.execute("UPDATE ZPERSON SET ZNAME = 'In the log' WHERE Z_PK = 1")
    let line =
      "cp hr.db-wal m/ 2>/dev/null || exit 98; mount -o remount,ro m; graphstore get Employee/p1 --fields name"
    try tool.write(
      """
      mkdir -p m; mount -t tmpfs tmpfs m && cp hr.db m/ || exit 99
      export GRAPHSTORE_STORE=m/hr.db
      \(line)
      graphstore update Employee/p1 name=x
      """, to: "script.sh")
    let outcome = try tool.runShell("unshare -rm sh script.sh")
    #expect(outcome.output.contains("In the log"), "\(outcome)")
    #expect(outcome.code == 77 && outcome.errors.contains("--read-only"), "\(outcome)")
  }

  @Test(
    "STO-206: on a file system mounted for reading only everything that reads works, scripts and the shell too",
    .enabled(if: canMount, "file systems cannot be mounted"),
    arguments: [
      "count Employee", "fetch Employee", "export --all", "info", "check", "metadata list", "stats",
      "compact --dry-run", "doctor", "info m", "run -c 'count Employee'",
      "shell -c 'count Employee'", "migrate status --to \"$HOME/model.json\"",
    ])
  func reading(_ line: String) throws {
    let tool = try CommandLineTool.staffedCompany()
    _ = try tool.runShell(
      "graphstore model show hr.db --json > /dev/null; graphstore model from-store hr.db > model.json")
    let outcome = try run("graphstore \(line)", in: tool)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test(
    "STO-329: a command that reads leaves the files beside the store that were there, and no others",
    arguments: [
      "count Employee", "fetch Employee", "get Employee/p1", "export --all", "info", "check", "metadata list",
      "stats", "compact --dry-run", "doctor", "info .", "explain Employee", "model from-store hr.db",
      "migrate status --to model.json", "model lint -s hr.db",
      "check --repair", "check --repair --dry-run", "fetch Nothing", "export Employee | head -1",
    ])
  func filesBeside(_ line: String) throws {
    let tool = try CommandLineTool.staffedCompany()
    _ = try tool.runShell("graphstore model from-store hr.db > model.json; touch out")
    let before = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted()
    let bytes = try Data(contentsOf: tool.folder.appendingPathComponent("hr.db"))
    _ = try tool.runShell("graphstore \(line) > out")
    #expect(try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).sorted() == before)
    #expect(try Data(contentsOf: tool.folder.appendingPathComponent("hr.db")) == bytes)
  }

  @Test("STO-329: what others have beside the store stays while they have it open")
  func othersFiles() throws {
    let tool = try CommandLineTool.staffedCompany()
    let lock = try StoreLock(tool.path("hr.db"))
    #expect(try tool.run("count", "Employee").output == "3\n")
    #expect(FileManager.default.fileExists(atPath: tool.path("hr.db-shm")))
    #expect(FileManager.default.fileExists(atPath: tool.path("hr.db-wal")))
    lock.release()
  }

  @Test("A command with few descriptors says what is missing, and never ends by a trap")
  func fewDescriptors() throws {
    let tool = try CommandLineTool.staffedCompany()
    for count in 4...14 {
      for line in ["export --all", "export --all -o out --yes", "export Employee -f csv", "fetch Employee"] {
        let outcome = try tool.runShell("exec > /dev/null; ulimit -n \(count); exec graphstore \(line)")
        #expect([0, 66, 73, 74].contains(outcome.code), "\(count) \(line): \(outcome)")
      }
    }
  }

  @Test("A migration with few descriptors says that too many files are open, and leaves the store as it was")
  func fewDescriptorsForMigration() throws {
    let tool = try CommandLineTool()
    try tool.write(
      #"{"version":"1","entities":[{"name":"K","attributes":[{"name":"n","type":"int32"}]}]}"#, to: "1.json")
    try tool.write(
      #"{"version":"2","entities":[{"name":"K","attributes":[{"name":"n","type":"int64"}]}]}"#, to: "2.json")
    try tool.run("init", "s.db", "--model", "1.json")
    let bytes = try Data(contentsOf: URL(fileURLWithPath: tool.path("s.db")))
    for count in 4...24 {
      for line in [
        "migrate apply -s s.db --to 2.json -n", "migrate apply -s s.db --to 2.json --output t.db --force",
      ] {
        let outcome = try tool.runShell("exec > /dev/null; ulimit -n \(count); exec graphstore \(line)")
        #expect([0, 74].contains(outcome.code), "\(count) \(line): \(outcome)")
        if outcome.code == 74 {
          #expect(outcome.errors.contains("too many files are open"), "\(count): \(outcome)")
        }
      }
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: tool.path("s.db"))) == bytes)
  }
}
