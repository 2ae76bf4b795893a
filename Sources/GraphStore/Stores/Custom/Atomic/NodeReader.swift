import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Reader of the nodes that a store has loaded into the state of a store in memory.
struct NodeReader {
  private typealias Failure = AtomicDocumentFailure

  private let builder: AtomicStateBuilder.Names
  private let references: NodeReferenceTable?
  private var nodes: [StoreNode]
  private var positions: [NodeIdentifier: Int] = [:]

  init(
    _ nodes: [StoreNode], _ names: AtomicStateBuilder.Names, _ references: NodeReferenceTable?
  ) throws(AtomicDocumentFailure) {
    builder = names
    self.references = references
    self.nodes = nodes
    positions.reserveCapacity(nodes.count)
    for (position, node) in nodes.enumerated() {
      guard positions.updateValue(position, forKey: node.id) == nil else {
        throw Failure(message: "There are two objects with the identifier \(node.id).")
      }
    }
  }

  mutating func read(into builder: inout AtomicStateBuilder) throws(AtomicDocumentFailure) {
    for position in nodes.indices { try completeInverses(position) }
    for node in nodes { try read(node, &builder) }
  }

  // MARK: Names

  private func identifier(_ id: NodeIdentifier) throws(Failure) -> AtomicStateBuilder.Identifier {
    let entity = try builder.entity(named: id.entity)
    if let references {
      guard id.reference != .text("") else { throw Failure(message: "\(id.entity) has an empty reference.") }
      return (entity, references.key(of: id.reference, in: entity.entity.rootEntity.name))
    }
    guard case .integer(let key) = id.reference, StoredKey.keys.contains(key) else {
      throw Failure(
        message: "\(id) has a reference that is no whole number from \(StoredKey.keys.lowerBound) to "
          + "\(StoredKey.keys.upperBound), as a store has whose references the library makes.")
    }
    return (entity, key)
  }

  private static func relationship(
    _ name: String, of entity: EntityLayout, isToMany: Bool
  ) throws(Failure) -> (property: PropertyLayout, layout: RelationshipLayout) {
    guard let property = entity.property(named: name), property.isPersistent,
      let relationship = AtomicContent.relationship(property, of: entity),
      relationship.isToMany == isToMany
    else {
      throw Failure(
        message: "\(entity.entity.name) has no \(isToMany ? "to-many" : "to-one") relationship "
          + "\"\(name.prefix(80))\".")
    }
    return (property, relationship)
  }

  // MARK: Inverses

  /// Fills in what to-ones of other objects refer to, where an object alone says so.
  private mutating func completeInverses(_ position: Int) throws(Failure) {
    let node = nodes[position]
    let entity = try builder.entity(named: node.id.entity)
    for (name, destination) in node.toOne {
      let relationship = try Self.relationship(name, of: entity, isToMany: false).layout
      if relationship.isOneToOne { complete(relationship, at: [destination], from: node.id) }
    }
    for (name, members) in node.toMany {
      let relationship = try Self.relationship(name, of: entity, isToMany: true).layout
      guard let inverse = relationship.inverseDescription, !inverse.isToMany, !inverse.isTransient else {
        continue
      }
      complete(relationship, at: members, from: node.id)
    }
  }

  private mutating func complete(
    _ relationship: RelationshipLayout, at ends: [NodeIdentifier], from owner: NodeIdentifier
  ) {
    guard let inverse = relationship.inverseDescription else { return }
    for end in ends {
      guard let position = positions[end], nodes[position].toOne[inverse.name] == nil else { continue }
      nodes[position].toOne[inverse.name] = owner
    }
  }

  // MARK: Objects

  private func read(_ node: StoreNode, _ builder: inout AtomicStateBuilder) throws(Failure) {
    let object = try identifier(node.id)
    let row = try builder.begin(object, version: node.version ?? 1)
    for (name, value) in node.values {
      guard let property = object.entity.property(named: name), property.isPersistent,
        property.relationship < 0
      else { throw Failure(message: "\(node.id.entity) has no attribute \"\(name.prefix(80))\".") }
      try Self.read(value, property, into: row, of: node.id)
    }
    for (name, destination) in node.toOne {
      let property = try Self.relationship(name, of: object.entity, isToMany: false).property
      builder.refer(row, by: property, to: try identifier(destination))
    }
    for (name, members) in node.toMany {
      let relationship = try Self.relationship(name, of: object.entity, isToMany: true).layout
      var found: [AtomicStateBuilder.Identifier] = []
      for member in members { found.append(try identifier(member)) }
      builder.list(found, by: relationship, of: object)
    }
    try builder.end(row, object)
  }

  private static func read(
    _ given: Value, _ property: PropertyLayout, into row: Row, of id: NodeIdentifier
  ) throws(Failure) {
    if given.isNull { return }
    if property.kind == .composite, case .dictionary(let members) = given {
      for (name, member) in members {
        guard let element = property.elements.first(where: { $0.key == name }) else {
          throw Failure(message: "\(id).\(property.name) has no element \"\(name.prefix(80))\".")
        }
        try read(member, element, into: row, of: id)
      }
      return
    }
    guard property.slot >= 0, let value = value(given, property.kind) else {
      let literal = given.literal
      throw Failure(
        message: "\(id).\(property.name) has the value \(literal.prefix(80)), which is none of its type.")
    }
    row.block.setValue(value, of: property, inRow: row.index)
  }

  /// A value in the form in which rows have it; nil for one of another type.
  private static func value(_ given: Value, _ kind: SlotKind) -> Value? {
    switch (kind, given) {
    case (.int16, .int(let number)), (.int32, .int(let number)), (.int64, .int(let number)):
      kind.holds(number) ? given : nil
    case (.double, .double(let number)), (.float, .double(let number)): kind.holds(number) ? given : nil
    case (.double, .int(let number)), (.float, .int(let number)):
      kind.holds(Double(number)) ? .double(Double(number)) : nil
    case (.date, .date(let date)): kind.holds(date.timeIntervalSinceReferenceDate) ? given : nil
    case (.decimal, .decimal(let number)): number.isFinite ? given : nil
    case (.decimal, .int), (.boolean, .bool), (.string, .string), (.uri, .uri), (.uuid, .uuid),
      (.binary, .data), (.transformable, .data), (.external, .data):
      given
    default: nil
    }
  }
}
