/// Delimiter of the cells of CSV: a comma, or what programs write in its place.
struct CSVDelimiter: Equatable, Sendable {
  /// The byte between two cells.
  let byte: UInt8

  static let comma = CSVDelimiter(byte: UInt8(ascii: ","))
  /// What stands for the comma where a comma divides decimals, in what is copied out of tables, and in texts
  /// of databases.
  private static let alternatives = [UInt8(ascii: ";"), 0x09, UInt8(ascii: "|")].map(CSVDelimiter.init)
  private static let all = [comma] + alternatives
  /// How many rows are looked at.
  private static let mostRows = 16

  /// What divides the columns of a table by its header and the rows behind it: what the header has outside of
  /// quotes; of several that which all rows have as often, and of several of those the most frequent, a comma
  /// first. Nil of one column.
  ///
  /// - Parameter table: whole rows; decimal commas and signs in names of columns make single ones ambiguous.
  init?(dividing table: UnsafeBufferPointer<UInt8>) {
    let rows = unsafe Self.counts(table)
    guard let header = rows.first else { return nil }
    let candidates = Self.all.indices.filter { header[$0] > 0 }
    let regular = candidates.filter { place in rows.allSatisfy { $0[place] == header[place] } }
    let possible = regular.isEmpty ? candidates : regular
    guard let most = possible.map({ header[$0] }).max(),
      let found = possible.first(where: { header[$0] == most })
    else { return nil }
    self = Self.all[found]
  }

  init?(dividing header: String) {
    var header = header
    guard let found = header.withUTF8({ unsafe CSVDelimiter(dividing: $0) }) else { return nil }
    self = found
  }

  /// How often each may divide cells of the first rows that are not blank.
  private static func counts(_ table: UnsafeBufferPointer<UInt8>) -> [[Int]] {
    var rows: [[Int]] = []
    var row = [Int](repeating: 0, count: all.count)
    var (isQuoted, isBlank) = (false, true)
    func endRow() {
      if !isBlank { rows.append(row) }
      row = [Int](repeating: 0, count: all.count)
      isBlank = true
    }
    for index in table.indices where rows.count < mostRows {
      let byte = unsafe table[index]
      if byte == 0x0A, !isQuoted {
        endRow()
        continue
      }
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte != 0x0D { isBlank = false }
      if !isQuoted, let place = all.firstIndex(where: { $0.byte == byte }) { row[place] += 1 }
    }
    if rows.count < mostRows { endRow() }
    return rows
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
