/// The attributes of one element while it is read: what is taken is understood, the rest is kept.
struct XcodeFields {
  let element: MarkupElement
  /// The path of the part that the element describes.
  let path: ModelPath
  /// The names that were found to make no sense before.
  let dropped: Set<String>
  /// What was not taken yet.
  private(set) var rest: [MarkupElement.Attribute]
  /// Texts that mean a value which is usually written otherwise.
  private(set) var spellings: [String: JSONValue] = [:]
  /// Texts that make no sense.
  private(set) var refused: [String: JSONValue] = [:]

  init(_ element: MarkupElement, at path: ModelPath, dropped: Set<String> = []) {
    self.element = element
    self.path = path
    self.dropped = dropped
    rest = element.attributes.filter { !dropped.contains($0.name) }
    for attribute in element.attributes where dropped.contains(attribute.name) {
      refused[attribute.name] = .string(attribute.value)
    }
  }

  /// Takes an attribute; nil when it is absent or makes no sense.
  mutating func take(_ name: String) -> String? {
    guard let position = rest.firstIndex(where: { $0.name == name }) else { return nil }
    return rest.remove(at: position).value
  }

  /// Keeps a text as it stands if its value is usually written otherwise.
  mutating func keep(_ text: String, of name: String, unless usual: String?) {
    if text != usual { spellings[name] = .string(text) }
  }

  /// Keeps a text that makes no sense.
  mutating func refuse(_ text: String, of name: String) { refused[name] = .string(text) }

  /// Where an attribute stands; the element's place where it is absent.
  func offset(of name: String) -> Int {
    element.attributes.first { $0.name == name }?.offset ?? element.offset
  }
}
