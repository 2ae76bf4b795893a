import Foundation

/// Makes stores look as if Core Data had made them, with names, columns and indexes that no model tells: what
/// the command reads is what is in them, and what it does not know it leaves alone.
struct ForeignLayouts: Search {
  let name = "layouts"
  let summary =
    "stores laid out as Core Data's, with what a model does not tell; what is read is what is in them"
  let share = 1.0

  func examine(_ trial: CampaignCase) throws {
    try Files.write(Array(Self.model.utf8), to: trial.path("m.json"))
    _ = try trial.run(["init", "f.db", "--model", "m.json"])
    let filled = try trial.run(
      ["import", "--all", "-", "--from", "ndjson", "-s", "f.db"], input: records(&trial.random))
    if filled.code != 0 { trial.violate("import", key: "\(filled.code)", filled.errorText) }
    let before = try trial.run(["export", "--all", "-f", "ndjson", "-s", "f.db"])
    let hasTags = try disguise(trial)
    let options = ["-s", "f.db", "--model", "m.json"]
    let after = try trial.run(["export", "--all", "-f", "ndjson"] + options)
    if after.code != 0 || after.output != before.output {
      trial.violate("what is in the store is not read", key: "\(after.code)", after.errorText)
    }
    let check = try trial.run(["check"] + options)
    if check.code != 0, hasTags { trial.violate("check", key: "\(check.code)", check.outputText) }
    try write(after: before, options, trial)
  }

  /// Changes one object, and expects nothing else to change.
  private func write(after export: Ending, _ options: [String], _ trial: CampaignCase) throws {
    let unknown = try unknownValues(trial)
    let update = try trial.run(["update", "Call/p1", "day=4711"] + options)
    trial.expectContract(update, of: "update", codes: [0])
    let changed = try trial.run(["export", "--all", "-f", "ndjson"] + options)
    let lines = Set(export.lines).symmetricDifference(changed.lines)
    if lines.count != 2 || !lines.allSatisfy({ $0.contains("\"Call/p1\"") }) {
      trial.violate(
        "a save changed something else", key: "\(lines.count)", lines.sorted().joined(separator: "\n"))
    }
    if try unknownValues(trial) != unknown {
      trial.violate("a save changed a column that the model does not know", key: "", "")
    }
  }

  private func unknownValues(_ trial: CampaignCase) throws -> [[SecondReader.Value]] {
    let reader = try SecondReader(trial.path("f.db"))
    return try reader.tables.flatMap { table in
      try reader.columns(of: table).contains(Self.unknown)
        ? reader.rows("SELECT '\(table)', Z_PK, \(Self.unknown) FROM \(table) ORDER BY Z_PK") : []
    }
  }

  // MARK: The store

  /// Takes away what only stores of the command have, and changes what a reader has to take as it stands.
  ///
  /// - Returns: Whether the entities beside references are still there.
  private func disguise(_ trial: CampaignCase) throws -> Bool {
    let reader = try SecondReader(trial.path("f.db"))
    try disguiseMetadata(reader)
    if trial.random.once(in: 2) { try swapSuffixes(reader) }
    if trial.random.once(in: 2) {
      for row in try reader.rows("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL") {
        if trial.random.once(in: 2) { try reader.run("DROP INDEX \(row[0].string ?? "")") }
      }
    }
    for table in try reader.tables where table.hasPrefix("Z") && !table.hasPrefix("Z_") {
      if trial.random.once(in: 3) {
        try reader.run("ALTER TABLE \(table) ADD COLUMN \(Self.unknown) VARCHAR DEFAULT 'theirs'")
        try reader.run("CREATE INDEX THEIRS_\(table) ON \(table) (\(Self.unknown))")
      }
      if trial.random.once(in: 3) { try shuffleColumns(of: table, reader, &trial.random) }
    }
    guard trial.random.once(in: 3) else { return true }
    try reader.run("UPDATE ZCALL SET Z4_MAIN = \(trial.random.pick(["NULL", "99"])) WHERE ZMAIN NOT NULL")
    return false
  }

