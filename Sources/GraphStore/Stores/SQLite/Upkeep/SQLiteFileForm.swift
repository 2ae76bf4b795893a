/// Form of a new SQLite file: what is decided when it is made.
struct SQLiteFileForm: Sendable {
  var pageSize: Int64 = 4096
  /// How free pages are given back to the file system: 0 not at all, 1 by each transaction, 2 on demand.
  var autoVacuum: Int64 = 2
  /// Whether it is written through a log beside it.
  var usesLog = true

  /// The form that stores have of themselves.
  static let usual = SQLiteFileForm()
}

extension SQLiteFileForm {
  /// The form that pragmas ask for.
  init(_ pragmas: SQLitePragmas) {
    if let size = pragmas[.pageSize] { pageSize = size.number }
    if let mode = pragmas[.autoVacuum] { autoVacuum = mode.number }
    if let mode = pragmas[.journalMode] { usesLog = mode.text == "wal" }
  }
}
