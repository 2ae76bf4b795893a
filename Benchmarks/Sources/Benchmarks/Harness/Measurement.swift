/// The times of one contender, in seconds.
struct Measurement {
  let name: String
  let side: Side
  var seconds: [Double] = []
  var peakBytes: Int?

  var median: Double {
    let sorted = seconds.sorted()
    let middle = sorted.count / 2
    if sorted.isEmpty { return .nan }
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  var fastest: Double { seconds.min() ?? .nan }
}
