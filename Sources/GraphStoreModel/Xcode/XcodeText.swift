import Foundation
import GraphStorePredicates

/// The texts that values have in a model of Xcode, and what they mean.
enum XcodeText {
  /// The words of attribute types.
  static let types: [String: AttributeType] = [
    "Integer 16": .int16, "Integer 32": .int32, "Integer 64": .int64, "Decimal": .decimal,
    "Double": .double, "Float": .float, "String": .string, "Boolean": .boolean, "Date": .date,
    "Binary": .binary, "UUID": .uuid, "URI": .uri, "Transformable": .transformable,
    "Composite": .composite, "Undefined": .undefined,
  ]

  private static let typeWords = Dictionary(uniqueKeysWithValues: types.map { ($1, $0) })

  /// The word of a type.
  static func word(_ type: AttributeType) -> String { typeWords[type] ?? "Undefined" }

  /// The words of delete rules.
  static let deleteRules: [String: DeleteRule] = [
    "Nullify": .nullify, "Cascade": .cascade, "Deny": .deny, "No Action": .noAction,
  ]

  /// The word of a delete rule.
  static func word(_ rule: DeleteRule) -> String {
    switch rule {
    case .nullify: "Nullify"
    case .cascade: "Cascade"
    case .deny: "Deny"
    case .noAction: "No Action"
    }
  }

  /// The numbers of result types.
  static let resultTypes: [String: FetchResultType] = [
    "0": .objects, "1": .ids, "2": .dictionaries, "4": .count,
  ]

  /// The number of a result type.
  static func word(_ type: FetchResultType) -> String {
    resultTypes.first { $0.value == type }?.key ?? "0"
  }

  /// The value of a boolean, nil for another text.
  static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "yes", "true", "1": true
    case "no", "false", "0": false
    default: nil
    }
  }

  /// The default or limit of an attribute that a text means, in its evident sense; nil when it has none.
  static func value(_ text: String, _ type: AttributeType) -> JSONValue? {
    switch type {
    case .int16, .int32, .int64, .decimal, .double, .float: number(text, type)
    case .boolean: (flag(text) ?? DecimalNumeral(text).map { $0.significand != 0 }).map { .bool($0) }
    case .string, .uuid, .uri: .string(text)
    case .date: DateText.seconds(from: text, zone: .required).flatMap(DateText.text(of:)).map { .string($0) }
    case .binary, .transformable, .composite, .undefined: nil
    }
  }

  /// Whether a text is of the kind that an attribute's values have, and needs no guess.
  static func says(_ text: String, _ type: AttributeType) -> Bool {
    if type.isNumber { return DecimalNumeral(text.trimmingCharacters(in: .whitespacesAndNewlines)) != nil }
    return type != .boolean || flag(text) != nil
  }

  private static func number(_ text: String, _ type: AttributeType) -> JSONValue? {
    let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let number = DecimalNumeral(word) else { return flag(word).map { .number($0 ? "1" : "0") } }
    if type.isInteger, let whole = number.wholeNumber { return .number(String(whole)) }
    if let node = try? JSONParser.parse(Array(word.utf8)), case .number = node.content {
      return .number(word)
    }
    guard number.omittedDigits == 0 else { return nil }
    let plain = number.canonical
    let power = plain.exponent == 0 ? "" : "e\(plain.exponent)"
    return .number("\(plain.isNegative ? "-" : "")\(plain.significand)\(power)")
  }

  /// The text of a default or limit; nil when Xcode's models have none for it.
  static func text(_ value: JSONValue?, _ type: AttributeType) -> String? {
    switch (value, type) {
    case (.number(let text), _) where type.isNumber: text
    case (.string(let text), .decimal), (.string(let text), .string), (.string(let text), .uuid),
      (.string(let text), .uri):
      text
    case (.bool(let flag), .boolean): flag ? "YES" : "NO"
    default: nil
    }
  }

  /// The date that seconds from 2001-01-01 00:00 UTC mean.
  static func date(_ text: String) -> JSONValue? {
    guard let seconds = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else { return nil }
    return DateText.text(of: seconds).map { .string($0) }
  }

  /// The seconds of a date.
  static func seconds(_ value: JSONValue?) -> String? {
    guard case .string(let text)? = value,
      let seconds = DateText.seconds(from: text, zone: .required)
    else { return nil }
    return Int64(exactly: seconds).map(String.init) ?? String(seconds)
  }

  /// A length or count.
  static func count(_ text: String) -> Int? {
    DecimalNumeral(text.trimmingCharacters(in: .whitespacesAndNewlines))?.wholeNumber.flatMap {
      Int(exactly: $0)
    }
  }

  /// The name of a class without its module; nil for the plain class of all objects.
  static func className(_ text: String) -> String? {
    let name = text.split(separator: ".").last.map(String.init) ?? ""
    return name.isEmpty || name == "NSManagedObject" ? nil : name
  }

  /// The name that a composite has where none is specified: the attribute's with a capital.
  static func compositeName(_ attribute: String) -> String {
    attribute.prefix(1).uppercased() + attribute.dropFirst()
  }

  /// The type that an expression of an index most likely has.
  static func expressionType(_ expression: String) -> String {
    let words = ["lowercase", "uppercase", "canonical", "normalize"]
    if words.contains(where: { expression.contains($0) }) { return "String" }
    return expression.contains("length") || expression.contains("@count") ? "Integer 64" : "Double"
  }
}
