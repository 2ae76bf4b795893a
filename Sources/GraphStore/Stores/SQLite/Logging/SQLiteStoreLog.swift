import GraphStoreSQLite
import Synchronization

/// The part of the SQL log that one store has: its connections, their statements, and what these tell.
///
/// Nothing is done while the log is off.
final class SQLiteStoreLog: SQLiteStatementLog {
  /// The names by which rows are shown.
  private struct Names {
    var byNumber: [Int64: String] = [:]
    var byTable: [String: String] = [:]
  }

  private struct State {
    var identifier: String?
    var names = Names()
    var connectionCount = 1
    var hasEnded = false
    /// The rows that running statements have come to.
    var rowCounts: [UInt: Int] = [:]
    /// The statement that began last, of each connection as far as is known: one that fails before it begins
    /// has no line yet.
    var lastLine = ""
  }

  /// The rows of a statement that are shown.
  private static let rowLimit = 100

  private let path: String
  private let state = Mutex(State())

  /// - Parameter path: The path of the file.
  init(_ path: String) { self.path = AbsolutePath.of(path) }

  /// Takes what is known of a store once it is open.
  func adopt(_ identifier: String, _ schema: SQLSchema) {
    var names = Names()
    for entity in schema.numberedEntities {
      names.byNumber[Int64(entity.number)] = entity.entity.name
      if !entity.sharesTable { names.byTable[entity.table.name] = entity.entity.name }
    }
    state.withLock { state in
      state.identifier = identifier
      state.names = names
    }
  }

  // MARK: Connections

  func connecting() { add("Connecting to sqlite database file at \"\(path)\"") }

  /// Another connection is opened beside the first.
  func openingAnother() {
    let number = state.withLock { state in
      state.connectionCount += 1
      return state.connectionCount
    }
    add("Opening connection \(number) to \"\(path)\"")
  }

  /// The store is closed; it may be asked for again and again.
  func disconnecting() {
    let isFirst = state.withLock { state in
      defer { state.hasEnded = true }
      return !state.hasEnded
    }
    if isFirst { add("Disconnecting from sqlite database at \"\(path)\"") }
  }

  private func add(_ annotation: String) {
    guard SQLiteLogging.isOn else { return }
    RequestLines.current.add(.annotation, annotation, level: 1, in: state.withLock(\.identifier))
  }

  // MARK: Statements

  func began(_ statement: SQLiteLoggedStatement) {
    let line = StatementText.line(statement.text)
    let identifier = state.withLock { state in
      state.lastLine = line
      state.rowCounts[statement.number] = nil
      return state.identifier
    }
    let lines = RequestLines.current
    lines.addStatement(line, isRepeatable: StatementText.changesRows(line), of: self, in: identifier)
    let level = SQLiteLogging.level
    guard level > 1 else { return }
    for (index, value) in statement.boundValues.enumerated() {
      let text = LoggedValueText.bound(value, showsMembers: level > 2)
      lines.add(detail: "SQLite bind[\(index)] = \(text)", level: 2)
    }
    guard level > 3, StatementText.reads(line) else { return }
    for (depth, step) in statement.plan() {
      lines.add(detail: "plan: " + String(repeating: "  ", count: depth) + step, level: 4)
    }
  }

  func ended(_ statement: SQLiteLoggedStatement) {
    let line = StatementText.line(statement.text)
    let rows = state.withLock { $0.rowCounts.removeValue(forKey: statement.number) } ?? 0
    let lines = RequestLines.current
    if rows > Self.rowLimit { lines.add(detail: "\(rows - Self.rowLimit) more rows", level: 3) }
    guard StatementText.changesRows(line) else { return }
    lines.countRows(StatementText.namesRows(line) ? statement.changes : min(1, statement.changes), of: line)
  }

  func failed(_ error: SQLiteError) {
    let (last, identifier) = state.withLock { ($0.lastLine, $0.identifier) }
    let lines = RequestLines.current
    if let sql = error.sql {
      let line = StatementText.line(sql)
      // A text of several statements has the line of the one that failed.
      if last.isEmpty || !line.contains(last) {
        lines.addStatement(line, isRepeatable: false, of: self, in: identifier)
      }
    }
    lines.add(.error, "(\(error.extendedCode.rawValue)) \(error.message)", level: 1)
  }

  func returnedRow(of statement: SQLiteLoggedStatement) {
    let (count, names) = state.withLock { state in
      defer { state.rowCounts[statement.number, default: 0] += 1 }
      return (state.rowCounts[statement.number] ?? 0, state.names)
    }
    guard count < Self.rowLimit else { return }
    RequestLines.current.add(detail: "row[\(count)] = \(Self.text(statement, names))", level: 3)
  }

  /// A row: the object that it is of, where it has a key, and its columns.
  private static func text(_ statement: SQLiteLoggedStatement, _ names: Names) -> String {
    var row = statement.row
    guard let key = integer(SQLSystemColumns.coreData.key, takenFrom: &row) else { return text(row) }
    let number = integer(SQLSystemColumns.coreData.entity, takenFrom: &row)
    let values = text(row)
    let name =
      number.flatMap { names.byNumber[$0] }
      ?? StatementText.table(StatementText.line(statement.text)).flatMap { names.byTable[$0] }
    return name.map { "\($0)/p\(key) \(values)" } ?? "p\(key) \(values)"
  }

  private static func text(_ row: [(column: String, value: SQLiteLoggedValue)]) -> String {
    "{\(row.map { "\($0.column): \(LoggedValueText.text($0.value))" }.joined(separator: ", "))}"
  }

  /// Takes the first column of a name out of a row, where it is an integer.
  private static func integer(
    _ name: String, takenFrom row: inout [(column: String, value: SQLiteLoggedValue)]
  ) -> Int64? {
    guard let place = row.firstIndex(where: { $0.column == name }),
      case .integer(let number) = row[place].value
    else { return nil }
    row.remove(at: place)
    return number
  }
}
