import Foundation

/// Kinds of damage to a store, each in a form that the case's random numbers choose.
struct Damage {
  /// The store in the case's folder.
  let store: String
  let trial: CampaignCase

  private static let kinds: [(name: String, apply: @Sendable (Damage) throws -> Void)] = [
    ("bits", { try $0.changeBytes(in: $0.store) }), ("pages", { try $0.movePages() }),
    ("length", { try $0.changeLength(of: $0.store) }), ("header", { try $0.changeHeader() }),
    ("side file", { try $0.damageSideFile() }), ("journal", { try $0.putJournal() }),
    ("cell", { try $0.changeCell() }), ("cell", { try $0.changeCell() }), ("cell", { try $0.changeCell() }),
    ("cell", { try $0.changeCell() }), ("cell", { try $0.changeCell() }), ("row", { try $0.changeRow() }),
    ("row", { try $0.changeRow() }),
    ("system table", { try $0.changeSystemTable() }), ("metadata", { try $0.changeMetadata() }),
    ("schema", { try $0.changeSchema() }), ("object", { try $0.addObject() }),
    ("place", { try $0.replaceFile() }),
  ]

  /// Does one or several of them and says which.
  func apply() -> String {
    var names: [String] = []
    for _ in 0..<(trial.random.once(in: 3) ? 2 : 1) {
      let kind = trial.random.pick(Self.kinds)
      do {
        try kind.apply(self)
      } catch {
        trial.record("\(kind.name): not done: \(error)")
      }
      names.append(kind.name)
      // Nothing more can be done to what is no database; and whoever opens one with a journal deletes what it
      // names.
      if Files.kind(of: store) != .typeRegular || kind.name == "journal" { break }
    }
    return names.joined(separator: ", ")
  }

  // MARK: Bytes

  private func edit(_ path: String, _ change: (inout [UInt8]) -> Void) throws {
    guard var bytes = Files.read(path), !bytes.isEmpty else { return }
    change(&bytes)
    try Files.write(bytes, to: path)
  }

  private func changeBytes(in path: String) throws {
    try edit(path) { bytes in
      for _ in 0...trial.random.below(4) {
        let place = trial.random.below(bytes.count)
        let old = bytes[place]
        bytes[place] =
          trial.random.once(in: 3)
          ? trial.random.pick([0, 0x7F, 0x80, 0xFF]) : old ^ (1 << trial.random.below(8))
        trial.record("byte \(place): \(old) → \(bytes[place])")
      }
    }
  }

  private func movePages() throws {
    let size = 4096
    try edit(store) { bytes in
      let count = bytes.count / size
      guard count > 0 else { return }
      let from = trial.random.below(count)
      let to = trial.random.below(count)
      let page = Array(bytes[from * size..<(from + 1) * size])
      switch trial.random.below(3) {
      case 0: bytes.replaceSubrange(to * size..<(to + 1) * size, with: page)
      case 1: bytes.replaceSubrange(to * size..<(to + 1) * size, with: [UInt8](repeating: 0, count: size))
      default:
        bytes.replaceSubrange(from * size..<(from + 1) * size, with: bytes[to * size..<(to + 1) * size])
        bytes.replaceSubrange(to * size..<(to + 1) * size, with: page)
      }
      trial.record("pages \(from) → \(to) of \(count)")
    }
  }

  private func changeLength(of path: String) throws {
    try edit(path) { bytes in
      switch trial.random.below(4) {
      case 0: bytes.removeLast(trial.random.below(bytes.count))
      case 1: bytes.removeLast(bytes.count - bytes.count / 4096 / 2 * 4096)
      case 2: bytes += trial.random.bytes(1 + trial.random.below(9000))
      default: bytes = Array(bytes.prefix(trial.random.below(120)))
      }
      trial.record("length \(bytes.count)")
    }
  }

  private func changeHeader() throws {
    try edit(store) { bytes in
      let place = trial.random.below(min(100, bytes.count))
      bytes[place] = UInt8(trial.random.below(256))
      trial.record("header byte \(place) = \(bytes[place])")
    }
  }

  // MARK: Files beside the store

  private func damageSideFile() throws {
    let path = store + trial.random.pick(["-wal", "-shm", "-journal"])
    trial.record("side file \(path)")
    removeLink(path)
    switch trial.random.below(7) {
    case 0: try changeBytes(in: path)
    case 1: try changeLength(of: path)
    case 2: try Files.write(trial.random.bytes(trial.random.below(40_000)), to: path)
    case 3: try Files.write([], to: path)
    case 4:
      Files.remove(path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: trial.path("other.txt"))
    case 5:
      Files.remove(path)
      try Files.makeFolder(path)
    default:
      let other = trial.setup.samples.logged.path + "-wal"
      Files.remove(path)
      try Files.copy(other, to: path)
    }
  }

  /// What is written through a link would be damage to another's file.
  private func removeLink(_ path: String) {
    if Files.kind(of: path) == .typeSymbolicLink { Files.remove(path) }
  }

