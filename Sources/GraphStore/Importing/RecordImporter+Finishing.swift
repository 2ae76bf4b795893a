import GraphStoreModel

extension RecordImporter {
  private static var chunk: Int { 1000 }

  /// Joins what waits, and counts the members of constrained relationships; after the last flush, in the same
  /// transaction.
  package func finish() throws -> [ImportFailure] {
    var failures: [ImportFailure] = []
    if scratch.pendingCount > 0 { failures += try connectPending() }
    if failures.isEmpty || options.skipsFailures, scratch.hasChecks { failures += try checkCounts() }
    if options.keepsKeys, failures.isEmpty || options.skipsFailures { try raiseCounters() }
    return failures
  }

  // MARK: Links that wait

  private func connectPending() throws -> [ImportFailure] {
    var failures: [ImportFailure] = []
    var position: Int64 = 0
    while true {
      let pending = try scratch.pending(after: &position, count: Self.chunk)
      if pending.isEmpty { break }
      failures += try connect(pending)
      context.reset()
      if failures.count > Self.chunk, !options.skipsFailures { break }
    }
    return failures
  }

  private func connect(_ pending: [ImportPendingLink]) throws -> [ImportFailure] {
    try find(
      pending.map { (plans[$0.owner.entity], ImportLink(property: $0.property, target: $0.target)) },
      isLast: true)
    var failures: [ImportFailure] = []
    var connections: [ImportConnection] = []
    for link in pending {
      let plan = plans[link.owner.entity]
      let relationship = plan.relationships[plan.properties[link.property].relationship]
      switch try resolution(of: link.target, relationship, [:], isLast: true) {
      case .waits: break
      case .failed(let error):
        failures.append(ImportFailure(record: link.record, line: link.line, error: error))
      case .found(let member):
        if plan.constrainsCount(of: relationship) {
          try scratch.addCheck(link.owner, record: link.record, line: link.line)
        }
        if let last = connections.last, last.owner == link.owner, last.property == link.property {
          connections[connections.count - 1].members.append(member)
        } else {
          connections.append(
            ImportConnection(
              owner: link.owner, property: link.property, members: [member], isExact: false,
              record: link.record,
              line: link.line))
        }
      }
    }
    if !failures.isEmpty {
      guard options.skipsFailures else { return failures }
      let failed = Set(failures.map(\.record))
      connections.removeAll { failed.contains($0.record) }
      try remove(pending.filter { failed.contains($0.record) }.map(\.owner))
    }
    do {
      try connect(connections)
      try context.save()
    } catch let failure as ImportFailure {
      failures.append(failure)
    } catch let error as GraphStoreError {
      failures += try self.failures(in: error, connections)
    }
    return failures
  }

  private func failures(in error: GraphStoreError, _ connections: [ImportConnection]) throws
    -> [ImportFailure]
  {
    try (error.errors.isEmpty ? [error] : error.errors).map { error in
      guard let key = error.objectID?.key,
        let connection = connections.first(where: {
          $0.owner.key == key || $0.members.contains { $0.key == key }
        })
      else { throw error }
      return ImportFailure(record: connection.record, line: connection.line, error: error)
    }
  }

  /// Takes objects that this import has made out again.
  private func remove(_ objects: [RecordReference]) throws {
    for reference in Set(objects).sorted(by: { $0.key < $1.key }) {
      let plan = plans[reference.entity]
      guard options.keepsKeys || reference.key >= firstKeys[plan.rootIndex] ?? .max else { continue }
      try context.delete(context.fault(plan, reference.key, storeIndex))
      counts.inserted -= 1
    }
  }

