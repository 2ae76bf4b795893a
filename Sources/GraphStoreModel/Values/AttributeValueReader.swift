import Foundation
import GraphStorePredicates

/// Parser of text and JSON into values of an attribute type.
struct AttributeValueReader {
  let type: AttributeType
  /// The meaning of a time without zone.
  var zone = DateText.Zone.utcWhenAbsent
  /// Whether messages show the value in quotes, as a text.
  private var isText = true

  init(type: AttributeType, zone: DateText.Zone = .utcWhenAbsent) {
    (self.type, self.zone) = (type, zone)
  }

  typealias Failure = ValueConversionError

  /// The value of a text as written in a command, a CSV file or a JSON string.
  func value(fromText text: String) throws(Failure) -> Value {
    switch type {
    case .int16, .int32, .int64: return .int(try integer(text))
    case .decimal: return .decimal(try decimal(text))
    case .double, .float: return .double(try double(text))
    case .string: return .string(text)
    case .boolean: return .bool(try boolean(text))
    case .date: return .date(try date(text))
    case .uuid:
      guard let uuid = UUID(uuidString: text) else { throw failure(text, "a UUID") }
      return .uuid(uuid)
    case .uri:
      guard let url = URL(string: text, encodingInvalidCharacters: false) else {
        throw failure(text, "a URI")
      }
      return .uri(url)
    case .binary, .transformable:
      guard let data = Data(base64Encoded: text) else { throw failure(text, "bytes in Base64") }
      return .data(data)
    case .composite, .undefined:
      throw Failure(
        code: .type, value: text, message: "A value of type \(type.rawValue) cannot be read from text.")
    }
  }

  /// The value of JSON as written in data: numbers, booleans and strings of the type's text.
  func value(fromJSON json: JSONValue) throws(Failure) -> Value {
    switch json {
    case .null: return .null
    case .string(let text): return try value(fromText: text)
    case .number(let text): return try unquoted.value(fromNumber: text)
    case .bool(let flag):
      guard type == .boolean else { throw unquoted.failure(flag ? "true" : "false", expected) }
      return .bool(flag)
    case .array, .object: throw unquoted.failure(JSONWriter.text(json), expected)
    }
  }

  /// The reader for values that are no texts.
  private var unquoted: AttributeValueReader {
    var reader = self
    reader.isText = false
    return reader
  }

  /// The value of a default or limit in a model file, which has one form for each type.
  func value(fromModel json: JSONValue) throws(Failure) -> Value {
    switch (json, type) {
    case (.number(let text), .int16), (.number(let text), .int32), (.number(let text), .int64),
      (.number(let text), .decimal), (.number(let text), .double), (.number(let text), .float),
      (.string(let text), .decimal), (.string(let text), .string), (.string(let text), .date),
      (.string(let text), .uuid), (.string(let text), .uri), (.string(let text), .binary):
      return try value(fromText: text)
    case (.bool(let flag), .boolean): return .bool(flag)
    default:
      throw Failure(
        code: .type, value: JSONWriter.text(json),
        message: "For the type \(type.rawValue) this is written as \(modelForm), not as \(json.typeName).")
    }
  }

  private func value(fromNumber text: String) throws(Failure) -> Value {
    switch type {
    case .int16, .int32, .int64, .decimal, .double, .float: return try value(fromText: text)
    case .boolean:
      guard let number = DecimalNumeral(text)?.wholeNumber, number == 0 || number == 1 else {
        throw failure(text, expected)
      }
      return .bool(number == 1)
    case .date:
      if let date = Self.dateBeyondText(text) { return .date(date) }
      throw Failure(
        code: .type, value: text, message: "\(text) is a number, and nothing says from when it counts.",
        hint: "Write dates in ISO 8601, such as \"2024-01-31T12:00:00Z\".")
    default: throw failure(text, expected)
    }
  }

  private func integer(_ text: String) throws(Failure) -> Int64 {
    guard let number = DecimalNumeral(text) else { throw failure(text, expected) }
    guard number.isWhole else {
      throw Failure(code: .type, value: text, message: "\(quote(text)) is not a whole number.")
    }
    guard let value = number.wholeNumber, let range = type.integerRange, range.contains(value) else {
      throw outOfRange(text)
    }
    return value
  }

  private func decimal(_ text: String) throws(Failure) -> Decimal {
    guard let number = DecimalNumeral(text) else { throw failure(text, expected) }
    guard number.digitCount <= DecimalNumeral.maximumDigits, let value = number.decimal else {
      throw Failure(
        code: .outOfRange, value: text,
        message: "\(quote(text)) has more than 38 digits or an exponent beyond -128 to 127.")
    }
    return value
  }

  private func double(_ text: String) throws(Failure) -> Double {
    let isWord = ["inf", "infinity", "-inf", "-infinity"].contains(text.lowercased())
    guard let value = Double(text), isWord || DecimalNumeral(text) != nil else {
      throw failure(text, expected)
    }
    guard type == .float else {
      if value.isInfinite, !isWord { throw outOfRange(text) }
      return value
    }
    let single = Float(text) ?? Float(value)
    if single.isInfinite, !isWord { throw outOfRange(text) }
    return Double(single)
  }

  private func boolean(_ text: String) throws(Failure) -> Bool {
    switch text.lowercased() {
    case "true", "yes", "1": return true
    case "false", "no", "0": return false
    default: throw failure(text, expected)
    }
  }

  private func date(_ text: String) throws(Failure) -> Date {
    guard let seconds = DateText.seconds(from: text, zone: zone) else {
      if let date = Self.dateBeyondText(text) { return date }
      throw failure(text, expected)
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  /// A date that no text can say, which is written as its seconds since the beginning of 2001: a number so
  /// far from 0 that it is nothing else.
  private static func dateBeyondText(_ text: String) -> Date? {
    guard let seconds = Double(text), seconds.isFinite, !DateText.range.contains(seconds) else { return nil }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private func failure(_ text: String, _ expected: String) -> Failure {
    Failure(code: .type, value: text, message: "\(quote(text)) is not \(expected).")
  }

  private func outOfRange(_ text: String) -> Failure {
    let bounds =
      type.integerRange.map { " (\($0.lowerBound) to \($0.upperBound))" } ?? ""
    return Failure(
      code: .outOfRange, value: text,
      message: "\(quote(text)) is outside the range of \(type.rawValue)\(bounds).")
  }

  /// A value as messages show it: at most 80 characters, a text in quotes.
  private func quote(_ text: String) -> String {
    let shown = text.count > 80 ? "\(text.prefix(80))…" : text
    return isText ? "\"\(shown)\"" : shown
  }

  private var expected: String {
    switch type {
    case .int16, .int32, .int64: "a whole number"
    case .decimal, .double, .float: "a number"
    case .string: "a string"
    case .boolean: "true or false"
    case .date: zone == .required ? "a date in ISO 8601 with its zone" : "a date in ISO 8601"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .binary, .transformable: "bytes in Base64"
    case .composite, .undefined: "a value of type \(type.rawValue)"
    }
  }

  private var modelForm: String {
    switch type {
    case .int16, .int32, .int64, .double, .float: "a number"
    case .decimal: "a number or a string"
    case .boolean: "true or false"
    case .date: "a string in ISO 8601"
    case .string, .uuid, .uri: "a string"
    case .binary: "a string in Base64"
    case .transformable, .composite, .undefined: "nothing"
    }
  }
}
