/// A set of property numbers.
struct PropertySet: Hashable {
  private var low: UInt64 = 0
  private var high: [UInt64] = []

  var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

  func contains(_ number: Int) -> Bool {
    if number < 64 { return low >> UInt64(number) & 1 == 1 }
    let word = number / 64 - 1
    return word < high.count && high[word] >> UInt64(number & 63) & 1 == 1
  }

  /// Calls a body with each number, in ascending order.
  @inline(__always)
  func forEach(_ body: (Int) -> Void) {
    Self.forEach(of: low, from: 0, body)
    for (position, word) in high.enumerated() { Self.forEach(of: word, from: (position + 1) * 64, body) }
  }

  @inline(__always)
  private static func forEach(of word: UInt64, from first: Int, _ body: (Int) -> Void) {
    var left = word
    while left != 0 {
      body(first + left.trailingZeroBitCount)
      left &= left - 1
    }
  }

  mutating func insert(_ number: Int) {
    if number < 64 {
      low |= 1 << UInt64(number)
      return
    }
    let word = number / 64 - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << UInt64(number & 63)
  }

  func union(_ other: PropertySet) -> PropertySet {
    var union = self
    other.forEach { union.insert($0) }
    return union
  }

  func subtracting(_ other: PropertySet) -> PropertySet {
    var rest = self
    other.forEach { rest.remove($0) }
    return rest
  }

  mutating func remove(_ number: Int) {
    if number < 64 {
      low &= ~(1 << UInt64(number))
    } else if number / 64 - 1 < high.count {
      high[number / 64 - 1] &= ~(1 << UInt64(number & 63))
    }
  }
}
