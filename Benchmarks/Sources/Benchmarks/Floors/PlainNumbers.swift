import CFloors

/// Ten integers as an object of plain Swift.
final class PlainNumbers {
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

  init(row number: Int64) {
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

  var digest: Int64 { i0 + i1 + i2 + i3 + i4 + i5 + i6 + i7 + i8 + i9 }
}
