import CFloors
import GRDB

/// Ten integers as an object that tracks its changes.
final class RecordNumbers: Record, NumbersReading, NumbersWriting {
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

  override class var databaseTableName: String { "ZNUMBERS" }

  required init(row number: Int64) {
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
    super.init()
  }

  required init(row: Row) throws {
    key = row["Z_PK"]
    entity = row["Z_ENT"]
    version = row["Z_OPT"]
    i0 = row["ZI0"]
    i1 = row["ZI1"]
    i2 = row["ZI2"]
    i3 = row["ZI3"]
    i4 = row["ZI4"]
    i5 = row["ZI5"]
    i6 = row["ZI6"]
    i7 = row["ZI7"]
    i8 = row["ZI8"]
    i9 = row["ZI9"]
    try super.init(row: row)
  }

  override func encode(to container: inout PersistenceContainer) throws {
    container["Z_PK"] = key
    container["Z_ENT"] = entity
    container["Z_OPT"] = version
    container["ZI0"] = i0
    container["ZI1"] = i1
    container["ZI2"] = i2
    container["ZI3"] = i3
    container["ZI4"] = i4
    container["ZI5"] = i5
    container["ZI6"] = i6
    container["ZI7"] = i7
    container["ZI8"] = i8
    container["ZI9"] = i9
  }
}
