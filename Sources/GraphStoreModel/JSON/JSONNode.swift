/// Node of a JSON syntax tree, with its position in the text.
package struct JSONNode: Sendable {
  /// One key of an object and its value.
  package struct Member: Sendable {
    package var key: String
    package var keyOffset: Int
    package var value: JSONNode
  }

  /// The kinds of value.
  package enum Content: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])
  }

  /// The offset of the first byte.
  package var offset: Int
  package var content: Content

  /// The name of the JSON type, as messages use it.
  package var typeName: String {
    switch content {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  /// The value without positions; of keys that repeat the last one stays.
  package var value: JSONValue {
    switch content {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .number(let text): .number(text)
    case .string(let text): .string(text)
    case .array(let items): .array(items.map(\.value))
    case .object(let members):
      .object(Dictionary(members.map { ($0.key, $0.value.value) }, uniquingKeysWith: { $1 }))
    }
  }
}
