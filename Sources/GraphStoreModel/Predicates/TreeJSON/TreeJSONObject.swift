import GraphStorePredicates

/// The members of one object of a tree in JSON.
struct TreeJSONObject {
  typealias Failure = QueryPredicateError

  let node: JSONNode
  private let members: [JSONNode.Member]
  private let reader: TreeJSONReader

  init(_ node: JSONNode, _ reader: TreeJSONReader) throws(Failure) {
    guard case .object(let members) = node.content else {
      throw reader.error("An object is expected here, not \(node.typeName).", at: node.offset)
    }
    self.node = node
    self.members = members
    self.reader = reader
  }

  func optionalMember(_ key: String) -> JSONNode? {
    members.last { $0.key == key }?.value
  }

  func member(_ key: String) throws(Failure) -> JSONNode {
    guard let found = optionalMember(key) else {
      throw reader.error("The member \"\(key)\" is missing.", at: node.offset)
    }
    return found
  }

  func optionalText(_ key: String) throws(Failure) -> String? {
    guard let found = optionalMember(key) else { return nil }
    guard case .string(let text) = found.content else { throw wrong(found, key: key, wanted: "a string") }
    return text
  }

  func text(_ key: String) throws(Failure) -> String {
    let found = try member(key)
    guard case .string(let text) = found.content else { throw wrong(found, key: key, wanted: "a string") }
    return text
  }

  func flag(_ key: String) throws(Failure) -> Bool {
    let found = try member(key)
    guard case .bool(let flag) = found.content else { throw wrong(found, key: key, wanted: "true or false") }
    return flag
  }

  func list(_ key: String) throws(Failure) -> [JSONNode] {
    let found = try member(key)
    guard case .array(let items) = found.content else { throw wrong(found, key: key, wanted: "a list") }
    return items
  }

  /// One of the names of a kind of node's part.
  func name<Name: RawRepresentable<String>>(_ key: String, _ type: Name.Type) throws(Failure) -> Name {
    let text = try text(key)
    guard let name = Name(rawValue: text) else {
      throw reader.error("\"\(text)\" is not known as \"\(key)\".", at: try member(key).offset)
    }
    return name
  }

  func optionalName<Name: RawRepresentable<String>>(
    _ key: String, _ type: Name.Type
  ) throws(Failure) -> Name? {
    optionalMember(key) == nil ? nil : try name(key, type)
  }

  /// The range of the node in the text of the predicate.
  func range() throws(Failure) -> SourceRange? {
    guard let found = optionalMember("range") else { return nil }
    guard case .array(let items) = found.content, items.count == 2,
      case .number(let offset) = items[0].content, case .number(let length) = items[1].content,
      let offset = Int(offset), let length = Int(length), offset >= 0, length >= 0
    else { throw wrong(found, key: "range", wanted: "offset and length") }
    return SourceRange(offset: offset, length: length)
  }

  private func wrong(_ node: JSONNode, key: String, wanted: String) -> Failure {
    reader.error("The member \"\(key)\" is \(node.typeName); \(wanted) is expected.", at: node.offset)
  }
}
