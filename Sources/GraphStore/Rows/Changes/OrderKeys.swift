/// The order values of an ordered relationship's members: only their sequence counts, gaps are normal.
package enum OrderKeys {
  package static let first: Int64 = 2048
  package static let step: Int64 = 1024

  /// Values for members in their new order, of which some have one: stored values that still ascend are kept,
  /// new ones are assigned in the gaps; only where a gap is too small, or stored values do not ascend or are
  /// beyond what can be counted, all are assigned anew.
  package static func assign(_ stored: [Int64?]) -> [Int64] {
    var result: [Int64] = []
    result.reserveCapacity(stored.count)
    var last: Int64?
    var position = 0
    while position < stored.count {
      if let value = stored[position] {
        guard last.map({ $0 < value }) ?? true, StoredKey.orders.contains(value) else {
          return renumbered(stored.count)
        }
        result.append(value)
        last = value
        position += 1
        continue
      }
      let end = stored[position...].firstIndex { $0 != nil } ?? stored.count
      guard let filled = fill(end - position, after: last, before: end < stored.count ? stored[end] : nil)
      else {
        return renumbered(stored.count)
      }
      result += filled
      last = filled.last
      position = end
    }
    return result
  }

  private static func fill(_ count: Int, after: Int64?, before: Int64?) -> [Int64]? {
    guard let before else {
      let start = after.map { $0 + step } ?? first
      return (0..<Int64(count)).map { start + $0 * step }
    }
    let lower = after ?? before - step * Int64(count + 1)
    let gap = (before - lower) / Int64(count + 1)
    guard gap >= 1 else { return nil }
    return (1...Int64(count)).map { lower + $0 * gap }
  }

  private static func renumbered(_ count: Int) -> [Int64] {
    (0..<Int64(count)).map { first + $0 * step }
  }
}
