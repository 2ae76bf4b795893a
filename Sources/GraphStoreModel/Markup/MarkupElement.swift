/// An element of an XML document, with its place in the text.
struct MarkupElement {
  /// A named value in a start tag.
  struct Attribute {
    var name: String
    var value: String
    /// The offset of the name's first byte.
    var offset = 0
  }

  var name: String
  var attributes: [Attribute] = []
  var children: [MarkupElement] = []
  /// The text of the element itself; empty where there is none but white space.
  var text = ""
  /// The offset of the start tag.
  var offset = 0

  /// The value of an attribute, nil where there is none.
  subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

  /// The children of a name, in order.
  func children(named name: String) -> [MarkupElement] { children.filter { $0.name == name } }
}
