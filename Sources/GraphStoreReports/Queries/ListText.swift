import Foundation

/// List of key paths and expressions as it is written: commas separate, but not in brackets and quotes;
/// `as NAME` names one.
package struct ListText {
  /// One of the list.
  package struct Part: Equatable {
    /// The key path or expression.
    package var text: String
    /// Where it begins in the list, in UTF-8 bytes.
    var offset: Int
    /// The name behind `as`; nil where there is none.
    var name: String?
  }

  /// The parts, in their order.
  package let parts: [Part]

  /// Takes a list apart.
  package init(_ text: String) {
    var parts: [Part] = []
    let bytes = Array(text.utf8)
    var start = 0
    var depth = 0
    var quote: UInt8?
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      if let open = quote {
        if byte == UInt8(ascii: "\\") { position += 1 } else if byte == open { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): quote = byte
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        case UInt8(ascii: ",") where depth <= 0:
          parts.append(Self.part(bytes, start..<position))
          start = position + 1
        default: break
        }
      }
      position += 1
    }
    parts.append(Self.part(bytes, min(start, bytes.count)..<bytes.count))
    self.parts = parts
  }

  private static func part(_ bytes: [UInt8], _ range: Range<Int>) -> Part {
    let isBlank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == 0x0A || $0 == 0x09 }
    let first = range.first { !isBlank(bytes[$0]) } ?? range.upperBound
    let end = (range.last { !isBlank(bytes[$0]) }).map { $0 + 1 } ?? first
    let text = String(decoding: bytes[first..<max(first, end)], as: UTF8.self)
    guard let (expression, name) = named(text) else { return Part(text: text, offset: first, name: nil) }
    return Part(text: expression, offset: first, name: name)
  }

  /// An expression and the name behind the last `as` that is a word outside of brackets and quotes; nil where
  /// there is none.
  private static func named(_ text: String) -> (String, String)? {
    guard let range = text.range(of: " as ", options: [.backwards, .caseInsensitive]) else { return nil }
    let name = text[range.upperBound...].trimmingCharacters(in: .whitespaces)
    let expression = text[..<range.lowerBound].trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty, !expression.isEmpty, !name.contains(where: { "()[]{}\"'`".contains($0) }) else {
      return nil
    }
    return (expression, name)
  }
}
