/// Who does the work of a workload.
enum Side {
  case project
  case floor
  case peer
}

/// One way to do a workload's work. Only `work` is measured; it runs once after each `prepare`.
protocol Contender: AnyObject {
  var name: String { get }
  var side: Side { get }
  /// The most memory that the work held, in bytes: of a process of its own, or beyond what was held before.
  var peakBytes: Int? { get }
  /// What was counted instead of the time, in the workload's unit.
  var amount: Double? { get }
  func prepare() throws
  func work() throws
  /// Checked after every run, outside the measured time.
  func answer() throws -> Answer
}

extension Contender {
  var peakBytes: Int? { nil }
  var amount: Double? { nil }
  func prepare() throws {}
}
