/// Canonical Huffman code, defined by the lengths of its words.
struct HuffmanCode {
  /// The greatest length of a word.
  static let maximumLength = 15

  /// State of decoding a word.
  struct Decoding {
    fileprivate var word = 0
    fileprivate var first = 0
    fileprivate var index = 0
  }

  /// The number of words of each length.
  private var counts = [Int](repeating: 0, count: maximumLength + 1)
  /// The symbols in the order of their words.
  private var symbols: [UInt16]
  /// The number of free words of the greatest length; never negative.
  private let free: Int

  /// Makes the code; nil where the lengths leave no room for all words.
  init?(_ lengths: some Collection<UInt8>) {
    symbols = [UInt16](repeating: 0, count: lengths.count)
    for length in lengths { counts[Int(length)] += 1 }
    var free = 1
    for length in 1...Self.maximumLength {
      free = free << 1 - counts[length]
      if free < 0 { return nil }
    }
    self.free = free
    var starts = [Int](repeating: 0, count: Self.maximumLength + 1)
    for length in 1..<Self.maximumLength { starts[length + 1] = starts[length] + counts[length] }
    for (symbol, length) in lengths.enumerated() where length != 0 {
      symbols[starts[Int(length)]] = UInt16(symbol)
      starts[Int(length)] += 1
    }
  }

  /// Whether every sequence of bits begins with a word.
  var isComplete: Bool { free == 0 }

  /// Whether a stream may have the code: a code that is not complete has one word of one bit, or none.
  var isUsable: Bool { isComplete || counts[1...].reduce(0, +) <= 1 }

  /// The symbol whose word ends with a bit; nil where the word continues.
  func symbol(after bit: Int, length: Int, _ decoding: inout Decoding) -> Int? {
    decoding.word |= bit
    let count = counts[length]
    if decoding.word - count < decoding.first {
      return Int(symbols[decoding.index + (decoding.word - decoding.first)])
    }
    decoding.index += count
    decoding.first = (decoding.first + count) << 1
    decoding.word <<= 1
    return nil
  }
}

extension HuffmanCode {
  /// The code for literals and lengths of blocks without a code of their own.
  static let fixedLiterals = fixed((0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
  /// The code for distances of such blocks.
  static let fixedDistances = fixed([UInt8](repeating: 5, count: 32))

  private static func fixed(_ lengths: [UInt8]) -> HuffmanCode { HuffmanCode(lengths) ?? HuffmanCode() }

  private init() {
    symbols = []
    free = 1
  }
}
