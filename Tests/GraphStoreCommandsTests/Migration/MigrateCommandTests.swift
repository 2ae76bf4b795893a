import Foundation
import GraphStoreSQLite
import Testing

/// `graphstore migrate status`, `plan` and `apply`.
struct MigrateCommandTests {
  private static let target = ["--to", "V.graphmodel"]

  private func migrate(_ tool: CommandLineTool, _ words: String) throws -> CommandLineTool.Outcome {
    let arguments = words.split(separator: " ").map(String.init)
    return try tool.run(CommandLineTool.executable.path, ["migrate"] + arguments, input: nil)
  }

  private static let unchanged = ["T/p1 1 []", "T/p2 70000 []", "T/p3 -5 [T/p2,T/p1]"]

  @Test(
    "MIG-321, MIG-322, MIG-323: status and plan tell versions, steps, changes and losses, and write nothing")
  func statusAndPlan() throws {
    let tool = try CommandLineTool.versions()
    let before = try tool.files()
    let status = try migrate(tool, "status --to V.graphmodel")
    #expect(status.code == 0 && status.output.contains("1 → 2") && status.output.contains("2 → 3"))
    #expect(try migrate(tool, "status --to V.graphmodel --exit-code").code == 2)
    #expect(try migrate(tool, "status --to V.graphmodel#1 --exit-code").code == 0)
    #expect(try migrate(tool, "status --to V.graphmodel#5 --exit-code").code == 78)
    let plan = try migrate(tool, "plan --to V.graphmodel --exit-code")
    #expect(plan.code == 2)
    for text in ["inferred", "~ T.n", "+ T.u", "- T.t", "T.t: its values are left behind (3 objects)"] {
      #expect(plan.output.contains(text), "\(text): \(plan.output)")
    }
    #expect(try migrate(tool, "plan --to V.graphmodel#1 --exit-code").code == 0)
    let refused = try migrate(tool, "plan --to V.graphmodel#5")
    #expect(refused.code == 78 && refused.output.isEmpty)
    #expect(refused.errors.contains("T.n") && refused.errors.contains("incompatible"))
    #expect(refused.errors.contains("hint:"))
    #expect(try tool.files() == before)
  }

