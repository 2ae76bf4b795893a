/// Node of a JSON syntax tree, with its position in the text.
struct JSONNode: Sendable {
  /// One key of an object and its value.
  struct Member: Sendable {
    var key: String
    var keyOffset: Int
    var value: JSONNode
  }

  /// The kinds of value.
  enum Content: Sendable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONNode])
    case object([Member])
  }

  /// The offset of the first byte.
  var offset: Int
  var content: Content

  var typeName: String {
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
  var value: JSONValue {
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
