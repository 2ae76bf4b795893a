import GraphStorePredicates

/// Objects that are to be inserted, as values, which may pass to another context.
struct ObjectDraft: Sendable {
  struct Attribute: Sendable {
    let property: PropertyLayout
    let value: Value
  }

  enum Destination: Sendable {
    /// One of the objects that are inserted, by its position.
    case copy(Int)
    /// An object that the context has, or a store.
    case object(ManagedObjectID)
  }

  struct Link: Sendable {
    let relationship: RelationshipLayout
    let destinations: [Destination]
  }

  struct Object: Sendable {
    let layout: EntityLayout
    let values: [Attribute]
    let links: [Link]
  }

  let objects: [Object]

  /// Inserts the objects, all or none.
  func insert(into context: ManagedObjectContext) throws -> [ManagedObject] {
    var copies: [ManagedObject] = []
    do {
      for object in objects {
        copies.append(context.insert(object.layout))
        for attribute in object.values {
          try copies[copies.count - 1].setAttribute(attribute.property, to: attribute.value)
        }
      }
      for (object, copy) in zip(objects, copies) {
        for link in object.links { try connect(copy, by: link, among: copies, in: context) }
      }
    } catch {
      context.discard(copies)
      throw error
    }
    return copies
  }

  private func connect(
    _ copy: ManagedObject, by link: Link, among copies: [ManagedObject], in context: ManagedObjectContext
  ) throws {
    let destinations = try link.destinations.map { destination in
      switch destination {
      case .copy(let position): copies[position]
      case .object(let id): try context.object(with: id)
      }
    }
    let relationship = copy.layout.relationships[link.relationship.ordinal]
    if relationship.isToMany {
      try copy.setMembers(destinations, of: relationship)
    } else {
      try copy.setObject(destinations.first, of: relationship)
    }
  }
}
