import Foundation

extension SQLiteDialect {
  /// A constant as it stands in the text of an index; nil where SQLite would not read back the very value.
  func literal(_ binding: SQLBinding) -> String? {
    switch binding {
    case .null: return "NULL"
    case .integer(let number): return String(number)
    case .double(let number):
      // SQLite reads numbers of up to 15 digits exactly.
      let text = String(format: "%.15g", number)
      guard number.isFinite, Double(text) == number else { return nil }
      return text.contains(where: { $0 == "." || $0 == "e" }) ? text : text + ".0"
    case .text(let text):
      guard !text.utf8.contains(0) else { return nil }
      return "'" + text.replacing("'", with: "''") + "'"
    case .blob(let bytes):
      let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
      return "X'" + digits.joined() + "'"
    }
  }
}
