/// Keys as ranges of consecutive ones, where those are long, and a list of the others.
///
/// The number of ranges has a limit, so that the statements do not grow with the keys.
package struct KeyListRanges {
  package static let shortest = 64
  package static let most = 64

  package private(set) var ranges: [ClosedRange<Int64>] = []
  package private(set) var others: [Int64] = []

  /// Takes keys in ascending order.
  package init(sorted keys: [Int64]) {
    var start = 0
    while start < keys.count {
      var end = start + 1
      while end < keys.count, keys[end] == keys[end - 1] + 1 { end += 1 }
      if end - start >= Self.shortest, ranges.count < Self.most {
        ranges.append(keys[start]...keys[end - 1])
      } else {
        others += keys[start..<end]
      }
      start = end
    }
  }
}
