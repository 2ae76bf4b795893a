import Foundation

/// A LIKE pattern that is a text, or a text followed by `*`.
package struct LiteralPattern {
  package var text = ""
  package var isPrefix = false

  package init?(_ pattern: String) {
    var scalars = pattern.unicodeScalars.makeIterator()
    var result = String.UnicodeScalarView()
    while let scalar = scalars.next() {
      switch scalar {
      case "?": return nil
      case "*":
        while let rest = scalars.next() { if rest != "*" { return nil } }
        isPrefix = true
      case "\\":
        guard let escaped = scalars.next() else { return nil }
        guard escaped == "?" || escaped == "*" || escaped == "\\" else { return nil }
        result.append(escaped)
      default: result.append(scalar)
      }
    }
    text = String(result)
  }
}

/// Ranges of texts in scalar order.
package enum TextRange {
  /// The least text that is greater than all that begin with the prefix; nil where there is none.
  package static func end(of prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while scalars.last == "\u{10FFFF}" { scalars.removeLast() }
    guard let last = scalars.popLast() else { return nil }
    let code = last.value == 0xD7FF ? 0xE000 : last.value + 1
    guard let next = Unicode.Scalar(code) else { return nil }
    scalars.append(next)
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}

/// Ranges of runs of bytes.
package enum DataRange {
  /// The least run that is greater than all that begin with the prefix; nil where there is none.
  package static func end(of prefix: Data) -> [UInt8]? {
    var bytes = Array(prefix)
    while bytes.last == 0xff { bytes.removeLast() }
    guard let last = bytes.popLast() else { return nil }
    bytes.append(last + 1)
    return bytes
  }
}
