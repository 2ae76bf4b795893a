/// SHA-256 (FIPS 180-4), for hashes of models; the platform's Foundation has none.
package struct SHA256 {
  private static let constants: [UInt32] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  ]
  private static let blockSize = 64

  private typealias State = (UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32, UInt32)

  private var state: State = (
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
  )

  private init() {}

  /// The 32 bytes of the hash of some bytes.
  package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    let message = Array(bytes)
    let wholeBlocks = message.count / blockSize * blockSize
    let end = padded(message[wholeBlocks...], bitCount: UInt64(message.count) * 8)
    var hasher = SHA256()
    unsafe constants.withUnsafeBufferPointer { constants in
      unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: constants.count) { schedule in
        unsafe schedule.initialize(repeating: 0)
        unsafe message.withUnsafeBytes { unsafe hasher.add($0[..<wholeBlocks], constants, schedule) }
        unsafe end.withUnsafeBytes { unsafe hasher.add($0[...], constants, schedule) }
      }
    }
    return hasher.bytes
  }

  /// The last bytes of a message, filled up to whole blocks that end with its length.
  private static func padded(_ rest: ArraySlice<UInt8>, bitCount: UInt64) -> [UInt8] {
    var end: [UInt8] = []
    end.reserveCapacity(2 * blockSize)
    end.append(contentsOf: rest)
    end.append(0x80)
    let filled = (end.count + 8) % blockSize
    end.append(contentsOf: repeatElement(0, count: filled == 0 ? 0 : blockSize - filled))
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      end.append(UInt8(truncatingIfNeeded: bitCount >> shift))
    }
    return end
  }

  private var bytes: [UInt8] {
    let (a, b, c, d, e, f, g, h) = state
    var bytes: [UInt8] = []
    bytes.reserveCapacity(32)
    for word in [a, b, c, d, e, f, g, h] {
      for shift in stride(from: UInt32(24), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return bytes
  }

  private mutating func add(
    _ blocks: Slice<UnsafeRawBufferPointer>, _ constants: UnsafeBufferPointer<UInt32>,
    _ schedule: UnsafeMutableBufferPointer<UInt32>
  ) {
    for start in unsafe stride(from: 0, to: blocks.count, by: Self.blockSize) {
      unsafe add(
        UnsafeRawBufferPointer(rebasing: blocks[start..<start + Self.blockSize]), constants, schedule)
    }
  }

  private mutating func add(
    _ block: UnsafeRawBufferPointer, _ constants: UnsafeBufferPointer<UInt32>,
    _ schedule: UnsafeMutableBufferPointer<UInt32>
  ) {
    for position in 0..<16 {
      let word = unsafe block.loadUnaligned(fromByteOffset: position * 4, as: UInt32.self)
      unsafe schedule[position] = UInt32(bigEndian: word)
    }
    for position in 16..<64 {
      let early = unsafe schedule[position - 15]
      let late = unsafe schedule[position - 2]
      let first = early.rotated(7) ^ early.rotated(18) ^ (early >> 3)
      let second = late.rotated(17) ^ late.rotated(19) ^ (late >> 10)
      unsafe schedule[position] = unsafe schedule[position - 16] &+ first &+ schedule[position - 7] &+ second
    }
    var (a, b, c, d, e, f, g, h) = state
    for position in 0..<64 {
      let choice = (e & f) ^ (~e & g)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let low = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
      let high = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
      let first = unsafe h &+ low &+ choice &+ constants[position] &+ schedule[position]
      let second = high &+ majority
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    state.0 &+= a
    state.1 &+= b
    state.2 &+= c
    state.3 &+= d
    state.4 &+= e
    state.5 &+= f
    state.6 &+= g
    state.7 &+= h
  }
}

extension UInt32 {
  fileprivate func rotated(_ count: UInt32) -> UInt32 {
    self &>> count | self &<< (UInt32(Self.bitWidth) &- count)
  }
}
