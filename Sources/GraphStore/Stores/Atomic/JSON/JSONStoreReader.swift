import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Reader of the objects of a JSON store.
struct JSONStoreReader {
  private typealias Failure = JSONParser.Failure
  private typealias Key = JSONStoreFormat.Key

  private var parser: JSONParser

  init(_ parser: JSONParser) { self.parser = parser }

  /// Reads the whole text, and takes its objects and its highest keys.
  consuming func read(into builder: inout AtomicStateBuilder) throws(JSONParser.Failure) {
    var seen: Set<String> = []
    try parser.readMembers { parser, key, offset throws(Failure) in
      guard Key.all.contains(key), seen.insert(key).inserted else {
        throw Failure(
          offset: offset,
          message: seen.contains(key)
            ? "The key \"\(key)\" occurs twice." : "A store has no key \"\(key.prefix(80))\".")
      }
      switch key {
      case Key.objects:
        try parser.readItems { parser throws(Failure) in try Self.readObject(parser.value(), &builder) }
      case Key.keys:
        try parser.readMembers { parser, root, offset throws(Failure) in
          let node = try parser.value()
          guard case .number(let text) = node.content, let key = Int64(text) else {
            throw Failure(offset: node.offset, message: "This is no key.")
          }
          try Self.locating(offset) { () throws(AtomicDocumentFailure) in
            try builder.setHighestKey(key, ofTreeNamed: root)
          }
          return true
        }
      default: _ = try parser.value()
      }
      return true
    }
    try parser.readEnd()
  }

  /// Runs a body, and says where in the text what it throws is.
  private static func locating<Result>(
    _ offset: Int, _ body: () throws(AtomicDocumentFailure) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw Failure(offset: offset, message: error.message) }
  }

  // MARK: Objects

  private static func readObject(
    _ node: JSONNode, _ builder: inout AtomicStateBuilder
  ) throws(Failure) {
    guard case .object(let members) = node.content else {
      throw Failure(offset: node.offset, message: "An object is expected here.")
    }
    try checkKeys(members)
    guard let id = members.first(where: { $0.key == Key.id }) else {
      throw Failure(offset: node.offset, message: "The object has no \"\(Key.id)\".")
    }
    let object = try identifier(id.value, builder)
    var version: Int64 = 1
    if let member = members.first(where: { $0.key == Key.version }) {
      guard case .number(let text) = member.value.content, let number = Int64(text) else {
        throw Failure(offset: member.value.offset, message: "This is no version.")
      }
      version = number
    }
    let row = try locating(node.offset) { () throws(AtomicDocumentFailure) in
      try builder.begin(object, version: version)
    }
    for member in members where member.key != Key.id && member.key != Key.version {
      guard let property = object.entity.property(named: member.key), property.isPersistent else {
        throw Failure(
          offset: member.keyOffset, message: "\(object.entity.entity.name) has no property \"\(member.key)\"."
        )
      }
      if let relationship = AtomicContent.relationship(property, of: object.entity) {
        try read(member.value, relationship, property, of: object, row, &builder)
      } else {
        try read(member.value, property, into: row)
      }
    }
    try locating(node.offset) { () throws(AtomicDocumentFailure) in try builder.end(row, object) }
  }

  private static func checkKeys(_ members: [JSONNode.Member]) throws(Failure) {
    var keys: Set<String> = []
    for member in members where !keys.insert(member.key).inserted {
      throw Failure(offset: member.keyOffset, message: "The key \"\(member.key)\" occurs twice.")
    }
  }

  private static func identifier(
    _ node: JSONNode, _ builder: borrowing AtomicStateBuilder
  ) throws(Failure) -> AtomicStateBuilder.Identifier {
    guard case .string(let text) = node.content else {
      throw Failure(offset: node.offset, message: "An identifier, such as \"Employee/p3\", is expected here.")
    }
    do { return try builder.identifier(text) } catch {
      throw Failure(offset: node.offset, message: error.message)
    }
  }

  private static func read(
    _ node: JSONNode, _ relationship: RelationshipLayout, _ property: PropertyLayout,
    of object: AtomicStateBuilder.Identifier, _ row: Row, _ builder: inout AtomicStateBuilder
  ) throws(Failure) {
    switch (node.content, relationship.isToMany) {
    case (.null, _): return
    case (.array(let items), true):
      var members: [AtomicStateBuilder.Identifier] = []
      for item in items { members.append(try identifier(item, builder)) }
      builder.list(members, by: relationship, of: object)
    case (_, false): builder.refer(row, by: property, to: try identifier(node, builder))
    case (_, true):
      throw Failure(offset: node.offset, message: "A list of identifiers is expected here.")
    }
  }

  // MARK: Values

  private static func read(_ node: JSONNode, _ property: PropertyLayout, into row: Row) throws(Failure) {
    switch (property.kind, node.content) {
    case (_, .null): return
    case (.composite, .object(let members)):
      try checkKeys(members)
      for member in members {
        guard let element = property.elements.first(where: { $0.key == member.key }) else {
          throw Failure(
            offset: member.keyOffset, message: "\(property.name) has no element \"\(member.key)\".")
        }
        try read(member.value, element, into: row)
      }
    default: row.block.setValue(try value(node, property), of: property, inRow: row.index)
    }
  }

  private static func value(_ node: JSONNode, _ property: PropertyLayout) throws(Failure) -> Value {
    guard let attribute = property.attribute, property.slot >= 0 else {
      throw Failure(offset: node.offset, message: "\(property.name) has no values in a store.")
    }
    switch property.kind {
    case .binary, .external, .transformable:
      // Of an archive only the bytes are read, as in the other types.
      guard case .string(let text) = node.content, let data = Data(base64Encoded: text) else {
        throw Failure(offset: node.offset, message: "\(property.name) is no bytes in Base64 here.")
      }
      return .data(data)
    default:
      do { return try attribute.value(fromJSON: node.value) } catch {
        throw Failure(offset: node.offset, message: error.message)
      }
    }
  }
}
