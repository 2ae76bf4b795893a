import Foundation
import GraphStore
import GraphStoreReports

/// Progress bar of a long task on a terminal; elsewhere it shows nothing.
///
/// It redraws at most ten times a second, whatever it is told, and is wiped off at the end.
struct ProgressBar {
  private static let interval: UInt64 = 100_000_000
  private static let cells = 20

  private let title: String
  private let total: Int?
  private let terminal: TerminalInfo
  private let output: OutputBuffer
  private let began: UInt64
  private var drawn: UInt64 = 0
  private var isShown = false

  /// - Parameters:
  ///   - title: What is going on, such as `importing people.csv`.
  ///   - total: What `done` will be at the end, in any unit; nil if that is not known.
  init(title: String, total: Int?, terminal: TerminalInfo, descriptor: Int32 = 2) {
    self.init(
      title: title, total: total, terminal: terminal, output: OutputBuffer(descriptor: descriptor, path: nil))
  }

  init(title: String, total: Int?, terminal: TerminalInfo, output: OutputBuffer) {
    self.title = VisibleText.escape(title)
    self.total = total
    self.terminal = terminal
    self.output = output
    began = Self.now()
    drawn = began
  }

  /// Tells how much is done; cheap enough to call every few hundred rows.
  ///
  /// - Parameter rows: How many rows that were; nil for what has none.
  mutating func update(done: Int, rows: Int? = nil) {
    guard terminal.isTerminal else { return }
    let now = Self.now()
    guard now &- drawn >= Self.interval else { return }
    drawn = now
    draw(done: done, rows: rows, seconds: Double(now &- began) / 1e9)
  }

  /// Wipes the bar off.
  mutating func finish() {
    guard isShown else { return }
    isShown = false
    output.append("\r\u{1B}[K")
    // A bar that cannot be drawn is no reason to stop the work it shows.
    try? output.flush()
  }

  private mutating func draw(done: Int, rows: Int?, seconds: Double) {
    let line = Self.line(
      title: title, done: done, total: total, rows: rows, seconds: seconds, columns: terminal.columns ?? 80,
      isUTF8: terminal.isUTF8)
    output.append("\r" + line + "\u{1B}[K")
    try? output.flush()
    isShown = true
  }

  /// The bar as one line: title, bar, percent, rows, rows a second.
  static func line(
    title: String, done: Int, total: Int?, rows: Int?, seconds: Double, columns: Int, isUTF8: Bool
  ) -> String {
    var parts = [title]
    if let total, total > 0 {
      let share = min(1, max(0, Double(done) / Double(total)))
      let full = Int(share * Double(cells))
      let bar =
        String(repeating: isUTF8 ? "█" : "#", count: full)
        + String(repeating: isUTF8 ? "░" : ".", count: cells - full)
      let percent = "\(Int(share * 100))"
      parts.append(bar)
      parts.append(String(repeating: " ", count: 3 - percent.count) + percent + "%")
    }
    if let rows {
      parts.append("\(rows.grouped) rows")
      if seconds > 0 { parts.append("\(Int(min(Double(rows) / seconds, 1e15)).grouped)/s") }
    }
    return DisplayWidth.cut(parts.joined(separator: "  "), to: max(1, columns - 1))
  }

  private static func now() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
