import GraphStoreSQLite

/// Table of a database that another program has made.
struct DatabaseTable {
  /// A column.
  struct Column {
    var name: String
    /// The type as it is declared; empty without one.
    var declaredType: String
    var isMandatory: Bool
    /// The place in the primary key, from 1; 0 outside of it.
    var keyPlace: Int
  }

  /// Columns that hold the key of another table.
  struct ForeignKey {
    var columns: [String]
    var parent: String
    var parentColumns: [String]
    var deleteAction: String
  }

  /// A unique or other index of whole columns.
  struct Index {
    var name: String
    var columns: [String]
    var isUnique: Bool
  }

  var name: String
  var hasRowNumbers: Bool
  var columns: [Column] = []
  var foreignKeys: [ForeignKey] = []
  var indexes: [Index] = []

  /// The names of the columns of the primary key, in its order.
  var primaryKey: [String] {
    columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }.map(\.name)
  }

  /// The groups of columns whose values come once each.
  var uniqueGroups: [[String]] {
    var groups: [[String]] = primaryKey.isEmpty ? [] : [primaryKey]
    for index in indexes where index.isUnique && !groups.contains(where: { Set($0) == Set(index.columns) }) {
      groups.append(index.columns)
    }
    return groups
  }

  func column(named name: String) -> Column? {
    columns.first { $0.name.lowercased() == name.lowercased() }
  }

  /// An expression that tells a row of the table from all others; nil where there is none.
  ///
  /// - Parameter alias: What the statement calls the table.
  func label(_ alias: String) -> String? {
    if hasRowNumbers {
      let names = Set(columns.map { $0.name.lowercased() })
      if let own = ["rowid", "_rowid_", "oid"].first(where: { !names.contains($0) }) {
        return "\(alias).\(own)"
      }
    }
    guard !primaryKey.isEmpty else { return nil }
    return primaryKey.map { "quote(\(alias).\(SQLiteName.quoted($0)))" }.joined(separator: " || ',' || ")
  }
}

extension DatabaseTable {
  /// The tables of a database, and the names of what is none: views, and tables of extensions.
  static func tables(of database: SQLiteConnection) throws -> (tables: [DatabaseTable], others: [String]) {
    let list = try database.prepare("PRAGMA main.table_list")
    var tables: [DatabaseTable] = []
    var others: [String] = []
    while try list.step() {
      guard let name = list.string(at: 1), let kind = list.string(at: 2),
        !name.lowercased().hasPrefix("sqlite_")
      else { continue }
      switch kind {
      case "table": tables.append(DatabaseTable(name: name, hasRowNumbers: list.int64(at: 4) == 0))
      case "shadow": break
      default: others.append("the \(kind == "view" ? "view" : "virtual table") \(name)")
      }
    }
    tables.sort { $0.name < $1.name }
    // In the order in which they were made, as people wrote them.
    let made = try names(in: database, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
    tables.sort { (made.firstIndex(of: $0.name) ?? 0) < (made.firstIndex(of: $1.name) ?? 0) }
    for position in tables.indices {
      try tables[position].readColumns(of: database)
      try tables[position].readIndexes(of: database)
    }
    for position in tables.indices { try tables[position].readForeignKeys(of: database, tables) }
    return (tables, others.sorted())
  }

  private static func names(in database: SQLiteConnection, _ sql: String) throws -> [String] {
    let statement = try database.prepare(sql)
    var names: [String] = []
    while try statement.step() { names.append(statement.string(at: 0) ?? "") }
    return names
  }

  private mutating func readColumns(of database: SQLiteConnection) throws {
    let statement = try database.prepare("PRAGMA main.table_xinfo(\(SQLiteName.quoted(name)))")
    while try statement.step() {
      // Columns of virtual tables that are not shown.
      if statement.int64(at: 6) == 1 { continue }
      columns.append(
        Column(
          name: statement.string(at: 1) ?? "", declaredType: (statement.string(at: 2) ?? "").uppercased(),
          isMandatory: statement.int64(at: 3) != 0, keyPlace: Int(truncatingIfNeeded: statement.int64(at: 5)))
      )
    }
  }

  private mutating func readIndexes(of database: SQLiteConnection) throws {
    let list = try database.prepare("PRAGMA main.index_list(\(SQLiteName.quoted(name)))")
    var found: [Index] = []
    while try list.step() {
      // A part of the rows says nothing of all.
      guard let index = list.string(at: 1), list.int64(at: 4) == 0 else { continue }
      let info = try database.prepare("PRAGMA main.index_info(\(SQLiteName.quoted(index)))")
      var names: [String] = []
      var isOfColumns = true
      while try info.step() {
        if let name = info.string(at: 2) { names.append(name) } else { isOfColumns = false }
      }
      if isOfColumns, list.string(at: 3) != "pk" {
        found.append(Index(name: index, columns: names, isUnique: list.int64(at: 2) != 0))
      }
    }
    indexes = found.reversed()
  }

  private mutating func readForeignKeys(of database: SQLiteConnection, _ tables: [DatabaseTable]) throws {
    let list = try database.prepare("PRAGMA main.foreign_key_list(\(SQLiteName.quoted(name)))")
    var parts: [Int64: ForeignKey] = [:]
    while try list.step() {
      let id = list.int64(at: 0)
      let parent = list.string(at: 2) ?? ""
      let table = tables.first { $0.name.lowercased() == parent.lowercased() }
      var key =
        parts[id]
        ?? ForeignKey(
          columns: [], parent: table?.name ?? parent, parentColumns: [],
          deleteAction: (list.string(at: 6) ?? "").uppercased())
      let place = key.columns.count
      let from = list.string(at: 3) ?? ""
      key.columns.append(column(named: from)?.name ?? from)
      let keys = table?.primaryKey ?? []
      let to = list.string(at: 4) ?? (place < keys.count ? keys[place] : "")
      key.parentColumns.append(table?.column(named: to)?.name ?? to)
      parts[id] = key
    }
    // SQLite lists the last one first.
    foreignKeys = parts.sorted { $0.key > $1.key }.map(\.value)
  }
}