  private func disguiseMetadata(_ reader: SecondReader) throws {
    guard case .blob(let bytes)? = try reader.rows("SELECT Z_PLIST FROM Z_METADATA").first?.first,
      var values = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        as? [String: Any]
    else { throw CampaignError(message: "the metadata cannot be read") }
    for key in values.keys where key.hasPrefix("_GS") { values[key] = nil }
    let data = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
    _ = try reader.rows("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(Array(data))])
  }

  /// Gives the plain name of two join columns to the other one.
  private func swapSuffixes(_ reader: SecondReader) throws {
    for table in try reader.tables where table.hasPrefix("Z_1VOTE") {
      for column in try reader.columns(of: table) where column.hasPrefix("Z_1VOTEDBY") {
        let other = column == "Z_1VOTEDBY" ? "Z_1VOTEDBY1" : "Z_1VOTEDBY"
        try reader.run("ALTER TABLE \(table) RENAME COLUMN \(column) TO \(other)")
      }
    }
  }

  /// Makes a table anew with its columns in another order, as in-place migrations leave them.
  private func shuffleColumns(of table: String, _ reader: SecondReader, _ random: inout Generator) throws {
    let rows = try reader.rows("SELECT name, type FROM pragma_table_info('\(table)') WHERE pk = 0")
    let indexes = try reader.rows(
      "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = '\(table)' AND sql NOT NULL")
    var columns = rows.map { "\($0[0].string ?? "") \($0[1].string ?? "")" }
    for index in columns.indices.dropLast() {
      columns.swapAt(index, index + random.below(columns.count - index))
    }
    let names = columns.map { $0.prefix { $0 != " " } }.joined(separator: ", ")
    try reader.run(
      """
      ALTER TABLE \(table) RENAME TO FORMER;
      CREATE TABLE \(table) ( Z_PK INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")) );
      INSERT INTO \(table) (Z_PK, \(names)) SELECT Z_PK, \(names) FROM FORMER;
      DROP TABLE FORMER
      """)
    for index in indexes { try reader.run(index[0].string ?? "") }
  }

  private static let unknown = "ZTHEIRS"

  // MARK: The objects

  /// Records of every entity with links of every kind.
  private func records(_ random: inout Generator) -> [UInt8] {
    let count = 2 + random.below(5)
    func some(_ entity: String) -> [String] {
      (0..<count).filter { _ in random.once(in: 2) }.map { "\(entity)\($0)" }
    }
    var free = (0..<count).map { "part\($0)" }
    var lines: [[String: Any]] = []
    for number in 0..<count {
      lines.append(["entity": "Poll", "id": "poll\(number)"])
      lines.append(["entity": "PollOption", "id": "option\(number)"])
      lines.append(["entity": number % 2 == 0 ? "Part" : "Long", "id": "part\(number)", "seconds": number])
      lines.append(["entity": "Note", "id": "note\(number)", "text": "é\(number)"])
      lines.append([
        "entity": "AUser", "id": "user\(number)", "name": "u", "votePolls": some("poll"),
        "votePollOptions": some("option"),
      ])
      let taken = (0..<min(free.count, random.below(3))).map { _ in free.remove(at: random.below(free.count))
      }
      var call: [String: Any] = ["entity": "Call", "id": "call\(number)", "day": number, "parts": taken]
      call["notes"] = ["note\(number)"]
      if random.once(in: 2) { call["main"] = "part\(random.below(count))" }
      lines.append(call)
    }
    return lines.flatMap { line -> [UInt8] in
      let data = try? JSONSerialization.data(withJSONObject: line, options: .sortedKeys)
      return Array(data ?? Data()) + [0x0A]
    }
  }

  private static let model = """
    {"name": "Theirs", "entities": [
      {"name": "AUser", "attributes": [{"name": "name", "type": "string"}], "relationships": [
        {"name": "votePollOptions", "destination": "PollOption", "inverse": "votedBy", "toMany": true},
        {"name": "votePolls", "destination": "Poll", "inverse": "votedBy", "toMany": true}]},
      {"name": "Poll", "relationships": [
        {"name": "votedBy", "destination": "AUser", "inverse": "votePolls", "toMany": true}]},
      {"name": "PollOption", "relationships": [
        {"name": "votedBy", "destination": "AUser", "inverse": "votePollOptions", "toMany": true}]},
      {"name": "Call", "attributes": [{"name": "day", "type": "int32"}], "relationships": [
        {"name": "parts", "destination": "Part", "toMany": true, "ordered": true},
        {"name": "notes", "destination": "Note", "toMany": true},
        {"name": "main", "destination": "Part"}]},
      {"name": "Note", "attributes": [{"name": "text", "type": "string"}]},
      {"name": "Part", "attributes": [{"name": "seconds", "type": "int32"}]},
      {"name": "Long", "parent": "Part", "attributes": [{"name": "hours", "type": "double"}]}]}
    """
}
