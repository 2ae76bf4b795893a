import Foundation
import GraphStore
import GraphStoreContextTestSupport
import Testing

/// `graphstore migrate` of stores that are one document.
struct DocumentMigrateCommandTests {
  private static let types: [StoreType] = [.json, .binary, .xml]
  private static let unchanged = ["T/p1 1 []", "T/p2 70000 []", "T/p3 -5 [T/p2,T/p1]"]

  private func migrate(_ tool: CommandLineTool, _ words: String) throws -> CommandLineTool.Outcome {
    let arguments = words.split(separator: " ").map(String.init)
    return try tool.run(CommandLineTool.executable.path, ["migrate"] + arguments, input: nil)
  }

  @Test(
    "MIG-277, MIG-321, MIG-322, MIG-329: status and plan tell of a document what they tell of a SQLite store, and write nothing",
    arguments: types)
  func plan(_ type: StoreType) throws {
    let (twin, tool) = (try CommandLineTool.versions(), try CommandLineTool.versions(type: type))
    let before = try tool.files()
    for words in [
      "status --to V.graphmodel", "status --to V.graphmodel --exit-code",
      "status --to V.graphmodel#5 --exit-code",
      "plan --to V.graphmodel --exit-code", "plan --to V.graphmodel#5",
      "plan --to V.graphmodel#4 --check-data --step-by-step",
    ] {
      let (outcome, wanted) = (try migrate(tool, words), try migrate(twin, words))
      #expect(
        outcome.output == wanted.output && outcome.code == wanted.code, "\(words): \(outcome), \(wanted)")
      let (told, twins) = (
        outcome.errors.replacing(tool.folder.path, with: ""),
        wanted.errors.replacing(twin.folder.path, with: "")
      )
      #expect(told == twins, "\(words)")
    }
    var (plan, wanted) = try (
      CommandLineTool.json(migrate(tool, "plan --to V.graphmodel --json")),
      CommandLineTool.json(migrate(twin, "plan --to V.graphmodel --json"))
    )
    #expect(plan.removeValue(forKey: "estimatedSize") as? Int ?? 0 > 8_192)
    wanted["estimatedSize"] = nil
    #expect(NSDictionary(dictionary: plan) == NSDictionary(dictionary: wanted), "\(plan), \(wanted)")
    #expect(try tool.files() == before)
  }

  @Test(
    "MIG-277, MIG-324, MIG-326, MIG-327, MIG-325, MIG-268, MIG-334: a document is migrated like a SQLite store: consent, dry run, backup, nothing to do, restored",
    arguments: types)
  func apply(_ type: StoreType) throws {
    let tool = try CommandLineTool.versions(type: type)
    let before = try tool.files()
    #expect(try migrate(tool, "apply --to V.graphmodel").code == 4)
    #expect(try migrate(tool, "apply --to V.graphmodel --dry-run").code == 4, "as the real run")
    let dry = try migrate(tool, "apply --to V.graphmodel --allow-lossy --dry-run")
    #expect(dry.code == 0 && dry.errors.contains("3 objects") && dry.errors.contains("nothing written"))
    #expect(try migrate(tool, "apply --to V.graphmodel#2 --read-only").code == 77)
    #expect(try tool.files() == before)
    #expect(try migrate(tool, "apply --to V.graphmodel#2 --output out").code == 0)
    #expect(try tool.version("out") == "2" && tool.contents("out") == Self.unchanged)
    #expect(try migrate(tool, "apply --to V.graphmodel#2 --output out").code == 73)
    #expect(try migrate(tool, "apply --to V.graphmodel --allow-lossy --output out --force").code == 0)
    #expect(try tool.version("out") == "3" && tool.version() == "1")
    let first = try migrate(tool, "apply --to V.graphmodel#2")
    #expect(first.code == 0 && first.errors.contains("3 objects"), "\(first.errors)")
    #expect(first.errors.contains("s.db.1.backup"))
    #expect(try tool.version() == "2" && tool.version("s.db.1.backup") == "1")
    #expect(try tool.contents() == Self.unchanged && tool.contents("s.db.1.backup") == Self.unchanged)
    #expect(try tool.run("info", "-s", "s.db").output.contains(type.rawValue.lowercased()))
    #expect(try migrate(tool, "apply --to V.graphmodel --allow-lossy --no-backup").code == 0)
    #expect(try tool.version() == "3" && tool.contents() == Self.unchanged)
    let state = try tool.files()
    let again = try migrate(tool, "apply --to V.graphmodel")
    #expect(again.code == 0 && again.errors.contains("has version 3"))
    #expect(try tool.files() == state && tool.leftovers.isEmpty)
    #expect(try tool.run("check", "-s", "s.db").code == 0)
    #expect(try tool.run("restore", "s.db.1.backup", "--yes").code == 0)
    #expect(try tool.version() == "1" && tool.contents() == Self.unchanged)
  }

  @Test(
    "MIG-025, MIG-121, MIG-330: a document of an older version is refused with the line to run, and data that do not allow it with 65",
    arguments: types)
  func refused(_ type: StoreType) throws {
    let tool = try CommandLineTool.versions([1, 1 << 40, -(1 << 40)], type: type)
    let before = try tool.files()
    let opened = try tool.run("count", "T", "--model", "V.graphmodel#2")
    #expect(opened.code == 78 && opened.errors.contains("graphstore migrate plan"), "\(opened)")
    let plan = try migrate(tool, "plan --to V.graphmodel#2 --check-data")
    #expect(
      plan.code == 65 && plan.output.contains("2 objects") && plan.output.contains("  T/p2: 1099511627776"))
    for words in ["apply --to V.graphmodel#2", "apply --to V.graphmodel#2 --dry-run"] {
      let applied = try migrate(tool, words)
      #expect(applied.code == 65 && applied.errors.contains("T/p3"), "\(words): \(applied.errors)")
    }
    #expect(try tool.files() == before && tool.leftovers.isEmpty)
  }
}
