import GraphStoreModel
import GraphStorePredicates

/// Maker of the nodes of what a store holds.
struct NodeWriter: Sendable {
  let content: AtomicContent
  let scope: StoreIdentity

  func identifier(_ record: ObjectKey) -> NodeIdentifier {
    identifier(content.layout.entities[record.entity].entity, record.key)
  }

  private func identifier(_ entity: EntityDescription, _ key: Int64) -> NodeIdentifier {
    NodeIdentifier(entity: entity.name, reference: scope.reference(of: key, entity))
  }

  /// All objects, by entity, then key.
  func nodes() throws -> [StoreNode] {
    var nodes: [StoreNode] = []
    try content.forEachObject { key, row in nodes.append(try node(key, row)) }
    return nodes
  }

  /// An object; nil where it is not there.
  func node(_ id: NodeIdentifier) throws -> StoreNode? {
    guard let entity = scope.model.entitiesByName[id.entity],
      let key = scope.key("\(id.reference)", entity),
      let row = content.state.row(entity.rootEntity.index, key), row.layout.entity === entity
    else { return nil }
    return try node(key, row)
  }

  private func node(_ key: Int64, _ row: Row) throws -> StoreNode {
    var node = StoreNode(id: identifier(row.layout.entity, key), version: row.version)
    for property in row.layout.properties where property.isPersistent {
      guard let relationship = AtomicContent.relationship(property, of: row.layout) else {
        if row.hasValue(of: property) { node.values[property.name] = try row.nodeValue(of: property) }
        continue
      }
      if relationship.isToMany {
        node.toMany[property.name] = content.members(relationship, of: key).map(identifier)
      } else if let destination = content.destination(property, of: row) {
        node.toOne[property.name] = identifier(destination.entity, destination.key)
      }
    }
    return node
  }
}

extension Row {
  /// The value of an attribute that has one: of a composite attribute the elements that have one.
  fileprivate func nodeValue(of property: PropertyLayout) throws -> Value {
    guard property.kind == .composite else { return try value(of: property) }
    var members: [String: Value] = [:]
    for element in property.elements where hasValue(of: element) {
      members[element.key] = try nodeValue(of: element)
    }
    return .dictionary(members)
  }

  /// The values of all stored attributes that have one, by name.
  func nodeValues() throws -> [String: Value] {
    var values: [String: Value] = [:]
    for property in layout.properties
    where property.isPersistent && property.relationship < 0 && hasValue(of: property) {
      values[property.name] = try nodeValue(of: property)
    }
    return values
  }
}
