import Foundation

/// Damages stores and gives them to every command: each answers rightly or refuses, and `check` names the
/// damage that changes an answer.
struct DamagedStores: Search {
  let name = "damage"
  let summary = "stores with damaged bytes, rows, schemas and side files, against every command"
  let share = 3.0

  func examine(_ trial: CampaignCase) throws {
    let sample = trial.random.pick(trial.setup.samples.all)
    let store = trial.path("s.db")
    try Files.copyStore(sample.path, to: store)
    try Files.write("somebody else's", to: trial.path("other.txt"))
    trial.record("sample \(sample.name)")
    let damage = Damage(store: store, trial: trial).apply()
    // Never opened, so that the evidence is what the commands were given.
    try Files.copy(trial.folder, to: trial.aside("damaged"))

    let check = try trial.run(["check", "--json", "-s", "s.db"])
    trial.expectContract(check, of: "check", codes: [0, 2, 65, 66, 74, 75, 77, 78])
    let isSound = check.code == 0
    for arguments in reading(sample, &trial.random) {
      let ending = try trial.run(arguments)
      trial.expectContract(ending, of: arguments[0])
      if isSound, ![0, 2].contains(ending.code) {
        trial.violate(
          "check says ok, and reading fails", key: "\(arguments[0]) \(Self.code(of: ending))",
          ending.errorText)
      }
    }
    for arguments in writing(sample, records: trial.setup.companyRecords, &trial.random) {
      // Each on the store as it was given.
      try restore(trial)
      let input = arguments.last == "-" ? Array(script(sample).utf8) : []
      let ending = try trial.run(arguments, input: input)
      trial.expectContract(ending, of: arguments[0])
    }
    expectOthersUntouched(trial, damage: damage)
    // Last, since SQLite itself may remove a file that a journal names.
    if isSound {
      try restore(trial)
      try compare(sample, trial)
    }
  }

