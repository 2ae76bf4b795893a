import Foundation

/// Repairs and checks a store while other processes write to it: what a writer was told is done stays, and
/// nobody takes a store for damaged that is not.
struct RepairsAmongWriters: Search {
  let name = "repairs"
  let summary = "repairs and checks of a store that others write to, which lose and blame nothing"
  let share = 0.5

  private static let model = """
    {"name": "Chain", "entities": [
      {"name": "K", "attributes": [
        {"name": "n", "type": "int64", "default": 0}, {"name": "g", "type": "string"}],
       "relationships": [
        {"name": "p", "destination": "K", "inverse": "cs"},
        {"name": "cs", "destination": "K", "inverse": "p", "toMany": true}],
       "indexes": [{"name": "byG", "elements": [{"property": "g"}]}]}]}
    """
  private static let store = ["-s", "s.db", "--timeout", "60"]

  func examine(_ trial: CampaignCase) throws {
    let objects = 200 + trial.random.below(3000)
    let lines = (1...objects).map { "{\"g\": \"text \($0)\"}\n" }.joined()
    try Files.write(Self.model, to: trial.path("m.json"))
    _ = try trial.run(["init", "s.db", "--model", "m.json"])
    _ = try trial.run(["import", "K", "-", "--from", "ndjson", "-s", "s.db"], input: Array(lines.utf8))
    if trial.random.once(in: 3) {
      _ = try SecondReader(trial.path("s.db")).rows("PRAGMA journal_mode = DELETE")
    }
    let isDamaged = trial.random.once(in: 2)
    if isDamaged {
      let first = 10 + trial.random.below(objects - 30)
      _ = try SecondReader(trial.path("s.db")).rows(
        "UPDATE ZK SET ZP = 99999 WHERE Z_PK BETWEEN \(first) AND \(first + 20)")
    }
    let writers = (1...6).map { trial.command(["update", "K/p\($0 % 2 + 1)", "n+=1"] + Self.store) }
    let checks = (0..<3).map { _ in trial.command(["check"] + Self.store) }
    let repairs = isDamaged ? [trial.command(["check", "--repair", "--yes"] + Self.store)] : []
    let endings = try CommandRun.runTogether((writers + checks + repairs).shuffled(using: &trial.random))
      .map { trial.recorded($0) }
    try expectKept(endings, trial)
    for ending in endings where ending.commandLine.contains(" check ") {
      let isRepair = ending.commandLine.contains("--repair")
      trial.expectContract(
        ending, of: isRepair ? "repair among writers" : "check among writers",
        codes: isRepair ? [0, 74, 75] : isDamaged ? [0, 2, 75] : [0, 75])
    }
  }

  /// What the writers were told is done is in the store, and the store is whole for SQLite.
  private func expectKept(_ endings: [Ending], _ trial: CampaignCase) throws {
    let told = endings.count { $0.code == 0 && $0.commandLine.contains(" update ") }
    let reader = try SecondReader(trial.path("s.db"))
    let stored = try reader.rows("SELECT sum(ZN) FROM ZK").first ?? []
    if stored != [.integer(Int64(told))] {
      trial.violate("lost update", key: "sum", "\(stored) of \(told) that were told as done")
    }
    let integrity = try reader.rows("PRAGMA integrity_check").first ?? []
    if integrity != [.text(Array("ok".utf8))] {
      trial.violate("damaged store", key: "integrity", "\(integrity)")
    }
  }
}
