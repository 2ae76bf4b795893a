import CFloors
import GRDB

/// Ten integers as a struct that the compiler encodes and decodes.
struct CodableNumbers: Codable, FetchableRecord, PersistableRecord, NumbersReading, NumbersWriting {
  static let databaseTableName = "ZNUMBERS"

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

  enum CodingKeys: String, CodingKey {
    case key = "Z_PK"
    case entity = "Z_ENT"
    case version = "Z_OPT"
    case i0 = "ZI0"
    case i1 = "ZI1"
    case i2 = "ZI2"
    case i3 = "ZI3"
    case i4 = "ZI4"
    case i5 = "ZI5"
    case i6 = "ZI6"
    case i7 = "ZI7"
    case i8 = "ZI8"
    case i9 = "ZI9"
  }

  init(row number: Int64) {
    key = number
    entity = 5
    version = 1
    i0 = data_number(number, 0)
    i1 = data_number(number, 1)
    i2 = data_number(number, 2)
    i3 = data_number(number, 3)
    i4 = data_number(number, 4)
    i5 = data_number(number, 5)
    i6 = data_number(number, 6)
    i7 = data_number(number, 7)
    i8 = data_number(number, 8)
    i9 = data_number(number, 9)
  }
}
