import GraphStoreSQLite

/// Data that an import keeps until its end, in a private temporary database.
///
/// It is opened when something is first written to it, and leaves memory when it grows.
final class ImportScratch {
  private var opened: SQLiteConnection?
  private(set) var pendingCount = 0
  private(set) var hasTouches = false
  private(set) var hasWaitingKeys = false
  // Statements that run for each record.
  private var labelInsertion: SQLiteStatement?
  private var labelQuery: SQLiteStatement?

  func connection() throws -> SQLiteConnection {
    if let opened { return opened }
    let connection = try SQLiteConnection.temporary()
    try connection.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE label (tree INTEGER, number INTEGER, object INTEGER, record INTEGER,
        PRIMARY KEY (tree, number)) WITHOUT ROWID;
      CREATE TABLE name (tree INTEGER, name BLOB, object INTEGER, record INTEGER,
        PRIMARY KEY (tree, name)) WITHOUT ROWID;
      CREATE TABLE pending (id INTEGER PRIMARY KEY, owner INTEGER, property INTEGER, kind INTEGER, first INTEGER,
        second INTEGER, text BLOB, record INTEGER, line INTEGER);
      CREATE TABLE touch (object INTEGER, property INTEGER, record INTEGER, line INTEGER, role INTEGER,
        PRIMARY KEY (object, property, record)) WITHOUT ROWID;
      CREATE TABLE dependency (target INTEGER, record INTEGER, line INTEGER, PRIMARY KEY (target, record)) WITHOUT ROWID;
      CREATE TABLE waitingkey (entity INTEGER, key BLOB, PRIMARY KEY (entity, key)) WITHOUT ROWID;
      CREATE TABLE place (tree INTEGER, low INTEGER, high INTEGER, places BLOB);
      CREATE INDEX place_high ON place (tree, high);
      BEGIN;
      """)
    opened = connection
    return connection
  }

  /// A statement that is prepared once.
  private func prepared(_ statement: inout SQLiteStatement?, _ sql: String) throws -> SQLiteStatement {
    if let statement { return statement }
    let made = try connection().prepare(sql, persistent: true)
    statement = made
    return made
  }

  // MARK: Ids

  func addLabel(tree: Int, number: Int64, _ entry: ImportLabels.Entry) throws {
    let statement = try prepared(&labelInsertion, "INSERT OR REPLACE INTO label VALUES (?1, ?2, ?3, ?4)")
    try statement.bind(Int64(tree), at: 1)
    try statement.bind(number, at: 2)
    try statement.bind(Int64(bitPattern: entry.word.bits), at: 3)
    try statement.bind(Int64(entry.record), at: 4)
    try statement.run()
  }

  func label(tree: Int, number: Int64) throws -> ImportLabels.Entry? {
    guard opened != nil else { return nil }
    let statement = try prepared(
      &labelQuery, "SELECT object, record FROM label WHERE tree = ?1 AND number = ?2")
    defer { statement.reset() }
    try statement.bind(Int64(tree), at: 1)
    try statement.bind(number, at: 2)
    return try statement.step() ? Self.entry(statement) : nil
  }

  func addName(tree: Int, _ name: [UInt8], _ entry: ImportLabels.Entry) throws {
    try connection().withStatement("INSERT OR REPLACE INTO name VALUES (?1, ?2, ?3, ?4)") { statement in
      try statement.bind(Int64(tree), at: 1)
      try unsafe name.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 2) }
      try statement.bind(Int64(bitPattern: entry.word.bits), at: 3)
      try statement.bind(Int64(entry.record), at: 4)
      try statement.run()
    }
  }

  func name(tree: Int, _ name: [UInt8]) throws -> ImportLabels.Entry? {
    guard let opened else { return nil }
    return try opened.withStatement("SELECT object, record FROM name WHERE tree = ?1 AND name = ?2") {
      statement in
      try statement.bind(Int64(tree), at: 1)
      try unsafe name.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 2) }
      return try statement.step() ? Self.entry(statement) : nil
    }
  }

  private static func entry(_ statement: SQLiteStatement) -> ImportLabels.Entry {
    ImportLabels.Entry(
      word: PackedReference(bits: UInt64(bitPattern: statement.int64(at: 0))),
      record: Int(statement.int64(at: 1)))
  }

  // MARK: Links that wait

  func addPending(_ link: ImportPendingLink) throws {
    let sql =
      "INSERT INTO pending (owner, property, kind, first, second, text, record, line)"
      + " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
    try connection().withStatement(sql) { statement in
      try statement.bind(Int64(bitPattern: PackedReference(link.owner).bits), at: 1)
      try statement.bind(Int64(link.property), at: 2)
      var (kind, first, second): (Int64, Int64, Int64) = (0, 0, 0)
      var text: [UInt8] = []
      switch link.target {
      case .nothing: break
      case .reference(let entity, let number): (kind, first, second) = (1, Int64(entity), number)
      case .label(let tree, let name): (kind, first, text) = (2, Int64(tree), name)
      case .lookup(let attribute, let value): (kind, first, text) = (3, Int64(attribute), Array(value.utf8))
      }
      try statement.bind(kind, at: 3)
      try statement.bind(first, at: 4)
      try statement.bind(second, at: 5)
      try unsafe text.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 6) }
      try statement.bind(Int64(link.record), at: 7)
      try statement.bind(Int64(link.line), at: 8)
      try statement.run()
    }
    pendingCount += 1
  }

  /// The links that wait, in order, from a position on; at most `count`, and then as many as belong to the
  /// last one's relationship.
  func pending(after position: inout Int64, count: Int) throws -> [ImportPendingLink] {
    guard let opened else { return [] }
    var links: [ImportPendingLink] = []
    var last = position
    try opened.withStatement("SELECT * FROM pending WHERE id > ?1 ORDER BY id") { statement in
      try statement.bind(position, at: 1)
      while try statement.step() {
        let owner = ObjectKey(PackedReference(bits: UInt64(bitPattern: statement.int64(at: 1))))
        let property = Int(statement.int64(at: 2))
        let record = Int(statement.int64(at: 7))
        if links.count >= count, let before = links.last,
          before.record != record || before.owner != owner || before.property != property
        {
          break
        }
        links.append(
          ImportPendingLink(
            owner: owner, property: property, target: Self.target(statement), record: record,
            line: Int(statement.int64(at: 8))))
        last = statement.int64(at: 0)
      }
    }
    position = last
    return links
  }

  private static func target(_ statement: SQLiteStatement) -> ImportTarget {
    let bytes = unsafe Array(statement.blob(at: 6))
    let first = Int(statement.int64(at: 4))
    switch statement.int64(at: 3) {
    case 1: return .reference(entity: first, number: statement.int64(at: 5))
    case 2: return .label(tree: first, name: bytes)
    case 3: return .lookup(attribute: first, text: String(decoding: bytes, as: UTF8.self))
    default: return .nothing
    }
  }

  // MARK: Objects whose links are counted

  func addTouch(_ touch: ImportTouch) throws {
    let sql =
      "INSERT INTO touch VALUES (?1, ?2, ?3, ?4, ?5)"
      + " ON CONFLICT (object, property, record) DO UPDATE SET role = role | excluded.role"
    try connection().withStatement(sql) { statement in
      try statement.bind(Int64(bitPattern: PackedReference(touch.object).bits), at: 1)
      try statement.bind(Int64(touch.property), at: 2)
      try statement.bind(Int64(touch.record), at: 3)
      try statement.bind(Int64(touch.line), at: 4)
      try statement.bind(Int64(touch.role.rawValue), at: 5)
      try statement.run()
    }
    hasTouches = true
  }

  /// The touches of at most so many objects behind one, by object and then in the order of the input.
  func touches(after position: Int64?, count: Int) throws -> [ImportTouch] {
    guard let opened else { return [] }
    var found: [ImportTouch] = []
    let sql = """
      SELECT object, property, record, line, role FROM touch WHERE object IN
        (SELECT DISTINCT object FROM touch WHERE ?1 IS NULL OR object > ?1 ORDER BY object LIMIT ?2)
      ORDER BY object, property, record
      """
    try opened.withStatement(sql) { statement in
      if let position { try statement.bind(position, at: 1) }
      try statement.bind(Int64(count), at: 2)
      while try statement.step() {
        let word = PackedReference(bits: UInt64(bitPattern: statement.int64(at: 0)))
        found.append(
          ImportTouch(
            object: ObjectKey(word), property: Int(statement.int64(at: 1)),
            record: Int(statement.int64(at: 2)), line: Int(statement.int64(at: 3)),
            role: ImportTouch.Role(rawValue: Int(statement.int64(at: 4)))))
      }
    }
    return found
  }

  // MARK: References among records

  func addDependency(_ dependency: ImportDependency) throws {
    try connection().withStatement("INSERT OR IGNORE INTO dependency VALUES (?1, ?2, ?3)") { statement in
      try statement.bind(Int64(dependency.target), at: 1)
      try statement.bind(Int64(dependency.record), at: 2)
      try statement.bind(Int64(dependency.line), at: 3)
      try statement.run()
    }
  }

  /// Hands over the references to a record.
  func dependencies(on target: Int) throws -> [ImportDependency] {
    guard let opened else { return [] }
    return try opened.withStatement("SELECT record, line FROM dependency WHERE target = ?1") { statement in
      try statement.bind(Int64(target), at: 1)
      var found: [ImportDependency] = []
      while try statement.step() {
        found.append(
          ImportDependency(
            record: Int(statement.int64(at: 0)), line: Int(statement.int64(at: 1)), target: target))
      }
      return found
    }
  }

  // MARK: Keys of records that wait

  func addWaitingKey(_ key: ImportKey, entity: Int) throws {
    try connection().withStatement("INSERT OR IGNORE INTO waitingkey VALUES (?1, ?2)") { statement in
      try statement.bind(Int64(entity), at: 1)
      try unsafe key.bytes.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 2) }
      try statement.run()
    }
    hasWaitingKeys = true
  }

  func isWaiting(_ key: ImportKey, entity: Int) throws -> Bool {
    guard let opened, hasWaitingKeys else { return false }
    return try opened.withStatement("SELECT 1 FROM waitingkey WHERE entity = ?1 AND key = ?2") { statement in
      try statement.bind(Int64(entity), at: 1)
      try unsafe key.bytes.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 2) }
      return try statement.step()
    }
  }

  // MARK: Where objects come from

  /// The records that became the objects of one tree in one batch, by the objects' keys.
  struct Places {
    fileprivate var words: [Int64] = []
    fileprivate var low = Int64.max
    fileprivate var high = Int64.min

    var isEmpty: Bool { words.isEmpty }

    mutating func add(key: Int64, record: Int, line: Int) {
      words.append(key)
      words.append(Int64(record))
      words.append(Int64(line))
      low = min(low, key)
      high = max(high, key)
    }
  }

  /// Notes the records that became objects of a tree.
  func addPlaces(tree: Int, _ places: Places) throws {
    try connection().withStatement("INSERT INTO place VALUES (?1, ?2, ?3, ?4)") { statement in
      try statement.bind(Int64(tree), at: 1)
      try statement.bind(places.low, at: 2)
      try statement.bind(places.high, at: 3)
      try unsafe places.words.withUnsafeBytes { try unsafe statement.bind(blobCopying: $0, at: 4) }
      try statement.run()
    }
  }

  /// The record that became an object.
  func place(tree: Int, key: Int64) throws -> (record: Int, line: Int)? {
    guard let opened else { return nil }
    let sql = "SELECT places FROM place WHERE tree = ?1 AND high >= ?2 AND low <= ?2"
    return try opened.withStatement(sql) { statement in
      try statement.bind(Int64(tree), at: 1)
      try statement.bind(key, at: 2)
      while try statement.step() {
        let bytes = unsafe statement.blob(at: 0)
        for start in stride(from: 0, to: bytes.count - 23, by: 24)
        where unsafe bytes.loadUnaligned(fromByteOffset: start, as: Int64.self) == key {
          return unsafe (
            Int(bytes.loadUnaligned(fromByteOffset: start + 8, as: Int64.self)),
            Int(bytes.loadUnaligned(fromByteOffset: start + 16, as: Int64.self))
          )
        }
      }
      return nil
    }
  }
}

extension PackedReference {
  init(_ reference: ObjectKey) { self.init(entity: reference.entity, key: reference.key) }
}

extension ObjectKey {
  /// Represents several objects, none of which is meant more than the others; no model has so many entities.
  static let several = ObjectKey(entity: 0xFFFF, key: 0)

  init(_ word: PackedReference) { self.init(entity: word.entity, key: word.key) }
}
