/// One row of the table: a piece of work, the answer it must give, and who does it.
struct Workload {
  enum Unit {
    case seconds
    /// Bytes of heap for each object.
    case bytes
  }

  /// A letter and a number; the parts of one row have a point and another number after it.
  let id: String
  let title: String
  let goal: String
  var runs = 7
  /// What the figures of the table count.
  var unit = Unit.seconds
  /// How many rows the work looks at, where their number a second is asked for.
  var rows: Int64?
  /// Whether the workload takes so long that it runs only where `BENCH` names it.
  var isLong = false
  let expected: () throws -> Answer
  let contenders: () throws -> [any Contender]

  /// The row that the workload is a part of.
  var group: String { String(id.prefix { $0 != "." }) }
}
