/// Changes to bytes and texts such as a broken program, a careless editor or an adversary makes.
enum Mutation {
  /// Changes bytes in one or a few places.
  static func mutate(_ bytes: inout [UInt8], words: [String] = [], with random: inout Generator) {
    for _ in 0...random.below(3) {
      let place = random.below(bytes.count + 1)
      switch random.below(8) {
      case 0 where place < bytes.count: bytes[place] ^= 1 << random.below(8)
      case 1 where place < bytes.count: bytes[place] = UInt8(random.below(256))
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(8)))
      case 3:
        let piece = bytes[place..<min(bytes.count, place + 1 + random.below(40))]
        bytes.insert(contentsOf: piece, at: random.below(bytes.count + 1))
      case 4: bytes.removeSubrange(place...)
      case 5: bytes.insert(contentsOf: random.bytes(1 + random.below(4)), at: place)
      default:
        let words = words.isEmpty ? strange : words
        bytes.insert(
          contentsOf: Array((random.once(in: 3) ? random.pick(strange) : random.pick(words)).utf8), at: place)
      }
    }
  }

  static func mutated(_ text: String, words: [String] = [], with random: inout Generator) -> [UInt8] {
    var bytes = Array(text.utf8)
    mutate(&bytes, words: words, with: &random)
    return bytes
  }

  /// Pieces of text that programs are often wrong about.
  static let strange = [
    "\u{0}", "\u{1B}[31m", "\u{FEFF}", "\u{202E}", "\u{301}", "\r\n", "\r", "\n\n", "\t", "\"", "'", "\\",
    "`", "%@", "%K",
    "$x", "{", "}", "[", "]", "(", ")", ",", ":", ";", "-", "--", "=", "+=", "?=", ":=", "@", "@count",
    "SELF", "nil", "NULL",
    "0", "-1", "1e400", "0x10", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "1e-400", "NaN",
    "Infinity", "true", "\u{1F468}\u{200D}\u{1F469}", "ß", "İ", "\u{10FFFF}", "\\ud800", "\\u0000", "../..",
    "/dev/null",
    "((((((((((((((((((((((((((((((((", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
  ]
}
