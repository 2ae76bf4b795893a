/// Bit-parallel automaton (Shift-And) for a regular expression that is a sequence of characters and classes
/// with quantifiers, such as `[^@]+@[^@]+`, matched as a whole over bytes.
///
/// All positions that the text may have reached are followed at once, one bit each. Only what means the same
/// to ICU is accepted; other expressions make no pattern, and texts beyond printable ASCII get no answer.
struct ASCIIPattern: Sendable {
  private static let maximumCount = 63

  /// By character: the positions that match it.
  private var accepting = [UInt64](repeating: 0, count: 128)
  /// Positions that may match more than one character.
  private var loops: UInt64 = 0
  /// Positions that may take none.
  private var skips: UInt64 = 0
  private var count = 0

  init?(_ expression: String) {
    var parser = ASCIIPatternParser(expression)
    while let item = parser.next() {
      for number in 0..<max(item.least, 1) {
        guard add(item.characters, isOptional: number >= item.least) else { return nil }
      }
      if let most = item.most {
        for _ in max(item.least, 1)..<max(most, 1) {
          guard add(item.characters, isOptional: true) else { return nil }
        }
      } else {
        loops |= 1 << UInt64(count - 1)
      }
    }
    guard parser.isAtEnd, count > 0 else { return nil }
  }

  private mutating func add(_ characters: ASCIISet, isOptional: Bool) -> Bool {
    guard count < Self.maximumCount else { return false }
    let bit = UInt64(1) << UInt64(count)
    for character in 0..<128 where characters.contains(UInt8(character)) { accepting[character] |= bit }
    if isOptional { skips |= bit }
    count += 1
    return true
  }

  /// Whether the whole text matches; nil for a text that has other characters than printable ASCII.
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool? {
    var reached = passing(1)
    for index in text.indices {
      let character = unsafe text[index]
      guard character >= 0x20, character < 0x7F else { return nil }
      let taken = reached & accepting[Int(character)]
      reached = passing(taken << 1 | taken & loops)
    }
    return reached >> UInt64(count) & 1 == 1
  }

  /// The positions with those behind them that are reached without taking a character.
  @inline(__always)
  private func passing(_ positions: UInt64) -> UInt64 {
    var positions = positions
    while true {
      let more = positions | (positions & skips) << 1
      if more == positions { return positions }
      positions = more
    }
  }
}

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
