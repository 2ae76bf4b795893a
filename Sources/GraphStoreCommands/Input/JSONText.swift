import GraphStore

/// Parser of JSON into a tree of values whose numbers keep their text.
enum JSONText {
  static func value(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
    let result = unsafe bytes.withUnsafeBufferPointer { buffer -> Result<JSONValue, JSONError> in
      Result { () throws(JSONError) in try unsafe value(buffer) }
    }
    return try result.get()
  }

  static func value(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> JSONValue {
    var reader = unsafe JSONReader(bytes)
    let value = try value(&reader)
    try reader.end()
    return value
  }

  /// The value of bytes that are known to be JSON; null of others.
  static func value(checked bytes: UnsafeBufferPointer<UInt8>) -> JSONValue {
    (try? unsafe value(bytes)) ?? .null
  }

  private static func value(_ reader: inout JSONReader) throws(JSONError) -> JSONValue {
    switch try reader.peek() {
    case .null:
      try reader.null()
      return .null
    case .true, .false: return .bool(try reader.bool())
    case .number: return unsafe .number(String(decoding: reader.digits(try reader.number()), as: UTF8.self))
    case .string: return .string(reader.string(try reader.string()))
    case .array:
      var items: [JSONValue] = []
      try reader.beginArray()
      while try reader.nextElement() { items.append(try value(&reader)) }
      return .array(items)
    case .object:
      var members: [String: JSONValue] = [:]
      try reader.beginObject()
      while let key = try reader.nextKey() {
        let name = reader.string(key)
        guard members[name] == nil else {
          throw JSONError(.duplicateKey, "the key \"\(name)\" is given twice", at: reader.position)
        }
        members[name] = try value(&reader)
      }
      return .object(members)
    }
  }
}

extension JSONValue {
  /// What a string, a number or a truth value says; nil of anything else.
  var scalarText: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .null, .array, .object: nil
    }
  }
}

extension JSONError {
  /// The place of the problem in the text that was read.
  func position(in bytes: [UInt8]) -> TextPosition {
    unsafe bytes.withUnsafeBufferPointer { unsafe position(in: $0) }
  }
}

extension Value {
  /// The value of JSON where no attribute says of which type it is to be.
  init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .number(let text): self = Int64(text).map { .int($0) } ?? .double(Double(text) ?? 0)
    case .string(let text): self = .string(text)
    case .array(let items): self = .list(items.map { Value($0) })
    case .object(let members): self = .dictionary(members.mapValues { Value($0) })
    }
  }
}
