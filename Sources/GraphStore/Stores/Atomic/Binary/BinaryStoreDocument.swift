import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Property list of a binary store. Reading it runs no initialiser of any class.
struct BinaryStoreDocument: AtomicDocument {
  private typealias Failure = AtomicDocumentFailure
  private typealias Key = BinaryStoreFormat.Key

  private let root: [String: PropertyListNode]
  let metadata: StoreMetadata

  init(_ bytes: [UInt8]) throws(AtomicDocumentFailure) {
    guard case .dictionary(let root)? = PropertyListReader.node(of: bytes) else {
      throw Failure(message: "The bytes are no property list, or not all of one.")
    }
    self.root = root
    metadata = try Self.metadata(root)
  }

  private static func metadata(_ root: [String: PropertyListNode]) throws(Failure) -> StoreMetadata {
    guard let format = root[Key.format] else {
      throw Failure(
        kind: .notAStore, message: "It is a property list without the key \(Key.format), which stores have.")
    }
    guard case .int(let version) = format, version > 0 else {
      throw Failure(message: "\(Key.format) is no version of the form.")
    }
    guard version <= BinaryStoreFormat.version else {
      var writer = "an unknown version"
      if case .string(let name)? = root[Key.writer] { writer = name }
      throw Failure(
        kind: .newerFormat,
        message: "It has format \(version), written by \(writer); this version knows formats up to "
          + "\(BinaryStoreFormat.version).")
    }
    guard case .data(let bytes)? = root[Key.identifier], let identifier = uuid(bytes) else {
      throw Failure(message: "\(Key.identifier) is no UUID.")
    }
    guard case .dictionary(let values)? = root[Key.metadata]?.value else {
      throw Failure(message: "\(Key.metadata) is no dictionary of metadata.")
    }
    return StoreMetadata(identifier: identifier, values: values)
  }

  private static func uuid(_ bytes: Data) -> UUID? {
    guard bytes.count == 16 else { return nil }
    return unsafe Array(bytes).withUnsafeBufferPointer { unsafe UUID(bytes: $0) }
  }

  // MARK: Objects

  func read(into builder: inout AtomicStateBuilder) throws(AtomicDocumentFailure) {
    guard case .dictionary(let keys)? = root[Key.keys], case .list(let objects)? = root[Key.objects] else {
      throw Failure(message: "\(Key.keys) or \(Key.objects) is missing.")
    }
    for (root, node) in keys {
      guard case .int(let key) = node else { throw Failure(message: "The highest key of \(root) is none.") }
      try builder.setHighestKey(key, ofTreeNamed: root)
    }
    for (number, object) in objects.enumerated() {
      do throws(Failure) {
        try read(object, &builder)
      } catch {
        throw Failure(message: "Object \(number + 1) of \(objects.count): \(error.message)")
      }
    }
  }

  func place(of subject: AtomicDocumentFailure.Subject, _ layouts: [EntityLayout]) -> (
    line: Int, column: Int
  )? { nil }

  private func read(_ node: PropertyListNode, _ builder: inout AtomicStateBuilder) throws(Failure) {
    guard case .dictionary(let members) = node else { throw Failure(message: "It is no dictionary.") }
    guard let id = members[Key.id], case .int(let version)? = members[Key.version] else {
      throw Failure(message: "\(Key.id) or \(Key.version) is missing.")
    }
    let object = try identifier(id, builder)
    let row = try builder.begin(object, version: version)
    for (name, member) in members where name != Key.id && name != Key.version {
      guard let property = object.entity.property(named: name), property.isPersistent else {
        throw Failure(message: "\(object.entity.entity.name) has no property \"\(name.prefix(80))\".")
      }
      if let relationship = AtomicContent.relationship(property, of: object.entity) {
        try read(member, relationship, property, of: object, row, &builder)
      } else {
        try read(member, property, into: row)
      }
    }
    try builder.end(row, object)
  }

  private func identifier(
    _ node: PropertyListNode, _ builder: borrowing AtomicStateBuilder
  ) throws(Failure) -> AtomicStateBuilder.Identifier {
    guard case .string(let text) = node else { throw Failure(message: "An identifier is no text.") }
    return try builder.identifier(text)
  }

  private func read(
    _ node: PropertyListNode, _ relationship: RelationshipLayout, _ property: PropertyLayout,
    of object: AtomicStateBuilder.Identifier, _ row: Row, _ builder: inout AtomicStateBuilder
  ) throws(Failure) {
    guard relationship.isToMany else {
      return builder.refer(row, by: property, to: try identifier(node, builder))
    }
    guard case .list(let items) = node else {
      throw Failure(message: "\(property.name) is no list of identifiers.")
    }
    var members: [AtomicStateBuilder.Identifier] = []
    for item in items { members.append(try identifier(item, builder)) }
    builder.list(members, by: relationship, of: object)
  }

  private func read(_ node: PropertyListNode, _ property: PropertyLayout, into row: Row) throws(Failure) {
    if property.kind == .composite, case .dictionary(let members) = node {
      for (name, member) in members {
        guard let element = property.elements.first(where: { $0.key == name }) else {
          throw Failure(message: "\(property.name) has no element \"\(name.prefix(80))\".")
        }
        try read(member, element, into: row)
      }
      return
    }
    guard property.slot >= 0, let value = Self.value(node, property) else {
      throw Failure(message: "\(property.name) has a value that is none of its type.")
    }
    row.block.setValue(value, of: property, inRow: row.index)
  }

  private static func value(_ node: PropertyListNode, _ property: PropertyLayout) -> Value? {
    switch (property.kind, node) {
    case (.int16, .int(let number)), (.int32, .int(let number)), (.int64, .int(let number)):
      property.kind.holds(number) ? .int(number) : nil
    case (.boolean, .bool(let flag)): .bool(flag)
    case (.double, .double(let number)), (.float, .double(let number)):
      property.kind.holds(number) ? .double(number) : nil
    case (.date, .date(let date)): date.timeIntervalSinceReferenceDate.isFinite ? .date(date) : nil
    case (.decimal, .string(let text)): (try? property.attribute?.value(fromText: text)) ?? nil
    case (.string, .string(let text)): .string(text)
    case (.uri, .string(let text)): URL(string: text).map { .uri($0) }
    case (.uuid, .data(let bytes)): uuid(bytes).map { .uuid($0) }
    case (.binary, .data(let data)), (.transformable, .data(let data)), (.external, .data(let data)):
      .data(data)
    default: nil
    }
  }
}
