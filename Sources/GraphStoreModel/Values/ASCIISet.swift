/// A set of ASCII characters.
struct ASCIISet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  static let digits = Self(ranges: [0x30...0x39])
  static let wordCharacters = Self(ranges: [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let space = Self(ranges: [0x20...0x20])
  static let empty = Self(ranges: [])

  init(ranges: [ClosedRange<UInt8>]) {
    for range in ranges { insert(range) }
  }

  func contains(_ character: UInt8) -> Bool {
    (character < 64 ? low >> UInt64(character) : high >> UInt64(character & 63)) & 1 == 1
  }

  mutating func insert(_ range: ClosedRange<UInt8>) {
    for character in range {
      if character < 64 { low |= 1 << UInt64(character) } else { high |= 1 << UInt64(character & 63) }
    }
  }

  mutating func formUnion(_ other: Self) {
    low |= other.low
    high |= other.high
  }

  var inverted: Self {
    var set = self
    set.low = ~low
    set.high = ~high
    return set
  }
}
