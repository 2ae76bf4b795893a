import Foundation
import GraphStore
import GraphStoreReports
import GraphStoreSQLite

/// Measurement of one command, for `--time`: what it took, in SQLite and in all, and what it worked on.
struct CommandTiming {
  private let start = ContinuousClock.now
  private let sqlTime = StatementClock.time
  /// What the open store's counters had counted before; zeros where none was open.
  private let before: (statements: Int, objects: Int)

  /// Measures from now on.
  ///
  /// - Parameter coordinator: That of the open store; nil where none is open yet.
  init(_ coordinator: PersistentStoreCoordinator?) {
    let counters = coordinator?.counters
    before = (counters?.statements.total ?? 0, counters?.fetchedObjects ?? 0)
    StatementClock.start()
  }

  /// Ends the measurement.
  ///
  /// - Parameters:
  ///   - answering: How long the command has waited for answers, which is not its time.
  ///   - coordinator: That of the open store, whose work is counted; nil where none was opened.
  func report(answering: Duration, coordinator: PersistentStoreCoordinator?) -> TimingReport {
    StatementClock.stop()
    let counters = coordinator?.counters
    let total = ContinuousClock.now - start - answering
    return TimingReport(
      total: total, sqlite: min(total, StatementClock.time - sqlTime),
      statements: counters.map { $0.statements.total - before.statements },
      objects: counters.map { $0.fetchedObjects - before.objects }, peakBytes: Self.peakBytes)
  }

  /// The most memory that the process has held, where the system tells it.
  private static var peakBytes: Int? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return nil }
    return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }
}

/// What a command took, as a line for people or one JSON object.
struct TimingReport {
  let total: Duration
  let sqlite: Duration
  let statements: Int?
  let objects: Int?
  let peakBytes: Int?

  var text: String {
    var parts = ["\(total.millisecondsText) ms", "\(sqlite.millisecondsText) ms in SQLite"]
    if let statements { parts.append(statements == 1 ? "1 statement" : "\(statements) statements") }
    if let objects { parts.append(objects == 1 ? "1 object fetched" : "\(objects) objects fetched") }
    if let peakBytes { parts.append("\((peakBytes + 999_999) / 1_000_000) MB of memory at most") }
    return "time: " + parts.joined(separator: ", ")
  }

  /// Times are seconds.
  func write(to output: OutputBuffer) {
    var json = JSONBuilder(output)
    json.beginObject()
    json.key("time")
    json.value(total / .seconds(1))
    json.key("sqlite")
    json.value(sqlite / .seconds(1))
    for (key, value) in [("statements", statements), ("objects", objects), ("peakBytes", peakBytes)] {
      guard let value else { continue }
      json.key(key)
      json.value(value)
    }
    json.endObject()
  }
}
