import GraphStoreSQLite

/// Lists of constants as one parameter each (PRD-236): a JSON array, read by `json_each`.
///
/// Whole numbers and texts are in the array as themselves. Where JSON would not keep a value exactly
/// (doubles, texts with NUL, bytes) each member is a tagged text that a registered function turns back.
enum SQLiteListFunctions {
  static let itemName = "gs_item"

  static func install(on connection: SQLiteConnection) throws {
    try connection.register(function: itemName, argumentCount: 1) { arguments, result in
      guard arguments.type(at: 0) == .text else { return result.set(arguments.int64(at: 0)) }
      let text = unsafe arguments.text(at: 0)
      guard let tag = unsafe text.first else { return }
      let rest = unsafe text.dropFirst()
      switch tag {
      case 0x64:
        unsafe result.set(Double(bitPattern: rest.reduce(UInt64(0)) { $0 << 4 | UInt64(nibble($1)) }))
      case 0x74:
        unsafe bytes(rest).withUnsafeBufferPointer { unsafe result.set(text: $0) }
      default:
        unsafe bytes(rest).withUnsafeBytes { unsafe result.set(blob: $0) }
      }
    }
  }

  static func list(_ members: [SQLBinding]) -> SQLList {
    let isPlain = members.allSatisfy { member in
      switch member {
      case .integer: true
      case .text(let text): !text.utf8.contains(0)
      default: false
      }
    }
    var json = "["
    for (index, member) in members.enumerated() {
      if index > 0 { json += "," }
      append(member, isPlain: isPlain, to: &json)
    }
    json += "]"
    return SQLList(
      value: .binding(.text(json)),
      opening: isPlain ? "SELECT value FROM json_each(" : "SELECT \(itemName)(value) FROM json_each(",
      closing: ")")
  }

  private static func append(_ member: SQLBinding, isPlain: Bool, to json: inout String) {
    switch member {
    case .integer(let number): json += String(number)
    case .double(let number), .timestamp(let number):
      let digits = String(number.bitPattern, radix: 16)
      json += "\"d" + String(repeating: "0", count: 16 - digits.count) + digits + "\""
    case .text(let text):
      if isPlain {
        appendQuoted(text, to: &json)
      } else {
        json += "\"t" + hex(text.utf8) + "\""
      }
    case .blob(let bytes): json += "\"x" + hex(bytes) + "\""
    case .null: json += "null"
    }
  }

  private static func appendQuoted(_ text: String, to json: inout String) {
    json += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\u{0}"..."\u{1f}":
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    json += "\""
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }

  private static func nibble(_ digit: UInt8) -> UInt8 { digit > 0x39 ? digit &- 0x57 : digit &- 0x30 }

  private static func bytes(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    var bytes: [UInt8] = []
    unsafe bytes.reserveCapacity(text.count / 2)
    var high: UInt8?
    for index in unsafe text.indices {
      let digit = unsafe text[index]
      if let first = high {
        bytes.append(first << 4 | nibble(digit))
        high = nil
      } else {
        high = nibble(digit)
      }
    }
    return bytes
  }
}
