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

  /// An object of its own with the values of another, as a cache would hand them out.
  @inline(never)
  init(copying other: PlainNumbers) {
    i0 = other.i0
    i1 = other.i1
    i2 = other.i2
    i3 = other.i3
    i4 = other.i4
    i5 = other.i5
    i6 = other.i6
    i7 = other.i7
    i8 = other.i8
    i9 = other.i9
  }

  var digest: Int64 { i0 + i1 + i2 + i3 + i4 + i5 + i6 + i7 + i8 + i9 }
}
