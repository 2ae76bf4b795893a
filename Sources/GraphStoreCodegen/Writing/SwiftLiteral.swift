/// Texts as literals of Swift.
enum SwiftLiteral {
  /// A text in quotes.
  static func text(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case _ where scalar.properties.generalCategory == .control:
        literal += "\\u{\(String(scalar.value, radix: 16))}"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal + "\""
  }

  /// The number signs around a raw text of several lines: more than the text itself has behind a quote or a backslash.
  static func fence(for text: String) -> String {
    var longest = 0
    var run = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): run = 1
      case UInt8(ascii: "#") where run > 0: run += 1
      default: run = 0
      }
      longest = max(longest, run)
    }
    return String(repeating: "#", count: max(longest, 1))
  }
}
