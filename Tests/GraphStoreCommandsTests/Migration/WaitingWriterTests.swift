import Foundation
import GraphStore
import GraphStoreModel
import GraphStoreSQLite
import GraphStoreTestSupport
import Synchronization
import Testing

/// Commands that wait for the lock of a writer while the store is migrated.
struct WaitingWriterTests {
  /// Words of a command, and what it makes of the objects of a store.
  struct Writing: CustomStringConvertible {
    let words: [String]
    let change: @Sendable ([String]) -> [String]

    var description: String { words[0] }
  }

  private static let writings: [Writing] = [
    Writing(words: ["update", "T/p1", "n=77"]) { $0.map { $0.replacing("T/p1 1 ", with: "T/p1 77 ") } },
    Writing(words: ["insert", "T", "n=77"]) { $0 + ["T/p4 77 []"] },
    Writing(words: ["delete", "T/p3", "--yes"]) { $0.filter { !$0.hasPrefix("T/p3") } },
    Writing(words: ["upsert", "T", "--key", "n", "n=77"]) { $0 + ["T/p4 77 []"] },
    Writing(words: ["import", "T", "records.ndjson"]) { $0 + ["T/p4 77 []"] },
    Writing(words: ["run", "-c", "update T/p1 n=77"]) {
      $0.map { $0.replacing("T/p1 1 ", with: "T/p1 77 ") }
    },
  ]

  @Test(
    "MIG-262, MIG-269, CTX-428: who waits for a migration to write is served by the new store, or told that the old one was migrated or replaced; nothing that is told as done is lost",
    arguments: writings, ["WAL", "DELETE"])
  func waiting(_ writing: Writing, journal: String) throws {
    nonisolated(unsafe) let tool = try CommandLineTool.versions()
    try tool.write(#"{"n":77}"# + "\n", to: "records.ndjson")
    try tool.sqlite("PRAGMA journal_mode = \(journal)", "s.db")
    let before = try tool.contents()
    // Set once, by the thread that migrates, before it is read.
    nonisolated(unsafe) var writer: RunningTool?
    let hasStarted = Atomic(false)
    var options = MigrationOptions()
    options.keepsBackup = true
    options.timeout = .seconds(20)
    // The store is locked once statements run; the writer waits then.
    options.log = MigrationLog(level: .statements) { line in
      guard line.contains("INSERT INTO"), !hasStarted.exchange(true, ordering: .relaxed) else { return }
      unsafe writer = try? RunningTool(tool, writing.words + ["--timeout", "60"], errors: "errors")
      usleep(700_000)
    }
    let plan = try MigrationPlan(
      fromStoreAt: tool.path("s.db"), to: ModelVersions(at: tool.path("V.graphmodel")), version: "2")
    let result = try StoreMigration(plan, options: options).run()
    let running = unsafe try #require(writer)
    let code = running.exitCode()
    let text = String(
      decoding: FileManager.default.contents(atPath: tool.path("errors")) ?? Data(), as: UTF8.self)
    #expect(try tool.version() == "2")
    let now = try tool.contents()
    if code == 0 {
      #expect(now == writing.change(before).sorted(), "\(text)")
    } else {
      let isMigrated = code == 78 && text.contains("was migrated by another process")
      let isReplaced = code == 74 && text.contains("store-replaced")
      #expect(isMigrated || isReplaced, "\(code as Any) \(text)")
      #expect(now == before)
    }
    #expect(try tool.contents(String(try #require(result.backup).split(separator: "/").last ?? "")) == before)
    #expect(try StoreCheck.run(path: tool.path("s.db")).flatMap(\.findings).isEmpty)
  }
}
