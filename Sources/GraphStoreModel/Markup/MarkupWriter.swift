/// XML serializer: four spaces a level, as Xcode does.
package struct MarkupWriter {
  private var bytes: [UInt8] = []

  /// The document of a root element, in UTF-8.
  static func document(_ root: MarkupElement) -> [UInt8] {
    var writer = MarkupWriter()
    writer.add("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n")
    writer.write(root, indent: "")
    return writer.bytes
  }

  /// Whether XML can say a character.
  package static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: true
    case 0..<0x20, 0xFFFE, 0xFFFF: false
    default: true
    }
  }

  private mutating func add(_ text: String) { bytes += Array(text.utf8) }

  private mutating func write(_ element: MarkupElement, indent: String) {
    add("\(indent)<\(element.name)")
    for attribute in element.attributes {
      add(" \(attribute.name)=\"")
      escape(attribute.value, inAttribute: true)
      add("\"")
    }
    if element.children.isEmpty, element.text.isEmpty {
      add("/>\n")
      return
    }
    add(">")
    escape(element.text, inAttribute: false)
    if !element.children.isEmpty {
      add("\n")
      for child in element.children { write(child, indent: indent + "    ") }
      add(indent)
    }
    add("</\(element.name)>\n")
  }

  /// Writes a text; what XML cannot say becomes U+FFFD.
  private mutating func escape(_ text: String, inAttribute: Bool) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": add("&amp;")
      case "<": add("&lt;")
      case ">": add("&gt;")
      case "\"" where inAttribute: add("&quot;")
      case "\t" where inAttribute: add("&#9;")
      case "\n" where inAttribute: add("&#10;")
      case "\r": add("&#13;")
      default: bytes += Array(String(Self.isAllowed(scalar) ? scalar : "\u{FFFD}").utf8)
      }
    }
  }
}
