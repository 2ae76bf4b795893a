import Foundation

/// An unsigned whole number of any size, as far as comparison needs it.
struct Magnitude {
  private var limbs: [UInt32] = []

  init(_ value: UInt128) {
    var rest = value
    while rest != 0 {
      limbs.append(UInt32(truncatingIfNeeded: rest))
      rest >>= 32
    }
  }

  mutating func multiply(by factor: UInt64, times: Int) {
    for _ in 0..<times {
      var carry: UInt64 = 0
      for index in limbs.indices {
        let product = UInt64(limbs[index]) * factor + carry
        limbs[index] = UInt32(truncatingIfNeeded: product)
        carry = product >> 32
      }
      if carry != 0 { limbs.append(UInt32(carry)) }
    }
  }

  func order(to other: Magnitude) -> ComparisonResult {
    if limbs.count != other.limbs.count {
      return limbs.count < other.limbs.count ? .orderedAscending : .orderedDescending
    }
    for index in limbs.indices.reversed() where limbs[index] != other.limbs[index] {
      return limbs[index] < other.limbs[index] ? .orderedAscending : .orderedDescending
    }
    return .orderedSame
  }
}
