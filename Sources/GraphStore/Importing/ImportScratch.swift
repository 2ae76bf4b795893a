import GraphStoreSQLite

/// What an import has to remember until its end, in a database that only this process sees.
///
/// It is opened when something is first written to it, and leaves memory when it grows.
final class ImportScratch {
  private var opened: SQLiteConnection?
  private(set) var pendingCount = 0
  private(set) var hasChecks = false

  private func connection() throws -> SQLiteConnection {
    if let opened { return opened }
    let connection = try SQLiteConnection.temporary()
    try connection.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE label (tree INTEGER, number INTEGER, object INTEGER, PRIMARY KEY (tree, number)) WITHOUT ROWID;
      CREATE TABLE name (name BLOB PRIMARY KEY, object INTEGER) WITHOUT ROWID;
      CREATE TABLE pending (id INTEGER PRIMARY KEY, owner INTEGER, property INTEGER, kind INTEGER, first INTEGER,
        second INTEGER, text BLOB, record INTEGER, line INTEGER);
      CREATE TABLE checked (object INTEGER PRIMARY KEY, record INTEGER, line INTEGER) WITHOUT ROWID;
      BEGIN;
      """)
    opened = connection
    return connection
  }

  // MARK: Ids

  func addLabel(tree: Int, number: Int64, _ object: ObjectReferenceWord) throws {
    try connection().withStatement("INSERT OR REPLACE INTO label VALUES (?1, ?2, ?3)") { statement in
      try statement.bind(Int64(tree), at: 1)
      try statement.bind(number, at: 2)
      try statement.bind(Int64(bitPattern: object.bits), at: 3)
      try statement.run()
    }
  }

  func label(tree: Int, number: Int64) throws -> ObjectReferenceWord? {
    guard let opened else { return nil }
    return try opened.withStatement("SELECT object FROM label WHERE tree = ?1 AND number = ?2") { statement in
      try statement.bind(Int64(tree), at: 1)
      try statement.bind(number, at: 2)
      return try statement.step()
        ? ObjectReferenceWord(bits: UInt64(bitPattern: statement.int64(at: 0))) : nil
    }
  }

  func addName(_ name: [UInt8], _ object: ObjectReferenceWord) throws {
    try connection().withStatement("INSERT OR REPLACE INTO name VALUES (?1, ?2)") { statement in
      try name.withUnsafeBytes { try statement.bind(blobCopying: $0, at: 1) }
      try statement.bind(Int64(bitPattern: object.bits), at: 2)
      try statement.run()
    }
  }

  func name(_ name: [UInt8]) throws -> ObjectReferenceWord? {
    guard let opened else { return nil }
    return try opened.withStatement("SELECT object FROM name WHERE name = ?1") { statement in
      try name.withUnsafeBytes { try statement.bind(blobCopying: $0, at: 1) }
      return try statement.step()
        ? ObjectReferenceWord(bits: UInt64(bitPattern: statement.int64(at: 0))) : nil
    }
  }

  // MARK: Links that wait

  func addPending(_ link: ImportPendingLink) throws {
    let sql =
      "INSERT INTO pending (owner, property, kind, first, second, text, record, line)"
      + " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
    try connection().withStatement(sql) { statement in
      try statement.bind(Int64(bitPattern: ObjectReferenceWord(link.owner).bits), at: 1)
      try statement.bind(Int64(link.property), at: 2)
      var (kind, first, second): (Int64, Int64, Int64) = (0, 0, 0)
      var text: [UInt8] = []
      switch link.target {
      case .nothing: break
      case .reference(let entity, let number): (kind, first, second) = (1, Int64(entity), number)
      case .label(let name): (kind, text) = (2, name)
      case .lookup(let attribute, let value): (kind, first, text) = (3, Int64(attribute), Array(value.utf8))
      }
      try statement.bind(kind, at: 3)
      try statement.bind(first, at: 4)
      try statement.bind(second, at: 5)
      try text.withUnsafeBytes { try statement.bind(blobCopying: $0, at: 6) }
      try statement.bind(Int64(link.record), at: 7)
      try statement.bind(Int64(link.line), at: 8)
      try statement.run()
    }
    pendingCount += 1
  }

  /// The links that wait, in order, from a position on; at most `count`, and then as many as belong to the last one's
  /// relationship.
  func pending(after position: inout Int64, count: Int) throws -> [ImportPendingLink] {
    guard let opened else { return [] }
    var links: [ImportPendingLink] = []
    var last = position
    try opened.withStatement("SELECT * FROM pending WHERE id > ?1 ORDER BY id") { statement in
      try statement.bind(position, at: 1)
      while try statement.step() {
        let owner = RecordReference(ObjectReferenceWord(bits: UInt64(bitPattern: statement.int64(at: 1))))
        let property = Int(statement.int64(at: 2))
        if links.count >= count, let before = links.last, before.owner != owner || before.property != property
        {
          break
        }
        links.append(
          ImportPendingLink(
            owner: owner, property: property, target: Self.target(statement),
            record: Int(statement.int64(at: 7)), line: Int(statement.int64(at: 8))))
        last = statement.int64(at: 0)
      }
    }
    position = last
    return links
  }

  private static func target(_ statement: SQLiteStatement) -> ImportTarget {
    let bytes = Array(statement.blob(at: 6))
    switch statement.int64(at: 3) {
    case 1: return .reference(entity: Int(statement.int64(at: 4)), number: statement.int64(at: 5))
    case 2: return .label(bytes)
    case 3:
      return .lookup(attribute: Int(statement.int64(at: 4)), text: String(decoding: bytes, as: UTF8.self))
    default: return .nothing
    }
  }

  // MARK: Objects whose links are counted at the end

  func addCheck(_ object: RecordReference, record: Int, line: Int) throws {
    try connection().withStatement("INSERT OR IGNORE INTO checked VALUES (?1, ?2, ?3)") { statement in
      try statement.bind(Int64(bitPattern: ObjectReferenceWord(object).bits), at: 1)
      try statement.bind(Int64(record), at: 2)
      try statement.bind(Int64(line), at: 3)
      try statement.run()
    }
    hasChecks = true
  }

  func checks(
    after position: Int64?, count: Int
  ) throws -> [(object: RecordReference, record: Int, line: Int)] {
    guard let opened else { return [] }
    var found: [(object: RecordReference, record: Int, line: Int)] = []
    let sql =
      "SELECT object, record, line FROM checked WHERE ?1 IS NULL OR object > ?1 ORDER BY object LIMIT ?2"
    try opened.withStatement(sql) { statement in
      if let position { try statement.bind(position, at: 1) }
      try statement.bind(Int64(count), at: 2)
      while try statement.step() {
        let word = ObjectReferenceWord(bits: UInt64(bitPattern: statement.int64(at: 0)))
        found.append((RecordReference(word), Int(statement.int64(at: 1)), Int(statement.int64(at: 2))))
      }
    }
    return found
  }
}

extension ObjectReferenceWord {
  init(_ reference: RecordReference) { self.init(entity: reference.entity, key: reference.key) }
}

extension RecordReference {
  init(_ word: ObjectReferenceWord) { self.init(entity: word.entity, key: word.key) }
}
