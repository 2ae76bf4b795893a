import GraphStore

/// Reads JSON as values whose numbers keep their text.
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
      while let key = try reader.nextKey() { members[reader.string(key)] = try value(&reader) }
      return .object(members)
    }
  }
}

extension JSONError {
  /// The place of the fault in the text that was read.
  func position(in bytes: [UInt8]) -> TextPosition {
    unsafe bytes.withUnsafeBufferPointer { unsafe position(in: $0) }
  }
}
