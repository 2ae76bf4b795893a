/// A statement as a line of the SQL log: what SQLite is given, with runs of blanks made one.
enum StatementText {
  /// The statement in one line; what stands in quotes stays as it is, but for line breaks.
  static func line(_ sql: String) -> String {
    var line: [UInt8] = []
    line.reserveCapacity(sql.utf8.count)
    var quote: UInt8?
    for byte in sql.utf8 {
      let isBlank = byte == UInt8(ascii: " ") || (byte >= 9 && byte <= 13)
      if let open = quote {
        if byte == open { quote = nil }
        line.append(isBlank ? UInt8(ascii: " ") : byte)
        continue
      }
      if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { quote = byte }
      if !isBlank {
        line.append(byte)
      } else if line.last != UInt8(ascii: " "), !line.isEmpty {
        line.append(UInt8(ascii: " "))
      }
    }
    if line.last == UInt8(ascii: " ") { line.removeLast() }
    return String(decoding: line, as: UTF8.self)
  }

  /// Whether it changes rows, and may be run again for others.
  static func changesRows(_ line: String) -> Bool {
    ["INSERT ", "UPDATE ", "DELETE "].contains { line.hasPrefix($0) }
  }

  /// Whether one run of it is one of several rows, which are named: rows are listed in it, or keys bound.
  static func namesRows(_ line: String) -> Bool {
    line.hasPrefix("INSERT ") || line.contains("json_each(") || line.contains(">= ?1 AND ")
  }

  /// Whether it reads.
  static func reads(_ line: String) -> Bool { line.hasPrefix("SELECT ") || line.hasPrefix("WITH ") }

  /// The name behind the first FROM.
  static func table(_ line: String) -> String? {
    guard let from = line.firstRange(of: " FROM ") else { return nil }
    return String(line[from.upperBound...].prefix { $0 != " " }).replacing("\"", with: "")
  }
}
