import GRDB

/// Ten integers as a struct that reads its row by position.
struct PositionalNumbers: FetchableRecord, NumbersReading {
  var key: Int64
  var entity: Int64
  var version: Int64
  var i0: Int64
  var i1: Int64
  var i2: Int64
  var i3: Int64
  var i4: Int64
  var i5: Int64
  var i6: Int64
  var i7: Int64
  var i8: Int64
  var i9: Int64

  init(row: Row) {
    key = row[0]
    entity = row[1]
    version = row[2]
    i0 = row[3]
    i1 = row[4]
    i2 = row[5]
    i3 = row[6]
    i4 = row[7]
    i5 = row[8]
    i6 = row[9]
    i7 = row[10]
    i8 = row[11]
    i9 = row[12]
  }
}
