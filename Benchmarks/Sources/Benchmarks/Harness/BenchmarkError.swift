/// Why a benchmark stopped: a sentence for whoever started it.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
