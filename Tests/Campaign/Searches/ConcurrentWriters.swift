import Foundation

/// Lets many processes write and read one store at once: sums stay, counts are exact, and of several that
/// make the same store one succeeds.
struct ConcurrentWriters: Search {
  let name = "writers"
  let summary = "many processes that write and read one store, with sums that must stay"
  let share = 1.0

  private static let model = """
    {"name": "Bank", "entities": [
      {"name": "Account", "attributes": [
        {"name": "number", "type": "int32", "optional": false}, {"name": "balance", "type": "int64", "default": 0},
        {"name": "touched", "type": "int64", "default": 0}],
       "uniquenessConstraints": [["number"]]}]}
    """

  func examine(_ trial: CampaignCase) throws {
    try Files.write(Self.model, to: trial.path("bank.json"))
    switch trial.random.below(4) {
    case 0: try raceToMake(trial)
    case 1: try migrateAmongWriters(trial)
    default: try transfer(trial)
    }
  }

  private func raceToMake(_ trial: CampaignCase) throws {
    let runs =
      (0..<4).map {
        trial.command(["init", "bank.db", "--model", $0 % 2 == 0 ? "bank.json" : "./bank.json"])
      }
      + (0..<3).map { trial.command(["insert", "Account", "number=\($0)", "-s", "bank.db"]) }
      + [trial.command(["info", "-s", "bank.db"])]
    let endings = try CommandRun.runTogether(runs.shuffled(using: &trial.random)).map { trial.recorded($0) }
    for ending in endings {
      let isMaker = ending.commandLine.contains(" init ")
      trial.expectContract(
        ending, of: isMaker ? "init race" : "early command", codes: isMaker ? [0, 73, 75] : [0, 65, 66, 75])
    }
    let made = endings.filter { $0.code == 0 && $0.commandLine.contains(" init ") }.count
    if made != 1 { trial.violate("init race", key: "\(made) made it", "of \(runs.count) processes") }
    let inserted = endings.filter { $0.code == 0 && $0.commandLine.contains(" insert ") }.count
    try expectCount(inserted, trial)
    try expectSound(trial)
  }

