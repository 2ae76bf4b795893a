/// Runs a workload's contenders in turn, so that a machine's noise touches all of them alike.
struct Runner {
  /// Replaces the number of runs of every workload.
  let runs: Int?
  /// Only contenders whose name begins so are run, for profiling one of them.
  let contender: String

  func measure(_ workload: Workload) throws -> [Measurement] {
    let expected = try workload.expected()
    let contenders = try workload.contenders().filter { $0.name.hasPrefix(contender) }
    var measurements = contenders.map { Measurement(name: $0.name, side: $0.side) }
    // The first round warms files and caches and is not counted.
    for round in 0...(runs ?? workload.runs) {
      for (index, contender) in contenders.enumerated() {
        try contender.prepare()
        let clock = ContinuousClock()
        let duration = try clock.measure { try contender.work() }
        let answer = try contender.answer()
        guard answer == expected else {
          throw BenchmarkError(
            "\(workload.id): \(contender.name) answered \(answer) where \(expected) was expected")
        }
        guard round > 0 else { continue }
        measurements[index].seconds.append(contender.amount ?? duration / .seconds(1))
        if let peak = contender.peakBytes {
          measurements[index].peakBytes = max(peak, measurements[index].peakBytes ?? 0)
        }
      }
    }
    return measurements
  }
}
