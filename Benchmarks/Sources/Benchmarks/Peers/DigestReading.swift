/// A peer's record whose values, all of them read, make one number.
protocol DigestReading {
  static var table: String { get }
  static var columns: String { get }
  var digest: Int64 { get }
}
