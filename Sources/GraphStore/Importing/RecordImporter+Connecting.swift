import GraphStoreModel

extension RecordImporter {
  /// Links objects on both ends in the order of the input; `touch` is called with objects whose links the
  /// model limits and are changed by that.
  func connect(_ connections: [ImportConnection], touch: (ImportTouch) -> Void) throws {
    guard !connections.isEmpty else { return }
    var objects: [ObjectKey: ManagedObject] = [:]
    func object(_ reference: ObjectKey) -> ManagedObject {
      if let known = objects[reference] { return known }
      let made = context.fault(layouts[reference.entity], key: reference.key, storeIndex: storeIndex)
      objects[reference] = made
      return made
    }
    try load(connections, object)
    for connection in connections {
      do {
        if hasLimitedLinks {
          for (loser, property) in try losers(connection, object) {
            touch(
              ImportTouch(
                object: ObjectKey(entity: loser.layout.index, key: loser.key), property: property,
                record: connection.record, line: connection.line, role: .taker))
          }
        }
        try connect(connection, object)
      } catch let error as GraphStoreError {
        throw ImportFailure(record: connection.record, line: connection.line, error: error)
      }
    }
  }

  func relationship(_ connection: ImportConnection) -> RelationshipLayout {
    let layout = layouts[connection.owner.entity]
    return layout.relationships[layout.properties[connection.property].relationship]
  }

  /// Reads what is going to change with a few statements.
  private func load(
    _ connections: [ImportConnection], _ object: (ObjectKey) -> ManagedObject
  ) throws {
    var changed: [ManagedObject] = []
    var owners: [ObjectIdentifier: (relationship: RelationshipLayout, objects: [ManagedObject])] = [:]
    for connection in connections {
      let owner = object(connection.owner)
      let relationship = relationship(connection)
      if !relationship.isToMany { changed.append(owner) }
      let members = connection.members.map { object($0) }
      if let inverse = relationship.inverseDescription, !inverse.isToMany { changed += members }
      guard relationship.isToMany, relationship.isOrdered || connection.isExact else { continue }
      owners[ObjectIdentifier(relationship.description), default: (relationship, [])].objects.append(owner)
    }
    try context.loadRows(of: changed)
    for group in owners.values { try context.resolve(group.relationship, of: group.objects) }
  }

  private func connect(
    _ connection: ImportConnection, _ object: (ObjectKey) -> ManagedObject
  ) throws {
    let owner = object(connection.owner)
    let relationship = relationship(connection)
    let members = connection.members.map(object)
    if !relationship.isToMany {
      try owner.setObject(members.last, of: relationship)
    } else if connection.isExact {
      try owner.setMembers(members, of: relationship)
    } else if relationship.isOrdered {
      let listed = ObjectSet(members)
      let others = try owner.members(of: relationship).filter { !listed.contains($0) }
      try owner.setMembers(members + others, of: relationship)
    } else {
      try owner.add(members, to: relationship)
    }
  }

  /// Objects that lose a link by a connection and whose links the model limits.
  private func losers(
    _ connection: ImportConnection, _ object: (ObjectKey) -> ManagedObject
  ) throws -> [(object: ManagedObject, property: Int)] {
    let owner = object(connection.owner)
    let relationship = relationship(connection)
    guard relationship.inverse >= 0 else { return [] }
    var losers: [(ManagedObject, Int)] = []
    func add(_ loser: ManagedObject?, by number: Int) {
      guard let loser else { return }
      let end = loser.layout.relationships[number]
      if loser.layout.limitsLinks(of: end) { losers.append((loser, end.number)) }
    }
    let members = connection.members.map(object)
    // The owner's former destination.
    if !relationship.isToMany {
      let old = try owner.object(of: relationship)
      if old !== members.last { add(old, by: relationship.inverse) }
    } else if connection.isExact {
      let kept = ObjectSet(members)
      for member in try owner.members(of: relationship) where !kept.contains(member) {
        add(member, by: relationship.inverse)
      }
    }
    // Those that the members leave.
    for member in members {
      let inverse = member.layout.relationships[relationship.inverse]
      guard !inverse.isToMany, let holder = try member.object(of: inverse), holder !== owner else { continue }
      add(holder, by: relationship.ordinal)
    }
    return losers
  }
}