  /// Links objects on both ends, those with an order last, so that theirs is what the input says.
  func connect(_ connections: [ImportConnection]) throws {
    guard !connections.isEmpty else { return }
    var objects: [RecordReference: ManagedObject] = [:]
    func object(_ reference: RecordReference) -> ManagedObject {
      if let known = objects[reference] { return known }
      let made = context.fault(plans[reference.entity], reference.key, storeIndex)
      objects[reference] = made
      return made
    }
    var changed: [ManagedObject] = []
    for connection in connections {
      let owner = object(connection.owner)
      let relationship = relationship(connection)
      if !relationship.isToMany { changed.append(owner) }
      let members = connection.members.map { object($0) }
      if let inverse = relationship.description.inverse, !inverse.isToMany { changed += members }
    }
    try context.loadRows(of: changed)
    for connection in connections where !relationship(connection).isOrdered {
      try located(connection) { try connect(connection, object) }
    }
    let ordered = connections.filter { relationship($0).isOrdered }
    var owners: [ObjectIdentifier: (relationship: RelationshipPlan, objects: [ManagedObject])] = [:]
    for connection in ordered {
      let relationship = relationship(connection)
      owners[ObjectIdentifier(relationship.description), default: (relationship, [])].objects
        .append(object(connection.owner))
    }
    for group in owners.values { try context.resolve(group.relationship, of: group.objects) }
    for connection in ordered { try located(connection) { try connect(connection, object) } }
  }

  private func relationship(_ connection: ImportConnection) -> RelationshipPlan {
    let plan = plans[connection.owner.entity]
    return plan.relationships[plan.properties[connection.property].relationship]
  }

  private func located(_ connection: ImportConnection, _ body: () throws -> Void) throws {
    do { try body() } catch let error as GraphStoreError {
      throw ImportFailure(record: connection.record, line: connection.line, error: error)
    }
  }

  private func connect(
    _ connection: ImportConnection, _ object: (RecordReference) -> ManagedObject
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

  // MARK: Counting

  private func checkCounts() throws -> [ImportFailure] {
    var failures: [ImportFailure] = []
    var position: Int64?
    while true {
      let checks = try scratch.checks(after: position, count: Self.chunk)
      guard let last = checks.last else { break }
      position = Int64(bitPattern: ObjectReferenceWord(last.object).bits)
      let objects = checks.map { context.fault(plans[$0.object.entity], $0.object.key, storeIndex) }
      try context.loadRows(of: objects)
      try resolveConstrained(objects)
      var failed: [RecordReference] = []
      for (check, object) in zip(checks, objects) where object.block != nil {
        for error in try countFailures(object) {
          failures.append(ImportFailure(record: check.record, line: check.line, error: error))
          failed.append(check.object)
        }
      }
      if options.skipsFailures, !failed.isEmpty {
        try remove(failed)
        try context.save()
      }
      context.reset()
    }
    return failures
  }

  private func resolveConstrained(_ objects: [ManagedObject]) throws {
    var groups: [Int: [ManagedObject]] = [:]
    for object in objects { groups[object.plan.index, default: []].append(object) }
    for (entity, group) in groups {
      for relationship in plans[entity].relationships
      where relationship.isToMany && plans[entity].constrainsCount(of: relationship) {
        try context.resolve(relationship, of: group)
      }
    }
  }

  private func countFailures(_ object: ManagedObject) throws -> [GraphStoreError] {
    try object.plan.relationships.compactMap { relationship in
      guard object.plan.constrainsCount(of: relationship) else { return nil }
      let count =
        relationship.isToMany
        ? try object.members(of: relationship).count
        : object.currentRow?.reference(relationship.slot) == nil ? 0 : 1
      return object.failure(of: relationship, count: count)
    }
  }

  // MARK: Kept keys

  /// Lets the counters go on behind the greatest key that was kept.
  private func raiseCounters() throws {
    for (root, greatest) in greatestKeys.sorted(by: { $0.key < $1.key }) {
      let next = try store.reserveKeys(plans[root], count: 1)
      if next < greatest { _ = try store.reserveKeys(plans[root], count: Int(greatest - next)) }
    }
  }
}
