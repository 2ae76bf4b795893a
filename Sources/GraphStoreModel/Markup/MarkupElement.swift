/// An element of an XML document, with its position in the text.
package struct MarkupElement {
  /// A named value in a start tag.
  package struct Attribute {
    package var name: String
    package var value: String
    /// The offset of the name's first byte.
    package var offset = 0
  }

  package var name: String
  package var attributes: [Attribute] = []
  package var children: [MarkupElement] = []
  /// The text of the element itself; empty where there is none but white space, unless the parser keeps that.
  package var text = ""
  /// The offset of the start tag.
  package var offset = 0

  /// The value of an attribute, nil where there is none.
  package subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The children of a name, in order.
  func children(named name: String) -> [MarkupElement] { children.filter { $0.name == name } }
}

extension MarkupElement {
  /// The element as JSON, for keeping one that is not understood.
  var json: JSONValue {
    var members: [String: JSONValue] = ["element": .string(name)]
    if !attributes.isEmpty {
      let values = attributes.map { ($0.name, JSONValue.string($0.value)) }
      members["attributes"] = .object(Dictionary(values, uniquingKeysWith: { $1 }))
    }
    if !children.isEmpty { members["children"] = .array(children.map(\.json)) }
    if !text.isEmpty { members["text"] = .string(text) }
    return .object(members)
  }

  /// The element that was kept as JSON, nil for anything else.
  init?(json: JSONValue) {
    guard case .object(let members) = json, case .string(let name)? = members["element"],
      MarkupParser.isName(name)
    else { return nil }
    self.init(name: name)
    if case .object(let values)? = members["attributes"] {
      for (name, value) in values.sorted(by: { VersionHash.precedes($0.key, $1.key) }) {
        guard case .string(let text) = value, MarkupParser.isName(name) else { return nil }
        attributes.append(Attribute(name: name, value: text))
      }
    }
    if case .array(let items)? = members["children"] {
      for item in items {
        guard let child = MarkupElement(json: item) else { return nil }
        children.append(child)
      }
    }
    if case .string(let text)? = members["text"] { self.text = text }
  }
}
