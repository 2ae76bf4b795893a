extension OutputBuffer {
  /// Text as a JSON string, quotes included. Malformed UTF-8 becomes U+FFFD.
  @inline(__always)
  package func append(jsonString utf8: UnsafeBufferPointer<UInt8>) {
    append(byte: UInt8(ascii: "\""))
    let plain = unsafe JSONPlainText.end(in: utf8, from: 0)
    if plain == utf8.count {
      unsafe append(utf8)
    } else {
      unsafe appendEscaped(utf8, from: plain)
    }
    append(byte: UInt8(ascii: "\""))
  }

  /// A Swift string as a JSON string, quotes included.
  package func append(jsonString text: String) {
    var text = text
    text.withUTF8 { unsafe append(jsonString: $0) }
  }

  /// The content of a JSON string of which the first `plain` bytes need no care.
  @inline(never)
  private func appendEscaped(_ utf8: UnsafeBufferPointer<UInt8>, from plain: Int) {
    var start = 0
    var index = plain
    while index < utf8.count {
      let byte = unsafe utf8[index]
      if byte >= 0x80 {
        let length = unsafe UTF8Check.sequenceLength(utf8, at: index)
        if length > 0 {
          index += length
          continue
        }
        unsafe append(UnsafeBufferPointer(rebasing: utf8[start..<index]))
        var rest = unsafe String(decoding: utf8[index...], as: UTF8.self)
        return rest.withUTF8 { unsafe appendEscaped($0, from: 0) }
      } else if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        index = unsafe JSONPlainText.end(in: utf8, from: index)
        continue
      }
      unsafe append(UnsafeBufferPointer(rebasing: utf8[start..<index]))
      appendEscape(byte)
      index += 1
      start = index
    }
    unsafe append(UnsafeBufferPointer(rebasing: utf8[start..<utf8.count]))
  }

  private func appendEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append(literal: "\\\"")
    case UInt8(ascii: "\\"): append(literal: "\\\\")
    case 0x08: append(literal: "\\b")
    case 0x09: append(literal: "\\t")
    case 0x0A: append(literal: "\\n")
    case 0x0C: append(literal: "\\f")
    case 0x0D: append(literal: "\\r")
    default:
      append(literal: "\\u00")
      append(hex: byte)
    }
  }

  /// A number as JSON; what JSON cannot say as a number is a string.
  @inline(__always)
  package func append(jsonDouble value: Double) {
    if value.isFinite { append(double: value) } else { appendNonFinite(value) }
  }

  private func appendNonFinite(_ value: Double) {
    append(byte: UInt8(ascii: "\""))
    append(nonFinite: value)
    append(byte: UInt8(ascii: "\""))
  }

  /// `NaN`, `Infinity` or `-Infinity`.
  package func append(nonFinite value: Double) {
    append(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
  }
}
