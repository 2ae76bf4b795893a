import CFloors
import GraphStore

/// Ten integers as a managed object with typed accessors.
final class NumbersObject: ManagedObject {
  static let i0 = AttributeKey<NumbersObject, Int64>("i0")
  static let i1 = AttributeKey<NumbersObject, Int64>("i1")
  static let i2 = AttributeKey<NumbersObject, Int64>("i2")
  static let i3 = AttributeKey<NumbersObject, Int64>("i3")
  static let i4 = AttributeKey<NumbersObject, Int64>("i4")
  static let i5 = AttributeKey<NumbersObject, Int64>("i5")
  static let i6 = AttributeKey<NumbersObject, Int64>("i6")
  static let i7 = AttributeKey<NumbersObject, Int64>("i7")
  static let i8 = AttributeKey<NumbersObject, Int64>("i8")
  static let i9 = AttributeKey<NumbersObject, Int64>("i9")

  var i0: Int64 {
    get { self[Self.i0] ?? 0 }
    set { self[Self.i0] = newValue }
  }
  var i1: Int64 {
    get { self[Self.i1] ?? 0 }
    set { self[Self.i1] = newValue }
  }
  var i2: Int64 {
    get { self[Self.i2] ?? 0 }
    set { self[Self.i2] = newValue }
  }
  var i3: Int64 {
    get { self[Self.i3] ?? 0 }
    set { self[Self.i3] = newValue }
  }
  var i4: Int64 {
    get { self[Self.i4] ?? 0 }
    set { self[Self.i4] = newValue }
  }
  var i5: Int64 {
    get { self[Self.i5] ?? 0 }
    set { self[Self.i5] = newValue }
  }
  var i6: Int64 {
    get { self[Self.i6] ?? 0 }
    set { self[Self.i6] = newValue }
  }
  var i7: Int64 {
    get { self[Self.i7] ?? 0 }
    set { self[Self.i7] = newValue }
  }
  var i8: Int64 {
    get { self[Self.i8] ?? 0 }
    set { self[Self.i8] = newValue }
  }
  var i9: Int64 {
    get { self[Self.i9] ?? 0 }
    set { self[Self.i9] = newValue }
  }

  private static let names = (0...9).map { "i\($0)" }

  /// The digest, by key-value coding.
  func digestByKey() throws -> Int64 {
    var sum: Int64 = 0
    for name in Self.names { sum += try value(forKey: name) as? Int64 ?? 0 }
    return sum
  }

  /// Typed keys that are made of names while the program runs.
  struct ResolvedKeys {
    private let k0 = key(0)
    private let k1 = key(1)
    private let k2 = key(2)
    private let k3 = key(3)
    private let k4 = key(4)
    private let k5 = key(5)
    private let k6 = key(6)
    private let k7 = key(7)
    private let k8 = key(8)
    private let k9 = key(9)

    private static func key(_ number: Int) -> AttributeKey<NumbersObject, Int64> {
      AttributeKey(names[number])
    }

    /// The digest of an object by the keys.
    func digest(of object: NumbersObject) -> Int64 {
      var sum = object[k0] ?? 0
      sum += object[k1] ?? 0
      sum += object[k2] ?? 0
      sum += object[k3] ?? 0
      sum += object[k4] ?? 0
      sum += object[k5] ?? 0
      sum += object[k6] ?? 0
      sum += object[k7] ?? 0
      sum += object[k8] ?? 0
      sum += object[k9] ?? 0
      return sum
    }
  }

  var digest: Int64 { i0 + i1 + i2 + i3 + i4 + i5 + i6 + i7 + i8 + i9 }

  func fill(row number: Int64) {
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

  static func answer(_ objects: [NumbersObject]) -> Answer {
    var sum: Int64 = 0
    for object in objects { sum += object.digest }
    return Answer(
      count: Int64(objects.count), first: objects.first?.digest ?? 0, last: objects.last?.digest ?? 0,
      sum: sum)
  }
}
