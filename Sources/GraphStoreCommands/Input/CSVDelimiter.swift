/// Delimiter of the cells of CSV: a comma, or what programs write in its place.
struct CSVDelimiter: Equatable, Sendable {
  /// The byte between two cells.
  let byte: UInt8

  static let comma = CSVDelimiter(byte: UInt8(ascii: ","))
  /// What stands for the comma where a comma divides decimals, in what is copied out of tables, and in texts
  /// of databases.
  private static let alternatives = [UInt8(ascii: ";"), 0x09, UInt8(ascii: "|")].map(CSVDelimiter.init)

  /// What divides the columns of a header: a comma if it has one outside of quotes, else the alternative that
  /// it has most often, the first of several; nil of one column.
  init?(dividing header: UnsafeBufferPointer<UInt8>) {
    var counts = [Int](repeating: 0, count: 256)
    var isQuoted = false
    for index in unsafe header.indices {
      let byte = unsafe header[index]
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() } else if !isQuoted { counts[Int(byte)] += 1 }
    }
    guard counts[Int(Self.comma.byte)] == 0 else {
      self = .comma
      return
    }
    let most = Self.alternatives.map { counts[Int($0.byte)] }.max() ?? 0
    guard most > 0, let found = Self.alternatives.first(where: { counts[Int($0.byte)] == most }) else {
      return nil
    }
    self = found
  }

  init?(dividing header: String) {
    var header = header
    guard let found = unsafe header.withUTF8({ unsafe CSVDelimiter(dividing: $0) }) else { return nil }
    self = found
  }

  init(byte: UInt8) {
    self.byte = byte
  }

  /// The words for what divides cells.
  var words: String {
    switch byte {
    case UInt8(ascii: ","): "commas"
    case UInt8(ascii: ";"): "semicolons"
    case 0x09: "tabs"
    case UInt8(ascii: "|"): "bars"
    default: "'\(text)'"
    }
  }

  /// The delimiter itself.
  var text: String { String(Character(Unicode.Scalar(byte))) }

  /// What is given to `--delimiter`.
  var option: String { byte == 0x09 ? "\\t" : text }
}
