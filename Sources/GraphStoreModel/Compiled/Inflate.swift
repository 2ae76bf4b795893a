/// Decoder of raw DEFLATE streams (RFC 1951), which neither the standard library nor Foundation offers on
/// Linux.
struct Inflate {
  /// Why a stream cannot be undone.
  enum Failure: Error {
    /// It ends too early.
    case truncated
    /// It is no stream, or a damaged one.
    case damaged
    /// Its content is longer than allowed.
    case tooLong
  }

  private let input: [UInt8]
  private let limit: Int
  private var position = 0
  private var bitBuffer: UInt32 = 0
  private var bitCount = 0
  private var output: [UInt8] = []

  /// The content of a stream; bytes after its end are passed over.
  ///
  /// - Parameter limit: The greatest length of the content, in bytes.
  static func content(of bytes: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    var inflate = Inflate(input: bytes, limit: limit)
    try inflate.run()
    return inflate.output
  }

  private init(input: [UInt8], limit: Int) {
    self.input = input
    self.limit = limit
  }

  private mutating func run() throws(Failure) {
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try copyStored()
      case 1: try decode(.fixedLiterals, .fixedDistances)
      case 2:
        let codes = try readCodes()
        try decode(codes.literals, codes.distances)
      default: throw .damaged
      }
    }
  }

  // MARK: Input

  private mutating func bits(_ count: Int) throws(Failure) -> Int {
    while bitCount < count {
      guard position < input.count else { throw .truncated }
      bitBuffer |= UInt32(input[position]) << UInt32(bitCount)
      position += 1
      bitCount += 8
    }
    let value = bitBuffer & (1 << UInt32(count) - 1)
    bitBuffer >>= UInt32(count)
    bitCount -= count
    return Int(value)
  }

  private mutating func symbol(_ code: HuffmanCode) throws(Failure) -> Int {
    var decoding = HuffmanCode.Decoding()
    for length in 1...HuffmanCode.maximumLength {
      let bit = try bits(1)
      if let symbol = code.symbol(after: bit, length: length, &decoding) { return symbol }
    }
    throw .damaged
  }

  // MARK: Blocks

  private mutating func copyStored() throws(Failure) {
    bitBuffer = 0
    bitCount = 0
    guard position + 4 <= input.count else { throw .truncated }
    let length = Int(input[position]) | Int(input[position + 1]) << 8
    let check = Int(input[position + 2]) | Int(input[position + 3]) << 8
    guard length == ~check & 0xFFFF else { throw .damaged }
    position += 4
    guard position + length <= input.count else { throw .truncated }
    guard output.count + length <= limit else { throw .tooLong }
    output += input[position..<position + length]
    position += length
  }

  private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

  private mutating func readCodes() throws(Failure) -> (literals: HuffmanCode, distances: HuffmanCode) {
    let literalCount = try bits(5) + 257
    let distanceCount = try bits(5) + 1
    let lengthCount = try bits(4) + 4
    guard literalCount <= 286, distanceCount <= 30 else { throw .damaged }
    var lengths = [UInt8](repeating: 0, count: 19)
    for place in Self.lengthOrder.prefix(lengthCount) { lengths[place] = UInt8(try bits(3)) }
    guard let lengthCode = HuffmanCode(lengths), lengthCode.isComplete else { throw .damaged }
    let all = try readLengths(literalCount + distanceCount, lengthCode)
    guard all[256] != 0, let literals = HuffmanCode(all[..<literalCount]),
      let distances = HuffmanCode(all[literalCount...]), literals.isUsable, distances.isUsable
    else { throw .damaged }
    return (literals, distances)
  }

  private mutating func readLengths(_ count: Int, _ code: HuffmanCode) throws(Failure) -> [UInt8] {
    var lengths: [UInt8] = []
    while lengths.count < count {
      let symbol = try symbol(code)
      var repeated: UInt8 = 0
      var times = 1
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw .damaged }
        repeated = last
        times = 3 + (try bits(2))
      case 17: times = 3 + (try bits(3))
      case 18: times = 11 + (try bits(7))
      default: repeated = UInt8(symbol)
      }
      guard lengths.count + times <= count else { throw .damaged }
      lengths += repeatElement(repeated, count: times)
    }
    return lengths
  }

  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
    227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distanceBases = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
    4097, 6145, 8193, 12289, 16385, 24577,
  ]
  private static let distanceBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
  ]

  private mutating func decode(_ literals: HuffmanCode, _ distances: HuffmanCode) throws(Failure) {
    while true {
      let symbol = try symbol(literals)
      if symbol < 256 {
        guard output.count < limit else { throw .tooLong }
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return }
      let step = symbol - 257
      guard step < Self.lengthBases.count else { throw .damaged }
      let length = Self.lengthBases[step] + (try bits(Self.lengthBits[step]))
      let place = try self.symbol(distances)
      guard place < Self.distanceBases.count else { throw .damaged }
      let distance = Self.distanceBases[place] + (try bits(Self.distanceBits[place]))
      guard distance <= output.count else { throw .damaged }
      guard output.count + length <= limit else { throw .tooLong }
      // The copy may reach into what it writes.
      for _ in 0..<length { output.append(output[output.count - distance]) }
    }
  }
}
