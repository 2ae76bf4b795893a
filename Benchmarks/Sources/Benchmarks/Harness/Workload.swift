/// One row of the table: a piece of work, the answer it must give, and who does it.
struct Workload {
  enum Unit {
    case seconds
    /// Bytes of heap for each object.
    case bytes
  }

  let id: String
  let title: String
  let goal: String
  var runs = 7
  /// What the figures of the table count.
  var unit = Unit.seconds
  let expected: () throws -> Answer
  let contenders: () throws -> [any Contender]
}
