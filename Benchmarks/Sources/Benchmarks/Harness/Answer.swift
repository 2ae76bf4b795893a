/// What a contender found, so that a fast wrong answer fails: all contenders of a workload give the same.
struct Answer: Equatable, CustomStringConvertible {
  var count: Int64
  var first: Int64 = 0
  var last: Int64 = 0
  var sum: Int64 = 0

  var description: String { "count \(count), first \(first), last \(last), sum \(sum)" }
}
