/// The escapes of string literals, read and written.
enum StringLiteral {
  /// The length of the escape at a backslash; nil when it is a `\u` without a scalar. A backslash before any
  /// other character is literal and has length 1.
  static func escapeLength(_ bytes: [UInt8], at offset: Int) -> Int? {
    guard offset + 1 < bytes.count else { return 1 }
    switch bytes[offset + 1] {
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "n"), UInt8(ascii: "r"),
      UInt8(ascii: "t"):
      return 2
    case UInt8(ascii: "u"):
      return unicodeEscape(bytes, at: offset)?.length
    default:
      return 1
    }
  }

  private static func unicodeEscape(
    _ bytes: [UInt8], at offset: Int
  ) -> (scalar: Unicode.Scalar, length: Int)? {
    var index = offset + 2
    let isBraced = index < bytes.count && bytes[index] == UInt8(ascii: "{")
    if isBraced { index += 1 }
    var code: UInt32 = 0
    var digits = 0
    while index < bytes.count, digits < (isBraced ? 6 : 4), let digit = NumberLiteral.digit(bytes[index]) {
      code = code << 4 | UInt32(digit)
      digits += 1
      index += 1
    }
    if isBraced {
      guard digits > 0, index < bytes.count, bytes[index] == UInt8(ascii: "}") else { return nil }
      index += 1
    } else if digits < 4 {
      return nil
    }
    guard let scalar = Unicode.Scalar(code) else { return nil }
    return (scalar, index - offset)
  }

  /// The text of a literal between its quotes.
  static func decode(_ bytes: [UInt8], from start: Int, to end: Int, hasEscapes: Bool) -> String {
    guard hasEscapes else { return String(decoding: bytes[start..<end], as: UTF8.self) }
    var text: [UInt8] = []
    text.reserveCapacity(end - start)
    var index = start
    while index < end {
      guard bytes[index] == UInt8(ascii: "\\"), let length = escapeLength(bytes, at: index) else {
        text.append(bytes[index])
        index += 1
        continue
      }
      if length == 1 {
        text.append(bytes[index])
      } else if let escape = bytes[index + 1] == UInt8(ascii: "u") ? unicodeEscape(bytes, at: index) : nil {
        text.append(contentsOf: String(Character(escape.scalar)).utf8)
      } else {
        text.append(simpleEscape(bytes[index + 1]))
      }
      index += length
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func simpleEscape(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: byte
    }
  }

  /// Whether a scalar ends a line or changes the direction of text, so that the text after it is displayed
  /// differently.
  private static func turnsText(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Writes a text as a literal in double quotes; what cannot be seen in it is escaped.
  static func append(_ text: String, to output: inout String) {
    output.append("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": output.append("\\\\")
      case "\"": output.append("\\\"")
      case "\n": output.append("\\n")
      case "\r": output.append("\\r")
      case "\t": output.append("\\t")
      default:
        if scalar.properties.generalCategory == .control || turnsText(scalar) {
          output.append("\\u{\(String(scalar.value, radix: 16, uppercase: true))}")
        } else {
          output.unicodeScalars.append(scalar)
        }
      }
    }
    output.append("\"")
  }
}
