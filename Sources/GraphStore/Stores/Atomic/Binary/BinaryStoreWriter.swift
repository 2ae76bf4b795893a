import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Writer of the property list of a binary store.
enum BinaryStoreWriter {
  private typealias Key = BinaryStoreFormat.Key

  static func node(of content: AtomicContent) throws -> PropertyListNode {
    var objects: [PropertyListNode] = []
    try content.forEachObject { key, row in objects.append(try node(of: row, key, content)) }
    let keys = content.highestKeys.map { ($0.root, PropertyListNode.int($0.key)) }
    return .dictionary([
      Key.format: .int(BinaryStoreFormat.version), Key.writer: .string(LibraryVersion.name),
      Key.identifier: .data(bytes(of: content.metadata.identifier)),
      Key.metadata: node(of: .dictionary(content.metadata.values)),
      Key.keys: .dictionary(Dictionary(uniqueKeysWithValues: keys)), Key.objects: .list(objects),
    ])
  }

  private static func bytes(of uuid: UUID) -> Data {
    unsafe withUnsafeBytes(of: uuid.uuid) { unsafe Data($0) }
  }

  private static func identifier(_ entity: EntityDescription, _ key: Int64) -> PropertyListNode {
    .string("\(entity.name)/p\(key)")
  }

  private static func node(of row: Row, _ key: Int64, _ content: AtomicContent) throws -> PropertyListNode {
    var members: [String: PropertyListNode] = [
      Key.id: identifier(row.layout.entity, key), Key.version: .int(row.version),
    ]
    for property in row.layout.properties where property.isPersistent {
      if let relationship = AtomicContent.relationship(property, of: row.layout) {
        members[property.name] = links(property, relationship, of: key, row, content)
      } else if row.hasValue(of: property) {
        members[property.name] = try value(of: property, row)
      }
    }
    return .dictionary(members)
  }

  private static func links(
    _ property: PropertyLayout, _ relationship: RelationshipLayout, of key: Int64, _ row: Row,
    _ content: AtomicContent
  ) -> PropertyListNode? {
    guard relationship.isToMany else {
      return content.destination(property, of: row).map { identifier($0.entity, $0.key) }
    }
    guard AtomicContent.isWritten(relationship) else { return nil }
    let members = content.members(relationship, of: key)
    return members.isEmpty ? nil : .list(members.map { identifier($0.entity, $0.key) })
  }

  private static func value(of property: PropertyLayout, _ row: Row) throws -> PropertyListNode {
    guard property.kind == .composite else { return node(of: try row.value(of: property)) }
    var members: [String: PropertyListNode] = [:]
    for element in property.elements where row.hasValue(of: element) {
      members[element.key] = try value(of: element, row)
    }
    return .dictionary(members)
  }

  /// A value: decimals as text, UUIDs as 16 bytes, dates and other numbers as what they are (STO-076).
  static func node(of value: Value) -> PropertyListNode {
    switch value {
    case .null, .object: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .double(let number): .double(number)
    case .decimal(let number): .string("\(number)")
    case .string(let text): .string(text)
    case .date(let date): .date(date)
    case .uuid(let uuid): .data(bytes(of: uuid))
    case .uri(let uri): .string(uri.absoluteString)
    case .data(let data): .data(data)
    case .list(let items): .list(items.map(node))
    case .dictionary(let members): .dictionary(members.mapValues(node))
    }
  }
}
