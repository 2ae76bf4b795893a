import GraphStoreSQLite

/// Values that have to be compared across all records, in a private database that goes to disk when it grows:
/// keys, references, and links.
final class KeptValues {
  private let database: SQLiteConnection
  private let insertion: SQLiteStatement
  private let meeting: SQLiteStatement
  private let objects: SQLiteStatement
  private let links: SQLiteStatement
  private let linkInsertion: SQLiteStatement
  private var lastNumber = 0
  private var lastHolder = 0

  /// How an object of a key relates to those that were met before.
  enum Meeting {
    case first
    case again
    /// One of the same key has other members, or lies in the same list.
    case different
  }

  init() throws {
    database = try SQLiteConnection.temporary()
    try database.execute(
      """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE value (field INTEGER, text TEXT, PRIMARY KEY (field, text)) WITHOUT ROWID;
      CREATE TABLE object (field INTEGER, text TEXT, content INTEGER, holder INTEGER,
        PRIMARY KEY (field, text)) WITHOUT ROWID;
      CREATE TABLE link (relationship INTEGER, source TEXT, place INTEGER, target TEXT,
        PRIMARY KEY (relationship, source, place)) WITHOUT ROWID;
      BEGIN
      """)
    insertion = try database.prepare("INSERT OR IGNORE INTO value VALUES (?1, ?2)", persistent: true)
    meeting = try database.prepare(
      "SELECT content, holder FROM object WHERE field = ?1 AND text = ?2", persistent: true)
    objects = try database.prepare(
      "INSERT OR REPLACE INTO object VALUES (?1, ?2, ?3, ?4)", persistent: true)
    links = try database.prepare(
      "SELECT target FROM link WHERE relationship = ?1 AND source = ?2 ORDER BY place", persistent: true)
    linkInsertion = try database.prepare("INSERT INTO link VALUES (?1, ?2, ?3, ?4)", persistent: true)
  }

  /// A number for a field, or for anything else that values are kept of.
  func newNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// A number for a list or another thing that holds objects.
  func newHolder() -> Int {
    lastHolder += 1
    return lastHolder
  }

  /// Keeps a value; false where it is kept already.
  func insert(_ text: String, of field: Int) throws -> Bool {
    insertion.reset()
    try insertion.bind(Int64(field), at: 1)
    try insertion.bind(text, at: 2)
    _ = try insertion.step()
    return database.changes > 0
  }

  /// Keeps what is known of an object by its key.
  func meet(_ key: String, of field: Int, content: Int, holder: Int) throws -> Meeting {
    meeting.reset()
    try meeting.bind(Int64(field), at: 1)
    try meeting.bind(key, at: 2)
    var result = Meeting.first
    if try meeting.step() {
      let isEqual = meeting.int64(at: 0) == Int64(content) && meeting.int64(at: 1) != Int64(holder)
      result = isEqual ? .again : .different
    }
    objects.reset()
    try objects.bind(Int64(field), at: 1)
    try objects.bind(key, at: 2)
    try objects.bind(Int64(content), at: 3)
    try objects.bind(Int64(holder), at: 4)
    _ = try objects.step()
    return result
  }

  /// The first value of a field that is none of another's; nil where all are.
  func firstValue(of field: Int, missingFrom other: Int) throws -> String? {
    let statement = try database.prepare(
      """
      SELECT text FROM value AS a WHERE field = ?1
      AND NOT EXISTS (SELECT 1 FROM value AS b WHERE b.field = ?2 AND b.text = a.text) LIMIT 1
      """)
    try statement.bind(Int64(field), at: 1)
    try statement.bind(Int64(other), at: 2)
    return try statement.step() ? statement.string(at: 0) : nil
  }

  /// The entities that the ids of a field name.
  func entities(ofReferences field: Int) throws -> Set<String> {
    let statement = try database.prepare(
      "SELECT DISTINCT substr(text, 1, length(rtrim(text, '0123456789')) - 2) FROM value WHERE field = ?1")
    try statement.bind(Int64(field), at: 1)
    var names: Set<String> = []
    while try statement.step() { if let name = statement.string(at: 0) { names.insert(name) } }
    return names
  }

  /// Keeps a link from one object to another, behind those that it has.
  func link(_ source: String, to target: String, of relationship: Int, place: Int) throws {
    linkInsertion.reset()
    try linkInsertion.bind(Int64(relationship), at: 1)
    try linkInsertion.bind(source, at: 2)
    try linkInsertion.bind(Int64(place), at: 3)
    try linkInsertion.bind(target, at: 4)
    _ = try linkInsertion.step()
  }

  /// What an object is linked to.
  func targets(of source: String, _ relationship: Int) throws -> [String] {
    links.reset()
    try links.bind(Int64(relationship), at: 1)
    try links.bind(source, at: 2)
    var targets: [String] = []
    while try links.step() { if let target = links.string(at: 0) { targets.append(target) } }
    return targets
  }
}