  private func restore(_ trial: CampaignCase) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] { Files.remove(trial.path("s.db" + suffix)) }
    for name in Files.names(in: trial.aside("damaged")) where name.hasPrefix("s.db") {
      try Files.copy(trial.aside("damaged/" + name), to: trial.path(name))
    }
  }

  private func reading(_ sample: Samples.Sample, _ random: inout Generator) -> [[String]] {
    let entity = sample.entity
    let path = sample.name == "kinds" ? "box.label" : "department.name"
    let all: [[String]] = [
      [
        "fetch", entity, "-f",
        random.pick(["table", "json", "ndjson", "csv", "tsv", "markdown", "line", "ids"]),
      ],
      ["fetch", entity, "--fields", "\(sample.textKey),\(path)", "--sort", "-\(sample.numberKey)"],
      [
        "fetch", entity, "-w", "\(sample.numberKey) > 10 AND \(sample.textKey) CONTAINS[c] 'a'", "--limit",
        "3",
      ],
      ["fetch", sample.name == "kinds" ? "Base" : "Person", "--ndjson"],
      ["fetch", sample.name == "kinds" ? "Box" : "Project", "--json"],
      ["count", entity, "-w", "\(path) != nil"], ["count", entity], ["get", "\(entity)/p1"],
      ["get", "\(entity)/p2", "\(entity)/p4", "--json"], ["export", entity, "-f", "csv"],
      ["export", "--all", "-f", "json"], ["info"], ["info", "--json"], ["metadata", "list", "--all"],
      ["model", "from-store", "-s", "s.db"], ["model", "show", "-s", "s.db"],
      ["explain", entity, "-w", "\(sample.numberKey) > 10", "--analyze"], ["model", "lint", "-s", "s.db"],
      ["run", "-c", "fetch \(entity)", "-c", "count \(entity)"],
    ]
    return (0..<3).map { _ in
      var arguments = random.pick(all)
      if !arguments.contains("-s") { arguments += ["-s", "s.db"] }
      return arguments
    } + [["export", "--all", "-f", "ndjson", "-s", "s.db"]]
  }

  private func writing(_ sample: Samples.Sample, records: String, _ random: inout Generator) -> [[String]] {
    let entity = sample.entity
    let box = sample.name == "kinds" ? "Box" : "Department"
    let all: [[String]] = [
      ["insert", entity, "\(sample.textKey)=new"],
      ["insert", box, sample.name == "kinds" ? "label=x" : "name=x"],
      ["update", entity, "--all", "\(sample.numberKey)+=1", "-y"],
      ["update", "\(entity)/p1", "\(sample.textKey)=x"],
      ["delete", box, "--all", "-y"], ["delete", entity, "--all", "-y"],
      ["delete", sample.name == "kinds" ? "Tag" : "Project", "--all", "-y"],
      ["delete", "\(entity)/p4", "-y"],
      ["delete", "\(box)/p1", "--dry-run"],
      ["upsert", entity, "--key", sample.textKey, "\(sample.textKey)=thing 1", "\(sample.numberKey)=3"],
      ["link", "\(box)/p1.\(sample.name == "kinds" ? "things" : "employees")", "\(entity)/p3"],
      ["unlink", "\(box)/p1.\(sample.name == "kinds" ? "things" : "employees")", "\(entity)/p3"],
      ["metadata", "set", "a=b"],
      ["import", "--all", sample.name == "kinds" ? "/dev/null" : "RECORDS", "--from", "ndjson"],
      ["check", "--quick"], ["run", "-"], ["shell", "-"],
    ]
    return (0..<3).map { _ in
      let arguments = random.pick(all)
      if arguments == ["shell", "-"] {
        return ["shell", "-s", "s.db", "-c", "update \(entity)/p1 \(sample.numberKey)=2"]
      }
      return arguments.filter { $0 != "-" }.map { $0 == "RECORDS" ? records : $0 } + ["-s", "s.db"]
        + (arguments.last == "-" ? ["-"] : [])
    }
  }

  private func script(_ sample: Samples.Sample) -> String {
    """
    insert \(sample.entity) \(sample.textKey)=one
    update \(sample.entity)/p2 \(sample.numberKey)+=5
    fetch \(sample.entity) where \(sample.textKey) BEGINSWITH "o"
    delete \(sample.entity)/p5

    """
  }

  private static func code(of ending: Ending) -> String {
    guard let start = ending.errorText.range(of: "   ["), let end = ending.errorText.range(of: "]") else {
      return "\(ending.code)"
    }
    guard start.upperBound < end.lowerBound else { return "\(ending.code)" }
    return "\(ending.code) \(ending.errorText[start.upperBound..<end.lowerBound])"
  }

  // MARK: Right answers

  /// Compares what the command exports with what SQLite reads, and reads the export back.
  private func compare(_ sample: Samples.Sample, _ trial: CampaignCase) throws {
    let export = try trial.run(["export", "--all", "-f", "ndjson", "-s", "s.db"])
    guard export.code == 0 else { return }
    try restoreCopy(trial)
    do {
      let oracle = try ExportOracle(model: sample.model, store: trial.aside("second/s.db"))
      for difference in try oracle.differences(from: export.output).prefix(3) {
        trial.violate("check says ok, and the export is wrong", key: difference.kind, difference.text)
      }
    } catch {
      trial.violate("check says ok, and SQLite cannot read it", key: "", "\(error)")
    }
    try Files.write(export.output, to: trial.path("export.ndjson"))
    _ = try trial.run(["init", "again.db", "--model", sample.model])
    let again = try trial.run(
      ["import", "--all", "export.ndjson", "-s", "again.db", "--error-format", "json", "-n", "-q"])
    // Rules of the model that a foreign hand broke are no damage of the store.
    let breaksRules = ["\"validation\"", "\"constraint-conflict\"", "\"required", "\"several"].contains {
      again.errorText.contains($0)
    }
    if again.code != 0, !breaksRules {
      trial.violate("check says ok, and the export cannot be imported", key: "\(again.code)", again.errorText)
    }
    for name in ["again.db", "again.db-wal", "again.db-shm", "export.ndjson"] {
      Files.remove(trial.path(name))
    }
  }

  private func restoreCopy(_ trial: CampaignCase) throws {
    Files.remove(trial.aside("second"))
    try Files.makeFolder(trial.aside("second"))
    for name in Files.names(in: trial.aside("damaged")) where name.hasPrefix("s.db") {
      let path = trial.aside("damaged/" + name)
      // SQLite opens nothing beside which there is a folder or a link; the command may do better.
      if name == "s.db" || Files.kind(of: path) == .typeRegular {
        try Files.copy(path, to: trial.aside("second/" + name))
      }
    }
  }

  private func expectOthersUntouched(_ trial: CampaignCase, damage: String) {
    let files = Files.listing(of: trial.folder).filter { !$0.key.hasPrefix("s.db") }
    let expected: [String: [UInt8]] = ["other.txt": Array("somebody else's".utf8), "tmp/": []]
    let home = Files.listing(of: trial.aside("home"))
    if files != expected || !home.isEmpty {
      trial.violate(
        "files of others", key: damage,
        "\(files.mapValues { String(decoding: $0.prefix(100), as: UTF8.self) }) \(home.keys)")
    }
  }
}
