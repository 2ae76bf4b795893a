import GraphStore

/// Settings of an import.
struct ImportSettings {
  /// When what was read reaches the store for good.
  enum Commit: String, CaseIterable, Sendable {
    /// At the end, or not at all.
    case all
    /// After each batch.
    case batch
    /// After each record.
    case line
  }

  /// A file, or `-`, and the entity of its records where they do not name theirs.
  struct Source {
    var path: String
    var format: InputFormat
    var entity: EntityDescription?
    /// What was said about its encoding; nil is UTF-8, or what a byte-order mark says.
    var encoding: TextEncoding?
    /// What stands between the cells of CSV; nil until it is found in the header.
    var delimiter: CSVDelimiter?
    /// What stands for a missing value in a table, besides what always does.
    var nullText: [UInt8]?
  }

  var sources: [Source]
  /// Files of records in a folder that are named after no entity, so that they are left out.
  var strayFiles: [String] = []
  var mapping: RecordMapping
  var options: ImportOptions
  var commit = Commit.all
  var batchSize = 1000
  var stopAfter: Int?
  var isDryRun = false
  var rejects: String?
  /// Remembers the import by a name, so that it happens once.
  var once: String?

  /// Whether nothing is committed before the end.
  var isWhole: Bool { commit == .all || isDryRun }
}

/// Outcome of an import.
struct ImportOutcome: Sendable {
  var read = 0
  var rejected = 0
  var counts = ImportCounts()
  /// Names in the input that were left out, as `--ignore-unknown` asks.
  var ignoredNames: [String] = []
  /// What could be given to `--map` for them.
  var proposedMaps: [String] = []
  /// What divides the columns of tables that have no commas, and of which nobody said so.
  var foundDelimiters: [FoundDelimiter] = []
  /// Whether an import of that name was done before.
  var wasDoneBefore = false
  /// The id of a record that became a new object although a stored object has that id.
  var storedLabel: String?

  /// Whether there were records, and none of them was imported.
  var isOfRejectsOnly: Bool { rejected > 0 && counts.inserted == 0 && counts.updated == 0 }
}

/// What divides the columns of a file of CSV, by its header.
struct FoundDelimiter: Sendable {
  let path: String
  let delimiter: CSVDelimiter
}
