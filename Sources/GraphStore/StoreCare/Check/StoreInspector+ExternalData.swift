import GraphStoreModel
import GraphStoreSQLite

extension StoreInspector {
  /// Values with external storage that cannot be read, or whose file is missing, and files that no row names
  /// (STO-183).
  func externalData(_ name: String) throws -> [StoreCheckFinding] {
    let columns = schema.tables.filter(isSound).flatMap(\.columns).filter(\.isExternal)
    guard metadata.hasExternalPrefixes else { return try columns.compactMap { try withoutPrefix(name, $0) } }
    var named: Set<String> = []
    var findings: [StoreCheckFinding] = []
    let folder = ExternalDataFolder(besideStoreAt: path)
    let present = isAlone ? nil : PresentRows(path: path, busyTimeout: connection.busyTimeout)
    for column in columns {
      let (damaged, missing, shared) = try samples(of: column, folder, present, naming: &named)
      let kinds: [(Sample, StoreDamage, what: String)] = [
        (shared, .sharedFile, "with a file that another value names too"),
        (damaged, .externalBytes, "with bytes that are neither data nor the name of a file"),
        (missing, .missingFile, "without the file of its data"),
      ]
      for (sample, damage, what) in kinds {
        let subject = "\(column.attribute ?? column.property)"
        if let found = sample.finding(damage, of: name, at: subject, noun: "row", what: what) {
          findings.append(found)
        }
      }
    }
    if let unnamed = unnamedFiles(name, folder, named) { findings.append(unnamed) }
    return findings
  }

  /// The rows of a column whose values are of no known form, and those whose files are missing.
  private func samples(
    of column: SQLColumn, _ folder: ExternalDataFolder, _ present: PresentRows?,
    naming named: inout Set<String>
  ) throws -> (damaged: Sample, missing: Sample, shared: Sample) {
    let value = column.quotedName
    // For data in the row their first byte is enough.
    let statement = try connection.prepare(
      """
      SELECT Z_PK, Z_ENT, CASE length(\(value)) WHEN \(ExternalDataName.length + 2) THEN \(value) ELSE substr(\(value), 1, 1) END
        FROM \(column.table.quotedName) WHERE typeof(\(value)) = 'blob' ORDER BY Z_PK
      """)
    var (damaged, missing, shared) = (Sample(), Sample(), Sample())
    while try statement.step() {
      let bytes = unsafe statement.blob(at: 2).bindMemory(to: UInt8.self)
      func add(to sample: inout Sample) {
        sample.add(
          Sample(
            count: 1,
            objects: [
              name(statement.int64(at: 0), number: Int(statement.int64(at: 1)), root: column.table.root)
            ]))
      }
      switch unsafe ExternalColumn(bytes) {
      case .inline: continue
      case .file(let file):
        if !named.insert(file.description).inserted { add(to: &shared) }
        func isMissing() -> Bool { ExternalDataSource.folder(folder).size(file) == nil }
        if isMissing(), try present?.name(file, in: column, key: statement.int64(at: 0)) != false,
          isMissing()
        {
          add(to: &missing)
        }
      case nil: add(to: &damaged)
      }
    }
    return (damaged, missing, shared)
  }

  /// Files that a save which did not end has left; where another store has the same folder they may be its.
  private func unnamedFiles(
    _ name: String, _ folder: ExternalDataFolder, _ named: Set<String>
  ) -> StoreCheckFinding? {
    let files = externalFiles.filter {
      !named.contains($0.description) && ExternalDataSource.folder(folder).size($0) != nil
    }
    guard !files.isEmpty, !folder.isShared else { return nil }
    return StoreCheckFinding(
      .unnamedFile, name: name, subject: "the folder beside the store", severity: .warning,
      count: files.count,
      objects: files.prefix(StoreCheckFinding.objectLimit).map(\.description),
      message: "\(files.count) file\(files.count == 1 ? "" : "s") that no row names")
  }

  /// The names of all files that rows name; nil where a row may name some that cannot be read from it.
  func namedFiles() throws -> Set<String>? {
    guard metadata.hasExternalPrefixes, schema.tables.allSatisfy(isSound) else {
      return nil
    }
    var named: Set<String> = []
    for column in schema.tables.flatMap(\.columns).filter(\.isExternal) {
      let value = column.quotedName
      let sql = "SELECT \(value) FROM \(column.table.quotedName) WHERE length(\(value)) = ?1"
      try connection.withStatement(sql) { row in
        try row.bind(Int64(ExternalDataName.length + 2), at: 1)
        while try row.step() {
          if case .file(let file)? = unsafe ExternalColumn(row.blob(at: 0).bindMemory(to: UInt8.self)) {
            named.insert(file.description)
          }
        }
      }
    }
    return named
  }

  /// The columns of values with external storage that have some, and how many.
  func externalColumnsWithValues() throws -> [(column: SQLColumn, count: Int)] {
    try schema.tables.filter(isSound).flatMap { table in
      let columns = table.columns.filter(\.isExternal)
      return zip(columns, try counts(table, columns.map { "s.\($0.quotedName) IS NOT NULL" }))
        .filter { $0.1 > 0 }.map { ($0, $1) }
    }
  }

  /// Values that an earlier version of the library wrote.
  private func withoutPrefix(_ name: String, _ column: SQLColumn) throws -> StoreCheckFinding? {
    try sample(column.table, where: "s.\(column.quotedName) IS NOT NULL").finding(
      .externalPrefix, of: name, at: "\(column.attribute ?? column.property)", severity: .warning,
      noun: "row",
      what: "in the form of an earlier version of the library, which a repair renews")
  }
}

/// Rows as they are now, not as the snapshot of the check shows them: a save that ran meanwhile has removed
/// the files of what it replaced.
private final class PresentRows {
  private let path: String
  private let busyTimeout: Duration
  /// Opened for the first row that is asked for; nil where the file cannot be opened a second time.
  private lazy var connection = try? SQLiteConnection.openForReading(path, busyTimeout: busyTimeout)

  init(path: String, busyTimeout: Duration) { (self.path, self.busyTimeout) = (path, busyTimeout) }

  /// Whether a row names a file; taken for granted where nothing can be read.
  func name(_ file: ExternalDataName, in column: SQLColumn, key: Int64) throws -> Bool {
    guard let connection else { return true }
    let sql = "SELECT \(column.quotedName) FROM \(column.table.quotedName) WHERE Z_PK = ?1"
    return try connection.withStatement(sql) { row in
      try row.bind(key, at: 1)
      guard try row.step() else { return false }
      guard case .file(file)? = unsafe ExternalColumn(row.blob(at: 0).bindMemory(to: UInt8.self)) else {
        return false
      }
      return true
    }
  }
}
