/// A JSON value as a model file or an import holds it.
///
/// Numbers keep their text, so that a decimal never passes through binary floating point.
///
/// ```swift
/// var definition = model.copy()
/// definition.userInfo["owner"] = "Personnel"
/// definition.entities[0].userInfo["columns"] = ["name", "salary"]
/// ```
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, as the text it was written with.
  case number(String)
  /// A string.
  case string(String)
  /// A list.
  case array([JSONValue])
  /// An object; its keys have no order.
  case object([String: JSONValue])

  /// The name of the JSON type, as messages use it.
  public var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// Makes `null`.
  public init(nilLiteral: ()) { self = .null }
  /// Makes a boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes a whole number.
  public init(integerLiteral value: Int64) { self = .number(String(value)) }
  /// Makes a number from the shortest text of the literal's double.
  public init(floatLiteral value: Double) { self = .number("\(value)") }
  /// Makes a string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Makes a list.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Makes an object; of keys that repeat the last one stays.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { $1 }))
  }
}
