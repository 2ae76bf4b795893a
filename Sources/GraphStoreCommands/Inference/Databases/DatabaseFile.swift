import Foundation
import GraphStore
import GraphStoreReports
import GraphStoreSQLite

/// SQLite file of another program, opened for reading.
final class DatabaseFile {
  let path: String
  let database: SQLiteConnection
  let tables: [DatabaseTable]
  /// What is no table, in words.
  let others: [String]

  /// The first bytes of a file of SQLite.
  static let signature = Array("SQLite format 3\0".utf8)

  init(path: String, timeout: Duration) throws {
    self.path = path
    do {
      database = try SQLiteConnection(path: path, mode: .readOnly, busyTimeout: timeout)
      (tables, others) = try DatabaseTable.tables(of: database)
      // One state of all tables, whatever others write meanwhile.
      try database.begin(.deferred)
    } catch let error as SQLiteError {
      throw Self.diagnostic(of: error, path)
    }
    guard !tables.contains(where: { $0.name == "Z_METADATA" }) else {
      throw Diagnostic(
        code: "usage", message: "\(path) is a store, which has a model of its own",
        hints: ["graphstore model from-store \(ShellQuoting.word(path)) prints it"], exitCode: .usage)
    }
    guard !tables.isEmpty else {
      throw Diagnostic(
        code: "no-records", message: "\(path) holds no tables", hints: ["name a database that has some"],
        exitCode: .dataError)
    }
  }

  /// The name of a field that stands for the row itself.
  static let labelField = "\u{0}row"

  /// The name of a field that stands for the row that a foreign key leads to.
  static func field(ofForeignKey number: Int) -> String { "\u{0}key\(number)" }

  /// Hands every row of a table to `body`: its own label, the labels that its foreign keys lead to, and its
  /// values.
  func forEachRow(
    of table: DatabaseTable, _ interruption: StatementInterruption,
    _ body: ([SampleMember], Int) throws -> Void
  ) throws {
    let names =
      [Self.labelField] + table.foreignKeys.indices.map(Self.field(ofForeignKey:)) + table.columns.map(\.name)
    let numbers = 1 + table.foreignKeys.count
    do {
      let statement = try database.prepare(statement(for: table))
      var row = 0
      while try statement.step() {
        row += 1
        if row & 255 == 0 { try interruption.check() }
        let members = names.indices.map { column in
          SampleMember(
            name: names[column],
            value: column < numbers
              ? statement.string(at: column).map { .string($0) } ?? .null
              : Self.value(of: statement, at: column))
        }
        try body(members, row)
      }
    } catch let error as SQLiteError {
      throw Self.diagnostic(of: error, path)
    }
  }

  private func statement(for table: DatabaseTable) -> String {
    let own = table.label("t") ?? "NULL"
    let keys = table.foreignKeys.map { key -> String in
      guard let parent = tables.first(where: { $0.name == key.parent }), let label = parent.label("p"),
        key.parentColumns.allSatisfy({ parent.column(named: $0) != nil })
      else { return "NULL" }
      let pairs = zip(key.columns, key.parentColumns).map {
        "p.\(SQLiteName.quoted($1)) = t.\(SQLiteName.quoted($0))"
      }
      return
        "(SELECT \(label) FROM main.\(SQLiteName.quoted(parent.name)) AS p WHERE \(pairs.joined(separator: " AND ")))"
    }
    let columns = table.columns.map { "t.\(SQLiteName.quoted($0.name))" }
    return
      "SELECT \(([own] + keys + columns).joined(separator: ", ")) FROM main.\(SQLiteName.quoted(table.name)) AS t"
  }

  private static func value(of statement: SQLiteStatement, at column: Int) -> SampleValue {
    switch statement.type(at: column) {
    case .null: .null
    case .integer: .number(String(statement.int64(at: column)))
    case .real: real(statement.double(at: column))
    case .text: .string(statement.string(at: column) ?? "")
    case .blob: .data(unsafe Array(statement.blob(at: column)))
    }
  }

  private static func real(_ number: Double) -> SampleValue {
    number.isFinite ? .number("\(number)") : .string("\(number)")
  }

  static func diagnostic(of error: SQLiteError, _ path: String) -> Diagnostic {
    let (code, exitCode, hint): (String, ExitCode, String) =
      switch error.category {
      case .busy: ("store-timeout", .temporaryFailure, "try again when no other program writes to it")
      case .notADatabase: ("not-a-database", .dataError, "name a file of SQLite, or of records")
      case .corrupt: ("database-damaged", .dataError, "mend it: sqlite3 FILE .recover")
      case .permission, .readOnly: ("no-permission", .noPermission, "ask its owner")
      case .cantOpen: ("file-not-found", .noInput, "look for its name")
      default: ("read-failed", .ioError, "SQLite could not read it")
      }
    return Diagnostic(
      code: code, message: "cannot read \(path): \(error.message)", location: Diagnostic.Location(file: path),
      hints: [hint], exitCode: exitCode)
  }
}
