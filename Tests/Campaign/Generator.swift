/// Random numbers of one case: the same seed, search and number give the same case on every machine.
struct Generator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64, search: String, number: Int) {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in search.utf8 { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    self.state = state ^ (seed &* 0x9E37_79B9_7F4A_7C15) ^ (UInt64(number) &* 0xD134_2543_DE82_EF95)
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, but not including, the bound.
  mutating func below(_ bound: Int) -> Int { bound <= 1 ? 0 : Int.random(in: 0..<bound, using: &self) }

  /// True once in so many times.
  mutating func once(in times: Int) -> Bool { below(times) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
