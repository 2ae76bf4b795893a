import Foundation

extension Value {
  /// The value as written in predicate text.
  public var literal: String {
    var text = ""
    appendLiteral(to: &text)
    return text
  }

  var isNegativeNumber: Bool {
    switch self {
    case .int(let value): value < 0
    case .double(let value): value.sign == .minus && value.isFinite
    case .decimal: literal.hasPrefix("-")
    default: false
    }
  }

  func appendLiteral(to text: inout String) {
    switch self {
    case .null: text += "nil"
    case .bool(let value): text += value ? "YES" : "NO"
    case .int(let value): text += String(value)
    case .double(let value): text += Self.literal(of: value)
    case .decimal(let value): text += Self.literal(of: value)
    case .string(let value): StringLiteral.append(value, to: &text)
    case .date(let value):
      text += "CAST(\(Self.literal(of: value.timeIntervalSinceReferenceDate)), \"NSDate\")"
    case .uuid(let value): text += "CAST(\"\(value.uuidString)\", \"NSUUID\")"
    case .uri(let value): appendCast(value.absoluteString, .uri, to: &text)
    case .data(let value): appendCast(value.base64EncodedString(), .data, to: &text)
    case .object(let value): appendCast(value.uriText, .objectID, to: &text)
    case .list(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += ", " }
        member.appendLiteral(to: &text)
      }
      text += "}"
    case .dictionary(let members):
      text += "{"
      let sorted = members.sorted { $0.key.precedesByScalars($1.key) }
      for (index, member) in sorted.enumerated() {
        if index > 0 { text += ", " }
        StringLiteral.append(member.key, to: &text)
        text += ": "
        member.value.appendLiteral(to: &text)
      }
      text += "}"
    }
  }

  private func appendCast(_ content: String, _ type: QueryCastType, to text: inout String) {
    text += "CAST("
    StringLiteral.append(content, to: &text)
    text += ", \"\(type.rawValue)\")"
  }

  private static func literal(of double: Double) -> String {
    if double.isFinite { return double.description }
    return "CAST(\"\(double.isNaN ? "nan" : double.description)\", \"Double\")"
  }

  private static func literal(of decimal: Decimal) -> String {
    let plain = decimal.description
    let magnitude = plain.hasPrefix("-") ? String(plain.dropFirst()) : plain
    let bytes = Array(magnitude.utf8)
    if !decimal.isNaN, case .decimal(let value) = NumberLiteral.value(bytes[...]), value == abs(decimal),
      plain == magnitude || NumberLiteral.negated(.decimal(value)) == .decimal(decimal)
    {
      return plain
    }
    return "CAST(\"\(plain)\", \"NSDecimalNumber\")"
  }
}