  /// Who waits for a migration writes to the new store, or is told that the old one was migrated or replaced.
  private func migrateAmongWriters(_ trial: CampaignCase) throws {
    let records = (1...2_000).map { #"{"number":\#($0)}"# + "\n" }.joined()
    _ = try trial.run(["init", "bank.db", "--model", "bank.json"])
    _ = try trial.run(
      ["import", "Account", "-", "--from", "ndjson", "-s", "bank.db"], input: Array(records.utf8))
    if trial.random.once(in: 3) {
      _ = try SecondReader(trial.path("bank.db")).rows("PRAGMA journal_mode = DELETE")
    }
    try Files.write(
      Self.model.replacingOccurrences(
        of: #"{"name": "touched""#, with: #"{"name": "note", "type": "string"}, {"name": "touched""#),
      to: trial.path("bank2.json"))
    let store = ["-s", "bank.db", "--timeout", "60"]
    let migration = ["migrate", "apply", "--to", "bank2.json", "--no-backup"] + store
    let runs =
      (0..<8).map { trial.command(["update", "Account/p\($0 % 3 + 1)", "touched+=1"] + store) }
      + [trial.command(migration)]
    let endings = try CommandRun.runTogether(runs.shuffled(using: &trial.random)).map { trial.recorded($0) }
    for ending in endings {
      let isMigration = ending.commandLine.contains(" migrate ")
      trial.expectContract(
        ending, of: isMigration ? "migration among writers" : "update beside a migration",
        codes: isMigration ? [0, 75] : [0, 74, 75, 78])
      let texts: [Int32: String] = [74: "store-replaced", 78: "was migrated by another process"]
      if !isMigration, let text = texts[ending.code], !ending.errorText.contains(text) {
        trial.violate("update beside a migration", key: "\(ending.code)", ending.errorText)
      }
    }
    let told = endings.count { $0.code == 0 && $0.commandLine.contains(" update ") }
    let reader = try SecondReader(trial.path("bank.db"))
    let sum = try reader.rows("SELECT sum(ZTOUCHED) FROM ZACCOUNT").first
    if sum != [.integer(Int64(told))] {
      trial.violate("lost update", key: "migration", "\(sum ?? []), told \(told) times")
    }
    try expectSound(trial)
  }

  private func expectCount(_ expected: Int, _ trial: CampaignCase) throws {
    let count = try trial.run(["count", "Account", "-s", "bank.db"])
    if count.outputText != "\(expected)\n" {
      trial.violate("lost objects", key: "count", "\(count.outputText) of \(expected) \(count.errorText)")
    }
  }

  private func expectSound(_ trial: CampaignCase) throws {
    let check = try trial.run(["check", "-s", "bank.db"])
    if check.code != 0 { trial.violate("check", key: "\(check.code)", check.outputText + check.errorText) }
    let files = Files.names(in: trial.folder).filter {
      !["bank.db", "bank.db-wal", "bank.db-shm", "bank.json", "bank2.json", "tmp"].contains($0)
    }
    if !files.isEmpty { trial.violate("files left behind", key: "race", files.joined(separator: ", ")) }
  }

  private func transfer(_ trial: CampaignCase) throws {
    let accounts = 2 + trial.random.below(6)
    let script = (1...accounts).map { "insert Account number=\($0) balance=1000\n" }.joined()
    _ = try trial.run(["init", "bank.db", "--model", "bank.json"])
    _ = try trial.run(["run", "-", "-s", "bank.db"], input: Array(script.utf8))
    if trial.random.once(in: 3) {
      _ = try SecondReader(trial.path("bank.db")).rows("PRAGMA journal_mode = DELETE")
    }
    let store = ["-s", "bank.db", "--timeout", "60"]
    var runs: [CommandRun] = []
    for number in 0..<8 {
      let from = 1 + trial.random.below(accounts)
      let to = 1 + trial.random.below(accounts)
      let amount = trial.random.below(100)
      let lines = "update Account/p\(from) balance+=-\(amount)\nupdate Account/p\(to) balance+=\(amount)\n"
      switch number % 8 {
      case 0, 1, 2:
        runs.append(
          trial.command(["run", "-"] + store, input: Array(String(repeating: lines, count: 3).utf8)))
      case 3, 4: runs.append(trial.command(["update", "Account/p1", "touched+=1"] + store))
      case 5:
        runs.append(
          trial.command(["upsert", "Account", "--key", "number", "number=9999", "balance=0"] + store))
      case 6:
        runs.append(
          trial.command(["fetch", "Account", "--fields", "balance", "-f", "csv", "--no-header"] + store))
      default:
        let reading = "fetch Account --fields balance -f csv --no-header\n"
        runs.append(
          trial.command(["run", "-"] + store, input: Array(String(repeating: reading, count: 2).utf8)))
      }
    }
    let endings = try CommandRun.runTogether(runs).map { trial.recorded($0) }
    for (run, ending) in zip(runs, endings) {
      trial.expectContract(ending, of: "\(run.arguments[0]) among others", codes: [0])
      guard ending.commandLine.contains("fetch") || run.arguments[0] == "run", ending.code == 0 else {
        continue
      }
      let balances = ending.lines.compactMap { Int($0) }
      let sum = balances.reduce(0, +)
      if !balances.isEmpty, sum % (accounts * 1000) != 0 {
        trial.violate("wrong sum", key: run.arguments[0], "\(sum) for \(accounts) accounts of 1000")
      }
    }
    let reader = try SecondReader(trial.path("bank.db"))
    let totals = try reader.rows("SELECT sum(ZBALANCE), sum(ZTOUCHED) FROM ZACCOUNT").first ?? []
    // What failed by whatever right has changed nothing.
    func succeeded(_ word: String) -> Int {
      zip(runs, endings).filter { $0.arguments[0] == word && $1.code == 0 }.count
    }
    let touched = succeeded("update")
    if totals != [.integer(Int64(accounts * 1000)), .integer(Int64(touched))] {
      trial.violate(
        "lost update", key: "totals", "\(totals) for \(accounts) accounts of 1000, touched \(touched) times")
    }
    try expectCount(accounts + succeeded("upsert"), trial)
    try expectSound(trial)
  }
}
