/// Members of a collection on the way of a key path.
struct MemberValues {
  let values: [Any?]
  let isOrdered: Bool

  init(values: [Any?], isOrdered: Bool) {
    self.values = values
    self.isOrdered = isOrdered
  }

  /// Nil for a value that is no collection.
  init?(_ value: Any) {
    switch value {
    case let view as RelationshipCollection:
      self.init(values: Array(view), isOrdered: view.relationship.isOrdered)
    case let objects as Set<ManagedObject>:
      self.init(values: Array(objects).sortedByIdentifier(), isOrdered: false)
    case let objects as [ManagedObject]: self.init(values: objects, isOrdered: true)
    case let members as Set<AnyHashable>: self.init(values: members.map { $0.base }, isOrdered: false)
    case let members as [Any?]: self.init(values: members, isOrdered: true)
    case let members as [Any]: self.init(values: members, isOrdered: true)
    default: return nil
    }
  }

  /// Brings what a key of the members needs into memory, with one statement an entity tree (OBJ-207); keys that fire
  /// nothing need nothing (FLT-031).
  func realize(for key: String) throws {
    let objects = values.compactMap { $0 as? ManagedObject }
    guard let context = objects.first?.context, !["self", "objectID", "entity"].contains(key) else { return }
    let own = objects.filter { $0.context === context }
    var toManys: [ObjectIdentifier: (RelationshipLayout, [ManagedObject])] = [:]
    for object in own {
      guard let property = object.layout.property(named: key), property.kind == .toMany else { continue }
      let relationship = object.layout.relationships[property.relationship]
      toManys[ObjectIdentifier(relationship.description), default: (relationship, [])].1.append(object)
    }
    for (relationship, owners) in toManys.values { try context.resolve(relationship, of: owners) }
    let firing = own.filter { $0.layout.property(named: key)?.kind != .toMany }
    if firing.contains(where: { $0.state.contains(.fault) }) { try context.realizeFaults(in: firing) }
  }

  /// A value as it is now: of a live view its members.
  static func plain(_ value: Any?) -> Any? {
    switch value {
    case let set as RelationshipSet: set.objects
    case let set as RelationshipOrderedSet: set.objects.elements
    default: value
    }
  }

  /// The values of the members: in a set without those that there are not, or in an array of the same order with them.
  func map(_ body: (Any?) throws -> Any?) throws -> Any {
    let ends = try values.map { Self.plain(try body($0)) }
    if isOrdered { return ends }
    return Set(ends.compactMap { $0 as? AnyHashable })
  }
}
