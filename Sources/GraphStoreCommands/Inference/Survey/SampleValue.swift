import GraphStoreReports

/// Value of a record as the input has it, before a type is chosen for it.
enum SampleValue: Hashable {
  case null
  case bool(Bool)
  /// A number of JSON or of a database, as its text.
  case number(String)
  /// A string of JSON or of a database.
  case string(String)
  /// A cell of a table: text that may stand for anything.
  case cell(String)
  case data([UInt8])
  case list([SampleValue])
  case object([SampleMember])

  /// The text of a scalar, by which keys are compared; nil for all others.
  var keyText: String? {
    switch self {
    case .number(let text), .string(let text), .cell(let text): text
    case .null, .bool, .data, .list, .object: nil
    }
  }
}

extension SampleValue {
  /// Whether there is no value, or an object without any.
  var isVoid: Bool {
    switch self {
    case .null: true
    case .object(let members): members.allSatisfy(\.value.isVoid)
    case .bool, .number, .string, .cell, .data, .list: false
    }
  }
}

/// One named value of a record.
struct SampleMember: Hashable {
  var name: String
  var value: SampleValue
}

extension SampleValue {
  /// The members of a record.
  static func members(of record: Record) throws(JSONError) -> [SampleMember] {
    var members: [SampleMember] = []
    for index in unsafe record.fields.indices {
      let field = unsafe record.fields[index]
      members.append(SampleMember(name: record.name(field), value: try value(of: field, in: record)))
    }
    return members
  }

  private static func value(of field: Record.Field, in record: Record) throws(JSONError) -> SampleValue {
    switch field.kind {
    case .null: .null
    case .true: .bool(true)
    case .false: .bool(false)
    case .integer, .fraction: .number(record.text(field))
    case .string: .string(record.text(field))
    case .cell: .cell(record.text(field))
    case .array, .object: try unsafe value(record.bytes(field))
    }
  }

  private static func value(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONError) -> SampleValue {
    var reader = unsafe JSONReader(bytes)
    return try value(&reader)
  }

  /// The next value of a text, the members of its objects in the order in which they stand.
  private static func value(_ reader: inout JSONReader) throws(JSONError) -> SampleValue {
    switch try reader.peek() {
    case .null:
      try reader.null()
      return .null
    case .true, .false: return .bool(try reader.bool())
    case .number: return unsafe .number(String(decoding: reader.digits(try reader.number()), as: UTF8.self))
    case .string: return .string(reader.string(try reader.string()))
    case .array:
      var items: [SampleValue] = []
      try reader.beginArray()
      while try reader.nextElement() { items.append(try value(&reader)) }
      return .list(items)
    case .object:
      var members: [SampleMember] = []
      var names: Set<String> = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        let name = reader.string(key)
        guard names.insert(name).inserted else {
          throw JSONError(.duplicateKey, "the key \"\(name)\" is given twice", at: reader.position)
        }
        members.append(SampleMember(name: name, value: try value(&reader)))
      }
      return .object(members)
    }
  }
}