  /// A rollback journal, as somebody might have put it there: it names another file as the one that rules
  /// over it.
  private func putJournal() throws {
    var bytes: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    func append(_ number: UInt32) { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }
    let pages = UInt32((Files.read(store)?.count ?? 0) / 4096)
    for number: UInt32 in [
      UInt32(trial.random.below(3)), 0, trial.random.once(in: 3) ? 17 : pages, 512, 4096,
    ] {
      append(number)
    }
    bytes += [UInt8](repeating: 0, count: 512 - bytes.count)
    if trial.random.once(in: 2) {
      let name = Array((trial.random.once(in: 2) ? trial.path("other.txt") : "other.txt").utf8)
      append(1)
      bytes += name
      append(UInt32(name.count))
      append(name.reduce(0) { $0 &+ UInt32($1) })
      bytes += [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    } else {
      append(UInt32(trial.random.below(20)))
      bytes += trial.random.bytes(4100)
    }
    trial.record("a journal of \(bytes.count) bytes")
    removeLink(store + "-journal")
    try Files.write(bytes, to: store + "-journal")
  }

  private func replaceFile() throws {
    trial.record("the file is something else")
    Files.remove(store)
    switch trial.random.below(6) {
    case 0: try Files.makeFolder(store)
    case 1:
      try FileManager.default.createSymbolicLink(atPath: store, withDestinationPath: trial.path("other.txt"))
    case 2: try FileManager.default.createSymbolicLink(atPath: store, withDestinationPath: store)
    case 3: mkfifo(store, 0o600)
    case 4: try Files.write([], to: store)
    default: try Files.write(trial.random.bytes(trial.random.below(5000)), to: store)
    }
  }

  // MARK: SQL

  private func sql(_ text: String, _ values: [SecondReader.Value] = []) throws {
    trial.record("sql: \(text) \(values)")
    let reader = try SecondReader(store)
    _ = try reader.rows(text, values)
  }

  private var value: SecondReader.Value {
    let texts = [
      "", "x", "12x", "1,5", "1e400", "nan", "inf", "2024-01-01", "\u{1B}]0;t\u{7}", "a\u{0}b",
      "123456789012345678901.5",
      "0", "-0", "é", String(repeating: "long ", count: 500),
    ]
    switch trial.random.below(7) {
    case 0: return .null
    case 1:
      return .integer(
        trial.random.pick([
          0, 1, -1, 2, 7, 127, 128, 32768, -32769, 1 << 31, 1 << 40, 1 << 53, .max, .min, .min + 1,
          99_999_999,
        ]))
    case 2:
      return .real(
        trial.random.pick([
          0.5, -0.0, 1e17, 1e300, -1e300, .infinity, -.infinity, 1e-300, 1e39, 252_455_616_000, 3.4e38, 1e-7,
        ]))
    case 3: return .text(Array(trial.random.pick(texts).utf8))
    case 4: return .blob(Array(trial.random.pick(texts).utf8))
    case 5: return .text([0x61, 0xFF, 0x62, 0x80])
    default: return .blob(trial.random.bytes(trial.random.pick([1, 15, 16, 17, 100])))
    }
  }

  private func table(_ reader: SecondReader) throws -> String {
    let tables = try reader.tables.filter { !["Z_METADATA", "Z_MODELCACHE"].contains($0) }
    return try pick(tables, of: "tables")
  }

  /// One of what is left after the damage that was done before.
  private func pick<Element>(_ elements: [Element], of name: String) throws -> Element {
    guard !elements.isEmpty else { throw CampaignError(message: "no \(name) are left") }
    return trial.random.pick(elements)
  }

  private func changeCell() throws {
    let reader = try SecondReader(store)
    let table = try table(reader)
    let column = try pick(try reader.columns(of: table), of: "columns")
    let rows = try reader.rows("SELECT rowid FROM \"\(table)\"")
    guard !rows.isEmpty else { return }
    try sql("UPDATE \"\(table)\" SET \"\(column)\" = ? WHERE rowid = ?", [value, trial.random.pick(rows)[0]])
  }

  private func changeRow() throws {
    let reader = try SecondReader(store)
    let table = try table(reader)
    let columns = try reader.columns(of: table)
    let rows = try reader.rows("SELECT rowid FROM \"\(table)\"")
    guard !rows.isEmpty, !columns.isEmpty else { return }
    let row = trial.random.pick(rows)[0]
    switch trial.random.below(4) {
    case 0: try sql("DELETE FROM \"\(table)\" WHERE rowid = ?", [row])
    case 1:
      let rest = columns.dropFirst().map { "\"\($0)\"" }.joined(separator: ", ")
      try sql(
        "INSERT INTO \"\(table)\" SELECT ?, \(rest) FROM \"\(table)\" WHERE rowid = ?",
        [
          trial.random.pick([.integer(1000), .integer(.max), .integer(-5), .integer(0), .integer(.min)]), row,
        ])
    case 2:
      try sql(
        "UPDATE \"\(table)\" SET \"\(trial.random.pick(columns))\" = \"\(trial.random.pick(columns))\" WHERE rowid = ?",
        [row])
    default: try sql("DELETE FROM \"\(table)\"")
    }
  }

  private func changeSystemTable() throws {
    let reader = try SecondReader(store)
    let numbers = try reader.rows("SELECT Z_ENT FROM Z_PRIMARYKEY")
    let number = try pick(numbers, of: "entities")[0]
    switch trial.random.below(6) {
    case 0: try sql("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = ?", [number])
    case 1: try sql("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [value, number])
    case 2: try sql("UPDATE Z_PRIMARYKEY SET Z_SUPER = ? WHERE Z_ENT = ?", [value, number])
    case 3: try sql("UPDATE Z_PRIMARYKEY SET Z_NAME = ? WHERE Z_ENT = ?", [value, number])
    case 4:
      try sql(
        "UPDATE Z_PRIMARYKEY SET Z_ENT = ? WHERE Z_ENT = ?",
        [.integer(trial.random.pick([0, -1, 17, 100_000_000, 1 << 40, .max, .min])), number])
    default: try sql("INSERT INTO Z_PRIMARYKEY VALUES (?, 'Extra', ?, ?)", [.integer(99), value, value])
    }
  }

  private func changeMetadata() throws {
    let reader = try SecondReader(store)
    switch trial.random.below(6) {
    case 0: try sql("UPDATE Z_METADATA SET Z_UUID = ?", [value])
    case 1: try sql("UPDATE Z_METADATA SET Z_PLIST = ?", [value])
    case 2: try sql("INSERT INTO Z_METADATA SELECT 2, Z_UUID, Z_PLIST FROM Z_METADATA")
    case 3: try sql("DELETE FROM Z_METADATA")
    default:
      guard case .blob(var bytes)? = try reader.rows("SELECT Z_PLIST FROM Z_METADATA").first?.first else {
        return
      }
      Mutation.mutate(&bytes, with: &trial.random)
      try reader.run(
        "UPDATE Z_METADATA SET Z_PLIST = x'\(bytes.map { String(format: "%02x", $0) }.joined())'")
    }
  }

  private func addObject() throws {
    let table = try table(try SecondReader(store))
    try sql(
      trial.random.pick([
        "CREATE VIEW ZVIEW AS SELECT * FROM \"\(table)\"", "CREATE TABLE OTHER (a, b)",
        "CREATE TRIGGER tr AFTER UPDATE ON \"\(table)\" BEGIN DELETE FROM \"\(table)\"; END",
        "CREATE TABLE ZEXTRA (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)",
        "ALTER TABLE \"\(table)\" ADD COLUMN ZEXTRA VARCHAR", "DROP TABLE \"\(table)\"",
        "CREATE INDEX other ON \"\(table)\" (1)", "PRAGMA user_version = 7", "PRAGMA application_id = 7",
        "ALTER TABLE \"\(table)\" RENAME TO ZRENAMED", "PRAGMA journal_mode = DELETE",
        "CREATE VIRTUAL TABLE found USING fts5(a)",
      ]))
  }

  private func changeSchema() throws {
    let reader = try SecondReader(store)
    let rows = try reader.rows("SELECT rowid, sql FROM sqlite_schema WHERE sql IS NOT NULL")
    let row = try pick(rows, of: "definitions")
    guard var text = row[1].string else { return }
    let words = [
      (" INTEGER PRIMARY KEY", " INTEGER"), (" VARCHAR", " BLOB"), (" INTEGER", " TEXT"), ("UNIQUE ", ""),
      ("Z_ENT", "Z_ENTX"), ("ZNAME", "ZNAMES"), (" TIMESTAMP", " INTEGER AS (7)"), (" DECIMAL", " NOT NULL"),
      (")", ", EXTRA)"), (")", ") STRICT"), (")", ") WITHOUT ROWID"), ("Z", "\u{1B}"), ("CREATE", "DROP"),
      ("TABLE", "VIRTUAL TABLE"),
    ]
    let word = trial.random.pick(words)
    text = text.replacingOccurrences(of: word.0, with: word.1)
    try reader.run("PRAGMA writable_schema = ON")
    switch trial.random.below(5) {
    case 0: _ = try reader.rows("DELETE FROM sqlite_schema WHERE rowid = ?", [row[0]])
    case 1:
      _ = try reader.rows(
        "UPDATE sqlite_schema SET rootpage = ? WHERE rowid = ?",
        [.integer(Int64(trial.random.below(30))), row[0]])
    case 2:
      try reader.run(
        "INSERT INTO sqlite_schema VALUES ('table', 'foreign_one', 'foreign_one', 0, 'CREATE VIRTUAL TABLE foreign_one USING nowhere(a)')"
      )
    default:
      _ = try reader.rows(
        "UPDATE sqlite_schema SET sql = ? WHERE rowid = ?", [.text(Array(text.utf8)), row[0]])
    }
    trial.record("schema row \(row[0]): \(word)")
  }
}
