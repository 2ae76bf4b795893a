import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Values of attributes as the texts of elements (STO-067, STO-069, STO-070).
enum XMLStoreText {
  /// The text of a value that is no string.
  static func text(of value: Value, _ kind: SlotKind) -> String {
    switch value {
    case .null, .object, .list, .dictionary: ""
    case .bool(let flag): flag ? "1" : "0"
    case .int(let number): "\(number)"
    case .double(let number): kind == .float ? "\(Float(number))" : "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text): text
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let uri): uri.absoluteString
    case .data(let data): data.base64EncodedString()
    }
  }

  /// Whether XML can say every character of a text.
  static func isAllowed(_ text: String) -> Bool {
    var former: (UInt8, UInt8) = (0, 0)
    for byte in text.utf8 {
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D { return false }
      if byte >= 0xBE, former == (0xEF, 0xBF) { return false }
      former = (former.1, byte)
    }
    return true
  }

  /// Adds a text, in which what would be markup, or be lost, is a reference.
  static func escape(_ text: String, inAttribute: Bool = false, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): bytes += "&amp;".utf8
      case UInt8(ascii: "<"): bytes += "&lt;".utf8
      case UInt8(ascii: ">"): bytes += "&gt;".utf8
      case UInt8(ascii: "\"") where inAttribute: bytes += "&quot;".utf8
      case 0x0D: bytes += "&#13;".utf8
      default: bytes.append(byte)
      }
    }
  }

  // MARK: Reading

  /// The value of a text; nil for one of another type.
  ///
  /// - Parameter isBase64: Whether the text of a string is that of its bytes.
  static func value(_ text: String, _ property: PropertyLayout, isBase64: Bool) -> Value? {
    switch property.kind {
    case .string: isBase64 ? string(fromBase64: text) : .string(text)
    case .int16, .int32, .int64:
      Int64(trimmed(text)).flatMap { property.kind.holds($0) ? .int($0) : nil }
    case .boolean: boolean(trimmed(text))
    case .double: number(trimmed(text), Double.init)
    case .float: number(trimmed(text)) { Float($0).map(Double.init) }
    case .date:
      Double(trimmed(text)).flatMap { $0.isFinite ? .date(Date(timeIntervalSinceReferenceDate: $0)) : nil }
    case .uuid: UUID(uuidString: trimmed(text)).map { .uuid($0) }
    case .decimal, .uri: try? property.attribute?.value(fromText: trimmed(text))
    case .binary, .external, .transformable: data(text).map { .data($0) }
    case .toOne, .toMany, .none, .composite, .undefined: nil
    }
  }

  private static func trimmed(_ text: String) -> String {
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    guard let first = text.utf8.first, let last = text.utf8.last, isSpace(first) || isSpace(last) else {
      return text
    }
    return text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func boolean(_ text: String) -> Value? {
    switch text {
    case "1", "true": .bool(true)
    case "0", "false": .bool(false)
    default: nil
    }
  }

  /// A number, which is infinite only where the text says so.
  private static func number(_ text: String, _ read: (String) -> Double?) -> Value? {
    guard let number = read(text), !number.isNaN else { return nil }
    return number.isFinite || text.lowercased().contains("inf") ? .double(number) : nil
  }

  /// Bytes in Base64, in lines or not.
  static func data(_ text: String) -> Data? {
    Data(base64Encoded: text)
      ?? Data(base64Encoded: text.filter { !" \t\n\r".contains($0) && $0 != "\r\n" })
  }

  private static func string(fromBase64 text: String) -> Value? {
    data(text).flatMap { String(validating: $0, as: UTF8.self) }.map { .string($0) }
  }
}
