import Foundation
import GraphStoreSQLite

/// Values of statements and rows as text of the SQL log (DGN-043 to DGN-046).
enum LoggedValueText {
  /// The members of a list that are shown.
  private static let listLimit = 20

  /// A bound value, with its type in front.
  ///
  /// - Parameter showsMembers: Whether a list shows its first members, and not their number alone.
  static func bound(_ value: SQLiteLoggedValue, showsMembers: Bool) -> String {
    switch value {
    case .null: "(null)NULL"
    case .integer(let number): "(int64)\(number)"
    case .double(let number): "(double)\(number)"
    case .timestamp: "(timestamp)\(text(value))"
    case .text: "(text)\(text(value))"
    case .list(let json): "(list)\(list(json, showsMembers: showsMembers))"
    case .blob: "(blob)\(text(value))"
    }
  }

  /// A value of a row.
  static func text(_ value: SQLiteLoggedValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .timestamp(let seconds): "\(seconds) (\(date(seconds)))"
    case .text(let text), .list(let text): escaped(SQLiteBindingText.quoted(text))
    case .blob(let count): "\(count) bytes"
    }
  }

  private static func date(_ seconds: Double) -> String {
    Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
  }

  private static func list(_ json: String, showsMembers: Bool) -> String {
    let count = json == "[]" ? 0 : SQLiteBindingText.count(json)
    guard showsMembers, count > 0 else { return "\(count) values" }
    let members = self.members(json)
    let rest = count > listLimit ? ", …" : ""
    return "\(count) values: \(members.joined(separator: ", "))\(rest)"
  }

  /// The first members of a list; those that stand in it by their bytes, as numbers with a fraction do, in
  /// that form.
  private static func members(_ json: String) -> [String] {
    let values = (try? JSONSerialization.jsonObject(with: Data(json.utf8))) as? [Any] ?? []
    return values.prefix(listLimit).map { value in
      (value as? String).map { text(.text($0)) } ?? "\(value)"
    }
  }

  /// Line breaks, which would be blanks in a line.
  private static func escaped(_ text: String) -> String {
    guard text.contains(where: \.isNewline) else { return text }
    return text.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}":
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