  @Test("MIG-329: plan and result are one JSON document with stable keys")
  func json() throws {
    let tool = try CommandLineTool.versions()
    let plan = try CommandLineTool.json(migrate(tool, "plan --to V.graphmodel --json"))
    #expect(
      plan["store"] as? String == "s.db" && plan["from"] as? String == "1" && plan["to"] as? String == "3")
    #expect(plan["lossy"] as? Bool == true)
    #expect(plan["objectCount"] as? Int == 3 && plan["estimatedSize"] as? Int ?? 0 > 8_192)
    let steps = try #require(plan["steps"] as? [[String: Any]])
    #expect(
      steps.map { $0["from"] as? String } == ["1", "2"] && steps.map { $0["to"] as? String } == ["2", "3"])
    #expect(steps.allSatisfy { $0["kind"] as? String == "inferred" })
    #expect(steps.map { ($0["changes"] as? [Any])?.count } == [2, 1])
    let losses = try #require(steps[1]["losses"] as? [[String: Any]])
    #expect(losses.map { $0["path"] as? String } == ["T.t"] && losses.map { $0["objects"] as? Int } == [3])
    let applied = try CommandLineTool.json(migrate(tool, "apply --to V.graphmodel --allow-lossy --json"))
    for key in ["store", "from", "to", "steps", "lossy", "backup", "seconds"] {
      #expect(applied[key] != nil, "\(key)")
    }
    let backup = try #require(applied["backup"] as? String)
    #expect(backup.hasSuffix("s.db.1.backup") && FileManager.default.fileExists(atPath: backup))
    let status = try CommandLineTool.json(migrate(tool, "status --to V.graphmodel --json"))
    #expect(status["pending"] as? Int == 0 && status["from"] as? String == "3")
  }

  @Test(
    "MIG-324, MIG-327, MIG-325, MIG-268: a lossy plan needs consent; what was done is told; then there is nothing to do"
  )
  func apply() throws {
    let tool = try CommandLineTool.versions()
    let before = try tool.files()
    let asked = try migrate(tool, "apply --to V.graphmodel")
    #expect(asked.code == 4 && asked.errors.contains("T.t") && asked.errors.contains("--allow-lossy"))
    #expect(try migrate(tool, "apply --to V.graphmodel --allow-inexact").code == 4)
    #expect(try tool.files() == before && tool.leftovers.isEmpty)
    // Without losses nothing is asked.
    let first = try migrate(tool, "apply --to V.graphmodel#2")
    #expect(first.code == 0 && first.output.isEmpty, "\(first.errors)")
    #expect(first.errors.contains("3 objects") && first.errors.contains("s.db.1.backup"))
    #expect(try tool.version() == "2" && tool.version("s.db.1.backup") == "1")
    #expect(try tool.contents() == Self.unchanged)
    #expect(try migrate(tool, "apply --to V.graphmodel --allow-lossy --no-backup").code == 0)
    #expect(try tool.version() == "3" && tool.contents() == Self.unchanged)
    #expect(!FileManager.default.fileExists(atPath: tool.path("s.db.2.backup")))
    let state = try FileManager.default.attributesOfItem(atPath: tool.path("s.db"))
    let again = try migrate(tool, "apply --to V.graphmodel")
    #expect(again.code == 0 && again.errors.contains("has version 3"))
    let now = try FileManager.default.attributesOfItem(atPath: tool.path("s.db"))
    #expect(now[.modificationDate] as? Date == state[.modificationDate] as? Date)
    #expect(now[.systemFileNumber] as? Int == state[.systemFileNumber] as? Int)
    #expect(try tool.run("check", "-s", "s.db").code == 0)
    #expect(tool.leftovers.isEmpty)
  }

  @Test(
    "MIG-121, MIG-122, MIG-123, MIG-332, MIG-330: data that do not allow it are told beforehand and refused with 65"
  )
  func data() throws {
    let tool = try CommandLineTool.versions([1, 1 << 40, -(1 << 40)])
    let before = try tool.files()
    let plan = try migrate(tool, "plan --to V.graphmodel#2 --check-data")
    #expect(
      plan.code == 65 && plan.output.contains("2 objects") && plan.output.contains("  T/p2: 1099511627776"))
    let json = try CommandLineTool.json(migrate(tool, "plan --to V.graphmodel#2 --check-data --json"))
    let findings = try #require(json["findings"] as? [[String: Any]])
    #expect(
      findings.map { $0["objects"] as? Int } == [2] && findings.map { $0["property"] as? String } == ["n"])
    for words in [
      "apply --to V.graphmodel#2", "apply --to V.graphmodel#2 --dry-run",
      "apply --to V.graphmodel#2 --allow-inexact",
    ] {
      let applied = try migrate(tool, words)
      #expect(applied.code == 65, "\(words): \(applied.errors)")
      #expect(applied.errors.contains("migration-constraint") && applied.errors.contains("T/p3"))
      #expect(applied.errors.contains("hint:"))
      #expect(try tool.files() == before && tool.leftovers.isEmpty)
    }
  }

  @Test("MIG-123, MIG-329: what inexact conversion has rounded, and which members are lost by it, is told")
  func inexact() throws {
    let tool = try CommandLineTool()
    func model(_ number: String, _ isToMany: Bool) -> String {
      """
      {"entities": [
        {"name": "D", "relationships": [{"name": "es", "destination": "E", "toMany": \(isToMany), "inverse": "d"}]},
        {"name": "E", "attributes": [{"name": "n", "type": "\(number)"}],
         "relationships": [{"name": "d", "destination": "D", "inverse": "es"}]}]}
      """
    }
    try tool.write(model("decimal", true), to: "old.json")
    try tool.write(model("int32", false), to: "new.json")
    #expect(try tool.run("init", "s.db", "--model", "old.json").code == 0)
    let script = "insert D\n" + [1, 2.5, 3.25].map { "insert E n=\($0) d=D/p1\n" }.joined()
    #expect(try tool.run("run", "-", "-s", "s.db", input: script).code == 0)
    for words in ["--dry-run", "--no-backup"] {
      let outcome = try migrate(tool, "apply -s s.db --to new.json --allow-inexact --json \(words)")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let warnings = outcome.errors.split(separator: "\n").filter { $0.contains("[inexact-conversion]") }
      #expect(warnings.count == 2 && warnings.allSatisfy { $0.hasPrefix("warning: ") }, "\(outcome.errors)")
      #expect(outcome.errors.contains("E.n: 2 objects") && outcome.errors.contains("  E/p2: 2.5"))
      #expect(outcome.errors.contains("D.es: 1 object") && outcome.errors.contains("  D/p1: 3"))
      let json = try CommandLineTool.json(outcome)
      let findings = try #require(json["findings"] as? [[String: Any]])
      #expect(json["lossy"] as? Bool == true)
      #expect(Set(findings.map { $0["property"] as? String }) == ["n", "es"])
    }
    #expect(try tool.run("count", "E", "where", "d != nil", "-s", "s.db").output == "1\n")
  }

  @Test(
    "MIG-326, MIG-328, MIG-330: a dry run leaves nothing; another place is not overwritten unless it is forced"
  )
  func otherPlaces() throws {
    let tool = try CommandLineTool.versions()
    let before = try tool.files()
    #expect(try migrate(tool, "apply --to V.graphmodel --dry-run").code == 4, "as the real run")
    let dry = try migrate(tool, "apply --to V.graphmodel --allow-lossy --dry-run")
    #expect(dry.code == 0 && dry.errors.contains("3 objects") && dry.errors.contains("nothing written"))
    #expect(try tool.files() == before)
    #expect(try migrate(tool, "apply --to V.graphmodel#2 --output out.db").code == 0)
    #expect(try tool.version("out.db") == "2" && tool.contents("out.db") == Self.unchanged)
    #expect(try tool.files()["s.db"] == before["s.db"])
    let taken = try migrate(tool, "apply --to V.graphmodel --allow-lossy --output out.db")
    #expect(taken.code == 73 && taken.errors.contains("out.db"))
    #expect(try tool.version("out.db") == "2")
    #expect(try migrate(tool, "apply --to V.graphmodel --allow-lossy --output out.db --force").code == 0)
    #expect(try tool.version("out.db") == "3" && tool.contents("out.db") == Self.unchanged)
    #expect(try migrate(tool, "apply --to V.graphmodel --force").code == 64)
    #expect(try migrate(tool, "apply --to V.graphmodel#2 --read-only").code == 77, "MIG-026")
    #expect(try tool.version() == "1" && tool.leftovers.isEmpty)
  }

  @Test(
    "MIG-323, MIG-330, MIG-333, MIG-009: what is asked for wrongly has its exit code, a remedy, and changes nothing",
    arguments: [
      ("plan --to V.graphmodel#33", 64, "\"3\""), ("plan --to none.json", 66, "none.json"),
      ("plan --store none.db --to V.graphmodel", 66, "none.db"),
      ("plan --store text --to V.graphmodel", 65, "text"),
      ("apply --to V.graphmodel#5", 78, "new-mapping"),
      ("apply --to V.graphmodel --mapping none.json", 66, "none.json"),
      ("apply --to V.graphmodel --mapping text", 65, "text"),
      ("apply --to V.graphmodel --migration-debug 4", 64, "4"),
      ("apply --to V.graphmodel --allow-lossy --output none/out.db", 73, "none/out.db"),
    ])
  func wrong(words: String, code: Int32, text: String) throws {
    let tool = try CommandLineTool.versions()
    try tool.write("no store and no mapping, but a text of some length", to: "text")
    let before = try tool.files()
    let outcome = try migrate(tool, words)
    #expect(outcome.code == code && outcome.output.isEmpty, "\(outcome.code): \(outcome.errors)")
    #expect(outcome.errors.contains(text), "\(outcome.errors)")
    #expect(try tool.files() == before && tool.leftovers.isEmpty)
  }

  @Test("MIG-009, MIG-048: a store of a later version is not taken back")
  func backward() throws {
    let tool = try CommandLineTool.versions()
    try #require(try migrate(tool, "apply --to V.graphmodel#2").code == 0)
    let before = try tool.files()
    for words in [
      "plan --to V.graphmodel#1", "status --to V.graphmodel#1", "apply --to V.graphmodel#1 --allow-lossy",
    ] {
      let outcome = try migrate(tool, words)
      #expect(
        outcome.code == 78 && outcome.errors.contains("migration-backward"), "\(words): \(outcome.errors)")
    }
    #expect(try tool.files() == before)
  }

  @Test("MIG-048: a written mapping leads back to a version that is asked for")
  func backwardByMapping() throws {
    let tool = try CommandLineTool.versions()
    try #require(try migrate(tool, "apply --to V.graphmodel#2").code == 0)
    try tool.write(
      #"{"source": "2", "destination": "1", "entityMappings": [{"source": "T", "destination": "T"}]}"#,
      to: "back.json")
    let plan = try migrate(tool, "plan --to V.graphmodel#1 --mapping back.json")
    #expect(plan.code == 0 && plan.output.contains("2 → 1   written"), "\(plan.output) \(plan.errors)")
    #expect(try migrate(tool, "apply --to V.graphmodel#1 --mapping back.json --allow-lossy").code == 0)
    #expect(try tool.version() == "1" && tool.contents() == Self.unchanged)
  }

  @Test("MIG-045, MIG-322, MIG-329: the plan takes the way that leaves less behind, and shows the other one")
  func atOnce() throws {
    let tool = try CommandLineTool.versions()
    // The text that the third version lacks comes back in the sixth.
    let text = try #require(FileManager.default.contents(atPath: tool.path("V.graphmodel/1.json")))
    try tool.write(
      String(decoding: text, as: UTF8.self).replacing("int64", with: "int32"), to: "V.graphmodel/4.json")
    let plan = try migrate(tool, "plan --to V.graphmodel#4")
    #expect(
      plan.code == 0 && plan.output.contains("1 → 4   inferred") && !plan.output.contains("left behind: "))
    #expect(plan.output.contains("--step-by-step") && plan.output.contains("1 → 2 → 3 → 4"))
    #expect(plan.output.contains("2: T.t: its values are left behind (3 objects)"), "\(plan.output)")
    let json = try CommandLineTool.json(migrate(tool, "plan --to V.graphmodel#4 --json"))
    let other = try #require(json["alternative"] as? [String: Any])
    #expect(
      other["way"] as? String == "step-by-step" && other["versions"] as? [String] == ["1", "2", "3", "4"])
    let stepwise = try CommandLineTool.json(migrate(tool, "plan --to V.graphmodel#4 --step-by-step --json"))
    #expect((stepwise["steps"] as? [Any])?.count == 3 && stepwise["lossy"] as? Bool == true)
    #expect((stepwise["alternative"] as? [String: Any])?["versions"] as? [String] == ["1", "4"])
    let slow = try migrate(tool, "plan --to V.graphmodel#4 --step-by-step").output
    #expect(slow.contains("At once, 1 → 4, nothing would be left behind."), "\(slow)")
    #expect(try migrate(tool, "apply --to V.graphmodel#4 --step-by-step").code == 4)
    #expect(try migrate(tool, "apply --to V.graphmodel#4 --dry-run").code == 0)
    #expect(try migrate(tool, "apply --to V.graphmodel#4").code == 0)
    let texts = try tool.run("fetch", "T", "--fields", "t", "--sort", "id", "-f", "csv")
    #expect(texts.output.hasSuffix("text 0\ntext 1\ntext 2\n"), "\(texts.output) \(texts.errors)")
  }

  @Test(
    "MIG-333: without a version to migrate to, the option that names it is told",
    arguments: ["plan", "apply", "status"])
  func noGoal(_ command: String) throws {
    let outcome = try migrate(try CommandLineTool.versions(), command)
    #expect(outcome.code == 66 && outcome.errors.contains("--to MODEL"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("--model FILE"))
  }

  @Test("MIG-122, MIG-329: findings name objects as every other message does")
  func findingNames() throws {
    let tool = try CommandLineTool.versions([1, 1 << 40])
    for words in ["plan --to V.graphmodel#2 --check-data", "apply --to V.graphmodel#2"] {
      let outcome = try migrate(tool, words)
      let text = outcome.output + outcome.errors
      #expect(outcome.code == 65 && text.contains("T/p2: 1099511627776") && !text.contains("x-coredata"))
    }
  }

  @Test("MIG-004: a file that says which version it is, is called by that, as a store's own model is")
  func versionNames() throws {
    let tool = try CommandLineTool()
    for version in ["1", "3"] {
      let attribute = version == "1" ? "" : #","attributes":[{"name":"n","type":"int32"}]"#
      try tool.write(
        #"{"version":"\#(version)","entities":[{"name":"A"\#(attribute)}]}"#, to: "v\(version).json")
    }
    #expect(try tool.run("init", "a.db", "--model", "v1.json").code == 0)
    let plan = try tool.run("migrate", "plan", "-s", "a.db", "--to", "v3.json")
    #expect(plan.code == 0 && plan.output.hasPrefix("1 → 3   inferred"), "\(plan.output)")
  }

  @Test("MIG-010: a model that differs by rules alone needs no step, and it is told how they come to count")
  func rulesAlone() throws {
    let tool = try CommandLineTool()
    for (name, rules) in [("old", ""), ("new", #","max":5"#)] {
      try tool.write(
        #"{"entities":[{"name":"A","attributes":[{"name":"x","type":"int32"\#(rules)}]}]}"#,
        to: "\(name).json")
    }
    #expect(try tool.run("init", "a.db", "--model", "old.json").code == 0)
    for words in [["plan"], ["apply"], ["apply", "--dry-run"]] {
      func told(_ model: String) throws -> Bool {
        let outcome = try tool.run(
          CommandLineTool.executable.path, ["migrate"] + words + ["-s", "a.db", "--to", model], input: nil)
        let says = outcome.errors.contains("nothing to do")
        #expect(outcome.code == 0 && says == (words != ["plan"]), "\(outcome)")
        return outcome.errors.contains("hashes of all entities are equal")
          && outcome.errors.contains("--model")
      }
      #expect(try told("new.json") && !told("old.json"), "\(words)")
    }
    #expect(try tool.run("insert", "A", "x=3", "-s", "a.db", "--model", "new.json").code == 0)
    #expect(try tool.run("insert", "A", "x=9", "-s", "a.db").code == 65)
  }

  @Test("MIG-135: a mapping that no step uses is told")
  func unusedMapping() throws {
    let tool = try CommandLineTool.versions()
    try tool.write(
      #"{"source": "2", "destination": "1", "entityMappings": [{"source": "T", "destination": "T"}]}"#,
      to: "back.json")
    let plan = try migrate(tool, "plan --to V.graphmodel#2 --mapping back.json")
    #expect(plan.code == 0 && plan.output.contains("1 → 2   inferred"))
    #expect(plan.errors.contains("back.json") && plan.errors.contains("mapping-unused"), "\(plan.errors)")
  }

  @Test("MIG-328, MIG-011: the store itself is no output, and a store without steps is told to be copied")
  func outputs() throws {
    let tool = try CommandLineTool.versions()
    let before = try tool.files()
    try FileManager.default.createSymbolicLink(
      atPath: tool.path("link.db"), withDestinationPath: tool.path("s.db"))
    for name in ["s.db", "link.db"] {
      let own = try migrate(tool, "apply --to V.graphmodel#2 --output \(name)")
      #expect(own.code == 73 && own.errors.contains(name), "\(own.errors)")
    }
    #expect(try tool.files()["s.db"] == before["s.db"])
    let copy = try migrate(tool, "apply --to V.graphmodel#1 --output copy.db")
    #expect(copy.code == 0 && copy.errors.contains("copied to"), "\(copy.errors)")
    #expect(try tool.contents("copy.db") == Self.unchanged)
  }

  @Test("MIG-197, MIG-330: a plan that needs a policy is shown, and running it is refused with its name")
  func policy() throws {
    let tool = try CommandLineTool.versions()
    try FileManager.default.createDirectory(
      atPath: tool.path("V.graphmodel/mappings"), withIntermediateDirectories: true)
    try tool.write(
      #"{"source": "1", "destination": "2", "entityMappings": [{"source": "T", "destination": "T", "policy": "App.Tidy"}]}"#,
      to: "V.graphmodel/mappings/1-2.json")
    let before = try tool.files()
    let plan = try migrate(tool, "plan --to V.graphmodel#2")
    #expect(plan.code == 0 && plan.output.contains("App.Tidy"), "\(plan.output) \(plan.errors)")
    let json = try CommandLineTool.json(migrate(tool, "plan --to V.graphmodel#2 --json"))
    let steps = try #require(json["steps"] as? [[String: Any]])
    #expect(steps.map { $0["policies"] as? [String] } == [["App.Tidy"]])
    for words in ["apply --to V.graphmodel#2", "apply --to V.graphmodel#2 --dry-run"] {
      let applied = try migrate(tool, words)
      #expect(applied.code == 78 && applied.errors.contains("App.Tidy"), "\(applied.errors)")
      #expect(applied.errors.contains("hint:"))
    }
    #expect(try tool.files() == before && tool.leftovers.isEmpty)
  }

  @Test(
    "MIG-262, MIG-263: a process that has the store open is found and goes on; its end lets the migration run"
  )
  func openElsewhere() throws {
    let tool = try CommandLineTool.versions()
    let shell = try RunningTool(tool, ["shell"], errors: "errors")
    for _ in 0..<2 { try shell.feed("count T\n") }
    let refused = try migrate(tool, "apply --to V.graphmodel#2 --timeout 0.2")
    #expect(refused.code == 75 && refused.errors.contains("in use by another process"), "\(refused.errors)")
    try shell.feed("insert T n=5\n")
    shell.endInput()
    #expect(shell.exitCode() == 0)
    #expect(try migrate(tool, "apply --to V.graphmodel#2").code == 0)
    #expect(try tool.contents() == Self.unchanged + ["T/p4 5 []"])
  }

  @Test("MIG-269: a process that still has an old file open is told that it was replaced, and writes nothing")
  func replacedBeneath() throws {
    let tool = try CommandLineTool.versions()
    #expect(try migrate(tool, "apply --to V.graphmodel#2 --output new.db").code == 0)
    let shell = try RunningTool(tool, ["shell"], errors: "errors")
    // The second line is taken once the first was run.
    for _ in 0..<2 { try shell.feed("count T\n") }
    let files = FileManager.default
    try files.moveItem(atPath: tool.path("s.db"), toPath: tool.path("old.db"))
    try files.moveItem(atPath: tool.path("new.db"), toPath: tool.path("s.db"))
    try shell.feed("insert T n=5\n")
    shell.endInput()
    #expect(shell.exitCode() == 74)
    let text = String(decoding: files.contents(atPath: tool.path("errors")) ?? Data(), as: UTF8.self)
    #expect(text.contains("store-replaced"), "\(text)")
    #expect(try tool.contents() == Self.unchanged && tool.contents("old.db") == Self.unchanged)
  }

  @Test("MIG-025: a command that is given a model of another version ends with 78 and names the plan")
  func otherModel() throws {
    let tool = try CommandLineTool.versions()
    let before = try tool.files()
    let outcome = try tool.run("count", "T", "--model", "V.graphmodel#2")
    #expect(outcome.code == 78 && outcome.errors.contains("graphstore migrate plan"), "\(outcome.errors)")
    #expect(try tool.files() == before)
  }

  @Test(
    "MIG-262, MIG-330, MIG-332: a store that another process writes to is 75 after the time-out, and as it was"
  )
  func locked() throws {
    let tool = try CommandLineTool.versions()
    let before = try tool.files()
    let lock = try StoreLock(tool.path("s.db"))
    let outcome = try migrate(tool, "apply --to V.graphmodel#2 --timeout 0.2")
    #expect(outcome.code == 75, "\(outcome.errors)")
    lock.release()
    #expect(try tool.files()["s.db"] == before["s.db"] && tool.leftovers.isEmpty)
    #expect(try tool.version() == "1" && tool.contents() == Self.unchanged)
  }

  @Test(
    "MIG-331, MIG-293, DGN-207: a signal cancels a migration that waits, which ends with the code of the signal",
    arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func signals(_ signal: Int32, _ code: Int32) throws {
    let tool = try CommandLineTool.versions()
    let lock = try StoreLock(tool.path("s.db"))
    let running = try RunningTool(
      tool, ["migrate", "apply", "--to", "V.graphmodel#2", "--timeout", "60"], errors: "errors")
    usleep(1_500_000)
    running.send(signal)
    #expect(running.exitCode() == code)
    lock.release()
    let text = String(
      decoding: FileManager.default.contents(atPath: tool.path("errors")) ?? Data(), as: UTF8.self)
    #expect(text.contains("cancelled"), "\(text)")
    #expect(try tool.version() == "1" && tool.contents() == Self.unchanged && tool.leftovers.isEmpty)
  }

  @Test("MIG-285: of two processes that migrate at once the second finds the store current")
  func two() throws {
    let tool = try CommandLineTool.versions()
    let lock = try StoreLock(tool.path("s.db"))
    let words = ["migrate", "apply", "--to", "V.graphmodel#2", "--timeout", "20"]
    let both = try ["a", "b"].map { try RunningTool(tool, words, errors: $0) }
    // Both have planned, and wait for the lock.
    usleep(1_500_000)
    lock.release()
    #expect(both.map { $0.exitCode() } == [0, 0])
    let texts = ["a", "b"].map {
      String(decoding: FileManager.default.contents(atPath: tool.path($0)) ?? Data(), as: UTF8.self)
    }
    #expect(texts.count { $0.hasPrefix("migrated") } == 1, "\(texts)")
    #expect(texts.count { $0.contains("has version 2") } == 1, "\(texts)")
    #expect(try tool.version() == "2" && tool.contents() == Self.unchanged)
    #expect(tool.leftovers.isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).count { $0.hasSuffix(".backup") }
        == 1)
  }

  @Test("MIG-301, MIG-302, MIG-303: the log tells steps, then mappings, then statements, on standard error")
  func log() throws {
    let tool = try CommandLineTool.versions()
    var counts: [Int] = []
    for level in 0...3 {
      let outcome = try migrate(tool, "apply --to V.graphmodel#2 --dry-run --migration-debug \(level)")
      #expect(outcome.code == 0 && outcome.output.isEmpty)
      let lines = outcome.errors.split(separator: "\n").filter {
        $0.hasPrefix("GraphStore: annotation: (migration)")
      }
      counts.append(lines.count)
      if level < 3 { #expect(!lines.contains { $0.contains("70000") || $0.contains("text 1") }) }
      if level == 3 { #expect(lines.contains { $0.contains("INSERT INTO") }) }
    }
    #expect(counts[0] == 0 && counts[1] > 0 && counts[1] < counts[2] && counts[2] < counts[3], "\(counts)")
    tool.environment["GRAPHSTORE_MIGRATION_DEBUG"] = "1"
    let byEnvironment = try migrate(tool, "apply --to V.graphmodel#2 --dry-run")
    #expect(
      byEnvironment.errors.split(separator: "\n").count { $0.hasPrefix("GraphStore: annotation:") }
        == counts[1])
    tool.environment["GRAPHSTORE_MIGRATION_DEBUG"] = "9"
    #expect(try migrate(tool, "apply --to V.graphmodel#2 --dry-run").code == 64)
  }

  @Test("MIG-278, MIG-268: a store of another implementation is migrated with a backup that is always kept")
  func foreign() throws {
    let tool = try CommandLineTool.coreDataStandIn()
    let model = CommandLineTool.standInModel.replacing(
      #"{"name":"pages","type":"int32"}"#, with: #"{"name":"pages","type":"int64"}"#)
    try tool.write(model, to: "new.json")
    let plan = try migrate(tool, "plan --store app.sqlite --to new.json")
    #expect(plan.code == 0 && plan.output.contains("cannot open"), "\(plan.output) \(plan.errors)")
    let rehearsed = try migrate(tool, "apply --store app.sqlite --to new.json --dry-run --json")
    let notices = try CommandLineTool.json(rehearsed)["notices"] as? [String]
    #expect(notices?.first?.contains("cannot open") == true, "\(rehearsed.output)")
    #expect(rehearsed.errors.contains("cannot open"), "\(rehearsed.errors)")
    let applied = try migrate(tool, "apply --store app.sqlite --to new.json --no-backup")
    #expect(applied.code == 0 && applied.errors.contains("cannot open"), "\(applied.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.folder.path)
    #expect(names.count { $0.hasSuffix(".backup") } == 1, "\(names)")
    let found = try tool.run(
      "fetch", "Book", "-s", "app.sqlite", "--fields", "title,pages,shelf.label", "-f", "csv")
    #expect(found.lines.suffix(2) == ["Howl,57,Poems", "Ariel,96,Poems"], "\(found.output) \(found.errors)")
  }
}
