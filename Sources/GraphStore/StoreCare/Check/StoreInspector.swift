import GraphStoreModel
import GraphStoreSQLite

/// Looks for everything in a store that the library would never have written.
///
/// Each check is a fixed number of statements over whole tables, and none of them writes. A check that SQLite
/// cannot finish is a failure of its own; the others still run.
struct StoreInspector {
  let connection: SQLiteConnection
  let schema: SQLSchema
  let metadata: StoreMetadata
  /// The reason why the metadata cannot be read, as a sentence.
  let damage: String?
  /// The path of the file.
  let path: String
  /// The header of the file, where it is known.
  let header: SQLiteFileHeader?
  /// Whether the passes over rows are left out (DGN-107).
  let isQuick: Bool
  /// Whether no other connection writes to the store meanwhile.
  var isAlone = false
  /// The files of external data that were there before the store was checked: a save that runs meanwhile adds
  /// some.
  private(set) var externalFiles: [ExternalDataName] = []
  /// The tables whose columns are all there; the others are passed over by checks of rows.
  private(set) var soundTables: Set<String> = []

  init(
    connection: SQLiteConnection, path: String, schema: SQLSchema, metadata: StoreMetadata,
    damage: String? = nil, header: SQLiteFileHeader? = nil, isQuick: Bool = false
  ) {
    self.path = path
    self.header = header
    self.damage = damage
    self.connection = connection
    self.schema = schema
    self.metadata = metadata
    self.isQuick = isQuick
  }

  /// Runs all checks in one read transaction, in the order of DGN-106.
  mutating func run() throws -> [StoreCheckResult] {
    try prepare()
    try connection.begin(.deferred)
    defer { try? connection.rollback() }
    return results()
  }

  /// Makes ready for checks, before the transaction in which they run.
  mutating func prepare() throws {
    try StoreCheckFunctions.install(on: connection)
    externalFiles = ExternalDataFolder(besideStoreAt: path).files().map(\.name)
  }

  /// Runs all checks within the transaction that is open.
  mutating func results() -> [StoreCheckResult] {
    findTables()
    var results = [
      check("sqlite integrity", integrity), check("system tables", systemTables),
      check("model hashes", modelHashes), check("tables", tables), check("entity numbers", entityNumbers),
      check("key counters", keyCounters),
    ]
    guard !isQuick else { return results }
    results += [
      check("entity tags", entityTags), check("row versions", rowVersions), check("one-to-one", oneToOne),
      check("references", references), check("join rows", joinRows), check("order keys", orderKeys),
      check("required values", requiredValues), check("values", values),
      check("validation", validation), check("uniqueness", uniqueness), check("external data", externalData),
      check("derived values", derivedValues),
    ]
    if hasHistory { results.append(check("history", history)) }
    return results
  }

  private func check(_ name: String, _ body: (String) throws -> [StoreCheckFinding]) -> StoreCheckResult {
    let start = ContinuousClock.now
    var findings: [StoreCheckFinding]
    do {
      findings = try body(name)
    } catch {
      let message = (error as? SQLiteError)?.message ?? (error as? GraphStoreError)?.message ?? "\(error)"
      findings = [
        StoreCheckFinding(
          .unfinished, name: name, subject: "the file", count: 1,
          message: "the check cannot be finished: \(message)")
      ]
    }
    return StoreCheckResult(name: name, findings: findings, elapsed: ContinuousClock.now - start)
  }

  /// Excludes a table from the checks.
  mutating func passOver(_ table: SQLTable) { soundTables.remove(table.name) }

  /// Determines the tables that have all of their columns.
  mutating func findTables() { soundTables = (try? findSoundTables()) ?? [] }

  func isSound(_ table: SQLTable) -> Bool { soundTables.contains(table.name) }

  func isSound(_ table: SQLJoinTable) -> Bool { soundTables.contains(table.name) }

  private func findSoundTables() throws -> Set<String> {
    var sound: Set<String> = []
    for table in schema.tables {
      if try missingColumns(table.name, SQLTable.leadingColumns + table.columns.map(\.name)).isEmpty {
        sound.insert(table.name)
      }
    }
    for table in schema.joinTables {
      if try missingColumns(table.name, table.columns).isEmpty { sound.insert(table.name) }
    }
    return sound
  }

  /// Those of the columns that a table lacks.
  func missingColumns(_ table: String, _ columns: [String]) throws -> [String] {
    let present = try connection.withStatement("SELECT name FROM pragma_table_info(?1)") { row in
      try row.bind(table, at: 1)
      var names: Set<String> = []
      while try row.step() { if let name = row.string(at: 0) { names.insert(name.uppercased()) } }
      return names
    }
    return columns.filter { !present.contains($0.uppercased()) }
  }
}
