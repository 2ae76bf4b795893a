import GraphStoreSQLite

/// Answer of `EXPLAIN QUERY PLAN`.
///
/// The steps are for people; what is read out of their words is no more than the names of indexes that are
/// known, whether a step sorts, and how an index is used. Where the words are others, nothing is claimed.
struct SQLiteQueryPlan {
  private(set) var steps: [FetchExplanation.Step] = []

  /// Asks for the plan of a statement.
  init(_ connection: SQLiteConnection, sql: String, bindings: [SQLBinding]) throws {
    try connection.withStatement("EXPLAIN QUERY PLAN " + sql) { statement in
      for (position, binding) in bindings.enumerated() { try statement.bind(binding, at: position + 1) }
      var depths: [Int64: Int] = [:]
      while try statement.step() {
        let depth = depths[statement.int64(at: 1)].map { $0 + 1 } ?? 0
        depths[statement.int64(at: 0)] = depth
        steps.append(FetchExplanation.Step(depth: depth, text: statement.string(at: 3) ?? ""))
      }
    }
  }

  /// Whether rows are put in order after they were read; not where only equals are.
  var sortsAfterReading: Bool {
    steps.contains { $0.depth == 0 && $0.text.hasSuffix("B-TREE FOR ORDER BY") }
  }

  /// The step that finds the rows of the fetched entity.
  private var outer: String { steps.first?.text ?? "" }

  /// Whether the fetched entity's rows are all scanned.
  var scans: Bool { outer.hasPrefix("SCAN") }

  /// Whether all rows of the fetched entity's table are scanned, or all of the entity.
  func readsAll(of table: SQLTable) -> Bool {
    scans || outerIndex(among: [CoreDataNaming().entityIndex(of: table.name)]) != nil
  }

  /// Whether an index, or the key, leads to the fetched entity's rows.
  var searches: Bool { outer.hasPrefix("SEARCH") }

  /// The index that the fetched entity's rows are found by.
  func outerIndex(among names: [String]) -> String? {
    names.filter { outer.contains(" \($0) ") || outer.hasSuffix(" " + $0) }.max { $0.count < $1.count }
  }

  func uses(_ index: String) -> Bool {
    steps.contains { $0.text.contains(" \(index) ") || $0.text.hasSuffix(" " + index) }
  }

  /// The number of columns of the index that must equal a value, and whether a further one is bounded.
  var terms: (equal: Int, hasRange: Bool) {
    guard let start = outer.firstIndex(of: "(") else { return (0, false) }
    let text = outer[start...]
    return (text.matches(of: /=\?/).count, text.contains(">?") || text.contains("<?"))
  }
}

/// Reckons from the store's statistics how many rows a statement hands over.
struct SQLiteRowEstimate {
  let connection: SQLiteConnection

  /// The rows that an index finds for so many equal columns and perhaps a bound; nil without statistics.
  ///
  /// The statistics of an index are the number of rows, then for each leading part of its columns how many
  /// rows are alike in it. The share that a bound leaves is unknown: SQLite itself assumes a quarter.
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
