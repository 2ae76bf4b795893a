import Foundation

/// How large the rows of a million are: `ROWS_SCALE=0.1` makes them a tenth, for a quick look.
enum Scale {
  static func rows(_ full: Int64) -> Int64 {
    let scale = ProcessInfo.processInfo.environment["ROWS_SCALE"].flatMap { Double($0) } ?? 1
    return max(1, Int64(Double(full) * scale))
  }
}
