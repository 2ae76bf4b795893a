import Foundation
import GraphStore

/// Finest class that a value belongs to; types of attributes are chosen by the classes of all values.
enum ValueClass: CaseIterable {
  case boolean
  /// A whole number of 64 bits.
  case integer
  /// A whole number that needs more than 64 bits.
  case largeInteger
  /// A number with exactly two digits behind the point, as amounts of money have them.
  case amount
  /// Any other number with a fraction or an exponent.
  case fraction
  case date
  case uuid
  case uri
  /// The id of an object as an export writes it: `Employee/p12`.
  case reference
  case text
  case data
  case list
  case object

  /// Whether values of the class are numbers.
  var isNumber: Bool { [.integer, .largeInteger, .amount, .fraction].contains(self) }

  /// What values of the class are called.
  var words: String {
    switch self {
    case .boolean: "true or false"
    case .integer: "whole numbers"
    case .largeInteger: "whole numbers of more than 64 bits"
    case .amount: "amounts with two decimals"
    case .fraction: "numbers with a fraction"
    case .date: "dates of ISO 8601"
    case .uuid: "UUIDs"
    case .uri: "URIs"
    case .reference: "ids of objects"
    case .text: "texts"
    case .data: "bytes"
    case .list: "lists"
    case .object: "objects"
    }
  }

  /// The class of a value; nil where there is none.
  init?(of value: SampleValue) {
    switch value {
    case .null: return nil
    case .bool: self = .boolean
    case .number(let text): self = Self.number(text) ?? .text
    case .string(let text): self = Self.markedText(text) ?? (Self.number(text) == .amount ? .amount : .text)
    case .cell(let text):
      self = Self.isBoolean(text) ? .boolean : Self.number(text) ?? Self.markedText(text) ?? .text
    case .data: self = .data
    case .list: self = .list
    case .object: self = .object
    }
  }

  private static func isBoolean(_ text: String) -> Bool {
    text.utf8.count < 6 && ["true", "false"].contains(text.lowercased())
  }

  /// The class of a number in its plain form; nil for what is none, such as `007`, which would lose its
  /// zeros.
  private static func number(_ text: String) -> ValueClass? {
    var digits = text.utf8[...]
    if digits.first == UInt8(ascii: "-") { digits = digits.dropFirst() }
    guard let first = digits.first, isDigit(first) else { return nil }
    let whole = digits.prefix(while: isDigit)
    if whole.count > 1, first == UInt8(ascii: "0") { return nil }
    digits = digits.dropFirst(whole.count)
    if digits.isEmpty { return Int64(text) != nil ? .integer : whole.count <= 38 ? .largeInteger : nil }
    var decimals = 0
    if digits.first == UInt8(ascii: ".") {
      decimals = digits.dropFirst().prefix(while: isDigit).count
      guard decimals > 0 else { return nil }
      digits = digits.dropFirst(1 + decimals)
    }
    if digits.isEmpty, decimals == 2, whole.count <= 36 { return .amount }
    guard digits.isEmpty || isExponent(digits), let value = Double(text), value.isFinite else { return nil }
    return .fraction
  }

  private static func isExponent(_ bytes: Substring.UTF8View) -> Bool {
    guard bytes.first.map({ $0 | 0x20 == UInt8(ascii: "e") }) == true else { return false }
    var digits = bytes.dropFirst()
    if let sign = digits.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      digits = digits.dropFirst()
    }
    return !digits.isEmpty && digits.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// The class of a text whose form tells what it is.
  private static func markedText(_ text: String) -> ValueClass? {
    let bytes = text.utf8
    guard let first = bytes.first else { return nil }
    if isDigit(first), bytes.count >= 10, isDate(text) { return .date }
    if bytes.count == 36, UUID(uuidString: text) != nil { return .uuid }
    if isReference(text) { return .reference }
    return isURI(text) ? .uri : nil
  }

  /// Whether a text is a date of ISO 8601 with year, month and day.
  private static func isDate(_ text: String) -> Bool {
    let bytes = Array(text.utf8.prefix(10))
    guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return false }
    return DateText.seconds(from: text) != nil
  }

  private static func isURI(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let scheme = text[..<colon].lowercased()
    let rest = text[colon...].dropFirst()
    guard rest.hasPrefix("//") ? rest.utf8.count > 2 : ["mailto", "urn", "tel"].contains(scheme),
      !rest.isEmpty, let first = scheme.utf8.first, (0x61...0x7A).contains(first),
      scheme.utf8.allSatisfy({ (0x61...0x7A).contains($0) || isDigit($0) || "+-.".utf8.contains($0) })
    else { return false }
    return URL(string: text, encodingInvalidCharacters: false) != nil
  }

  private static func isReference(_ text: String) -> Bool { objectName(ofReference: text) != nil }

  /// The entity that an id names.
  static func objectName(ofReference text: String) -> Substring? {
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    let number = text[slash...].dropFirst()
    guard number.utf8.first == UInt8(ascii: "p"), number.utf8.count > 1,
      number.utf8.dropFirst().allSatisfy(isDigit), PropertyNames.isIdentifier(text[..<slash])
    else { return nil }
    return text[..<slash]
  }
}
