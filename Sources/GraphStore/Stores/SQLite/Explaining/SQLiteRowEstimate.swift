import GraphStoreSQLite

/// Reckons from the store's statistics how many rows a statement hands over.
struct SQLiteRowEstimate {
  let connection: SQLiteConnection

  /// The rows that an index finds for so many equal columns and perhaps a bound; nil without statistics.
  ///
  /// The statistics of an index are the number of rows, then for each leading part of its columns how many rows
  /// are alike in it. Of what a bound leaves, nothing is known: SQLite itself reckons with a quarter.
  func rows(_ index: String, equal: Int, hasRange: Bool) throws -> Int? {
    guard try SQLiteSchemaCopy.hasStatistics(connection) else { return nil }
    let found = try connection.withStatement("SELECT stat FROM sqlite_stat1 WHERE idx = ?") { statement in
      try statement.bind(index, at: 1)
      return try statement.step() ? statement.string(at: 0) : nil
    }
    let numbers = (found ?? "").split(separator: " ").compactMap { Int($0) }.map { max($0, 0) }
    guard numbers.indices.contains(equal) else { return nil }
    let alike = numbers[equal]
    return hasRange ? alike / 4 + (alike % 4).signum() : alike
  }
}
