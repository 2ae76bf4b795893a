import GraphStoreSQLite

/// A request whose lines of the SQL log stand together, with its times: those between ``begin()`` and
/// ``end()``, on one thread.
final class SQLLogRequest {
  private let lines: RequestLines
  private let clock = RequestClock()
  private let countAtBeginning: Int

  private init() {
    lines = .current
    countAtBeginning = lines.statementCount
    lines.begin()
  }

  /// Begins a request on the calling thread; nil, for one load, where the log is off.
  @inline(__always)
  static func begin() -> SQLLogRequest? { SQLiteLogging.isOn ? SQLLogRequest() : nil }

  func end() { lines.end() }

  /// Whether statements have run since it began.
  var hasStatements: Bool { lines.statementCount > countAtBeginning }

  /// Adds a remark on the statements that have run; nothing where there are none.
  func add(annotation text: @autoclosure () -> String, level: Int = 1) {
    if hasStatements, SQLiteLogging.level >= level { lines.add(annotation: text(), level: level) }
  }

  /// The time that the request has taken so far, as text.
  var timeText: String { TraceEvent.FieldValue.time(clock.time).text }

  /// Adds the times of a fetch: in statements, and in all (DGN-020).
  func addFetchTimes(rows: Int) {
    guard hasStatements else { return }
    let time = clock.time
    let sqlTime = clock.sqlTime(within: time)
    lines.add(annotation: "sql connection fetch time: \(TraceEvent.FieldValue.time(sqlTime).text)")
    lines.add(
      annotation: "total fetch execution time: \(TraceEvent.FieldValue.time(time).text) for \(rows) rows.")
  }

  /// Adds the time of a count.
  func addCountTime(count: Int) {
    add(annotation: "total count request execution time: \(timeText) for count of \(count).")
  }

  /// Adds that a store was asked for the values of an object.
  func addObjectFault(of id: ManagedObjectID) {
    add(annotation: "fault fulfilled from database for : \(Self.text(id))")
  }

  /// Adds that a store was asked for the members of a to-many.
  func addToManyFault(of name: String, owner id: ManagedObjectID, members: Int) {
    add(
      annotation:
        "to-many relationship fault \"\(name)\" for objectID \(Self.text(id)) fulfilled from database.  "
        + "Got \(members) rows")
  }

  private static func text(_ id: ManagedObjectID) -> String {
    "0x\(String(UInt64(bitPattern: id.key), radix: 16)) <\(id.uriText)>"
  }

  /// Adds to the present request that memory evaluates a part of its predicate.
  @inline(__always)
  static func note(inMemory predicate: @autoclosure () -> some CustomStringConvertible) {
    if SQLiteLogging.isOn {
      RequestLines.current.add(uniqueAnnotation: "evaluating in memory: \(predicate())")
    }
  }
}
