import GRDB

/// A peer's record of ten integers.
protocol NumbersReading: FetchableRecord, DigestReading {
  var i0: Int64 { get }
  var i1: Int64 { get }
  var i2: Int64 { get }
  var i3: Int64 { get set }
  var i4: Int64 { get }
  var i5: Int64 { get }
  var i6: Int64 { get }
  var i7: Int64 { get }
  var i8: Int64 { get }
  var i9: Int64 { get }
}

extension NumbersReading {
  static var table: String { "ZNUMBERS" }
  static var columns: String { "ZI0, ZI1, ZI2, ZI3, ZI4, ZI5, ZI6, ZI7, ZI8, ZI9" }
  var digest: Int64 { i0 + i1 + i2 + i3 + i4 + i5 + i6 + i7 + i8 + i9 }
}

/// A record of ten integers that can be made for a row of the data and inserted.
protocol NumbersWriting: PersistableRecord {
  init(row number: Int64)
}
