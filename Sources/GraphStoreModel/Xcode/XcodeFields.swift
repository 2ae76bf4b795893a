/// The attributes of one element while it is read: what is consumed is understood, the rest is kept.
struct XcodeFields {
  let element: MarkupElement
  /// The path of the part that the element describes.
  let path: ModelPath
  /// The names that were found to make no sense before.
  let dropped: Set<String>
  /// The attributes that were not read yet.
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

  /// Consumes an attribute; nil when it is absent or makes no sense.
  mutating func consume(_ name: String) -> String? {
    guard let position = rest.firstIndex(where: { $0.name == name }) else { return nil }
    return rest.remove(at: position).value
  }

  /// Keeps a text unchanged if its value is usually written otherwise.
  mutating func keep(_ text: String, of name: String, unless usual: String?) {
    if text != usual { spellings[name] = .string(text) }
  }

  /// Keeps a text that makes no sense.
  mutating func refuse(_ text: String, of name: String) { refused[name] = .string(text) }

  /// The offset of an attribute; the element's where it is absent.
  func offset(of name: String) -> Int {
    element.attributes.first { $0.name == name }?.offset ?? element.offset
  }
}

/// Keys under `xcode` that hold more than one attribute of the XML.
enum XcodeKey {
  /// The texts of attributes that made no sense.
  static let dropped = "dropped"
  /// The elements that made no sense, as JSON.
  static let droppedElements = "droppedElements"
  /// The names of the indexes that are written as compound indexes.
  static let compoundIndexes = "compoundIndexes"
  /// Further settings of indexes, fetch requests and configurations, by name.
  static let fetchIndexes = "fetchIndexes"
  static let fetchRequests = "fetchRequests"
  static let configurations = "configurations"
  /// Further settings of the request of a fetched property.
  static let fetchRequest = "fetchRequest"
  /// The name of the composite that an attribute is made of.
  static let compositeAttribute = "compositeAttribute"
  /// The user information that holds what the XML has no words for.
  static let extras = "graphstore"

  /// All keys under `xcode`.
  static let all: Set<String> = [
    dropped, droppedElements, compoundIndexes, fetchIndexes, fetchRequests, configurations, fetchRequest,
    compositeAttribute,
  ]
}
