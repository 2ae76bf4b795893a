import GraphStoreModel

extension RecordImporter {
  private static var chunk: Int { 1000 }

  /// Joins what waits, and counts and judges the links of objects where the model limits them; after the last
  /// flush.
  ///
  /// - Returns: the records that cannot be imported, and where failures are skipped those that refer to them
  ///   too. They are written already, so that the caller has to take the transaction back.
  package func finish(in transaction: StoreTransaction) throws -> [ImportFailure] {
    try context.performAndWait { try writing(in: transaction) { try connectAndCount() } }
  }

  private func connectAndCount() throws -> [ImportFailure] {
    var failures: [ImportFailure] = []
    if scratch.pendingCount > 0 { failures += try connectPending() }
    // Where links are missing, counts say nothing.
    if failures.isEmpty, scratch.hasTouches { failures += try checkCounts() }
    if options.keepsKeys, failures.isEmpty { try raiseCounters() }
    if options.skipsFailures { failures += try dependents(of: failures) }
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
    let wanted = pending.map {
      (layouts[$0.owner.entity], ImportLink(property: $0.property, target: $0.target))
    }
    try find(wanted, isLast: true)
    try createMissing(wanted, isLast: true)
    relayCreated()
    countCreated()
    var failures: [ImportFailure] = []
    var connections: [ImportConnection] = []
    for link in pending {
      let layout = layouts[link.owner.entity]
      let relationship = layout.relationships[layout.properties[link.property].relationship]
      switch try resolution(of: link.target, relationship, isLast: true) {
      case .waits: break
      case .failed(let error):
        failures.append(ImportFailure(record: link.record, line: link.line, error: error))
      case .found(let member, let record):
        try recordLink(link, relationship: relationship, member: member, record: record)
        if let last = connections.last, last.record == link.record, last.owner == link.owner,
          last.property == link.property
        {
          connections[connections.count - 1].members.append(member)
        } else {
          connections.append(
            ImportConnection(
              owner: link.owner, property: link.property, members: [member], isExact: false,
              record: link.record, line: link.line))
        }
      }
    }
    guard failures.isEmpty else { return failures }
    do {
      var touches: [ImportTouch] = []
      try connect(connections) { touches.append($0) }
      for touch in touches { try scratch.addTouch(touch) }
      try context.save()
    } catch let failure as ImportFailure {
      failures.append(failure)
    } catch let error as GraphStoreError {
      failures += try self.failures(in: error, connections)
    }
    return failures
  }

  /// Records which object refers to which, and the ends whose links the model limits.
  private func recordLink(
    _ link: ImportPendingLink, relationship: RelationshipLayout, member: ObjectKey, record: Int?
  ) throws {
    if let record, options.skipsFailures {
      try scratch.addDependency(ImportDependency(record: link.record, line: link.line, target: record))
    }
    guard hasLimitedLinks else { return }
    if layouts[link.owner.entity].limitsLinks(of: relationship) {
      try scratch.addTouch(
        ImportTouch(
          object: link.owner, property: relationship.number, record: link.record, line: link.line))
    }
    guard relationship.inverse >= 0 else { return }
    let layout = layouts[member.entity]
    let inverse = layout.relationships[relationship.inverse]
    guard layout.limitsLinks(of: inverse) else { return }
    try scratch.addTouch(
      ImportTouch(object: member, property: inverse.number, record: link.record, line: link.line))
  }

  private func failures(in error: GraphStoreError, _ connections: [ImportConnection]) throws
    -> [ImportFailure]
  {
    try (error.errors.isEmpty ? [error] : error.errors).map { error in
      guard let id = error.objectID else { throw error }
      let root = layouts[id.entityIndex].rootIndex
      func isMeant(_ object: ObjectKey) -> Bool {
        object.key == id.key && layouts[object.entity].rootIndex == root
      }
      guard
        let connection = connections.last(where: { isMeant($0.owner) || $0.members.contains(where: isMeant) })
      else { throw error }
      return ImportFailure(record: connection.record, line: connection.line, error: error)
    }
  }

  // MARK: Counting

  private func checkCounts() throws -> [ImportFailure] {
    var failures: [ImportFailure] = []
    var position: Int64?
    while true {
      let touches = try scratch.touches(after: position, count: Self.chunk)
      guard let last = touches.last else { break }
      position = Int64(bitPattern: PackedReference(last.object).bits)
      failures += try countFailures(touches).map { touch, error in
        ImportFailure(record: touch.record, line: touch.line, error: error)
      }
      context.reset()
    }
    return failures
  }

  /// The objects whose links are too few or too many, or break a predicate of the relationship, each with the
  /// record that is to blame: where they are too few the last one that took one away, else the one that makes
  /// the object; otherwise the last one that had to do with them.
  func countFailures(_ touches: [ImportTouch]) throws -> [(touch: ImportTouch, error: GraphStoreError)] {
    guard !touches.isEmpty else { return [] }
    var order: [ObjectKey] = []
    var byObject: [ObjectKey: [ImportTouch]] = [:]
    for touch in touches {
      if byObject[touch.object] == nil { order.append(touch.object) }
      byObject[touch.object, default: []].append(touch)
    }
    let objects = order.map { context.fault(layouts[$0.entity], key: $0.key, storeIndex: storeIndex) }
    try context.loadRows(of: objects)
    try resolveLimited(objects)
    var failures: [(ImportTouch, GraphStoreError)] = []
    for (reference, object) in zip(order, objects) where object.block != nil {
      for (relationship, isLacking, error) in try linkFailures(object) {
        let touches = (byObject[reference] ?? []).filter { $0.property == relationship.number }
        guard let blamed = Self.blamed(touches, isLacking: isLacking) else { continue }
        failures.append((blamed, error))
      }
    }
    return failures
  }

  private static func blamed(_ touches: [ImportTouch], isLacking: Bool) -> ImportTouch? {
    func last(_ touches: [ImportTouch]) -> ImportTouch? { touches.max { $0.record < $1.record } }
    if !isLacking { return last(touches) }
    return last(touches.filter { $0.role.contains(.taker) })
      ?? touches.first { $0.role.contains(.maker) } ?? last(touches)
  }

  /// Reads the members that are counted, and the destinations that predicates are about, with a statement for
  /// all of them.
  private func resolveLimited(_ objects: [ManagedObject]) throws {
    var groups: [Int: [ManagedObject]] = [:]
    for object in objects { groups[object.layout.index, default: []].append(object) }
    var judged: [ManagedObject] = []
    for (entity, group) in groups {
      for relationship in layouts[entity].relationships where layouts[entity].limitsLinks(of: relationship) {
        if relationship.isToMany { try context.resolve(relationship, of: group) }
        guard relationship.hasRules else { continue }
        judged += try group.filter { $0.block != nil }.flatMap { try destinations(of: $0, relationship) }
      }
    }
    try context.loadRows(of: judged)
  }

  private func destinations(
    of object: ManagedObject, _ relationship: RelationshipLayout
  ) throws -> [ManagedObject] {
    relationship.isToMany
      ? try object.members(of: relationship) : try object.object(of: relationship).map { [$0] } ?? []
  }

  /// The failures of the links of an object, and whether links are missing.
  private func linkFailures(
    _ object: ManagedObject
  ) throws -> [(relationship: RelationshipLayout, isLacking: Bool, error: GraphStoreError)] {
    try object.layout.relationships.compactMap { relationship in
      guard object.layout.limitsLinks(of: relationship) else { return nil }
      let count =
        relationship.isToMany
        ? try object.members(of: relationship).count
        : object.currentRow?.reference(relationship.slot) == nil ? 0 : 1
      let limit = relationship.description.maxCount
      if let error = object.failure(of: relationship, count: count) {
        return (relationship, !(relationship.isToMany && limit > 0 && count > limit), error)
      }
      guard relationship.hasRules else { return nil }
      let broken = try object.ruleFailures(of: relationship, destinations(of: object, relationship))
      return GraphStoreError.combining(broken).map { (relationship, false, $0) }
    }
  }

  // MARK: Records that refer to others

  /// The records that refer to such as cannot be imported, directly or by way of others.
  private func dependents(of failures: [ImportFailure]) throws -> [ImportFailure] {
    var seen = Set(failures.map(\.record))
    var found: [ImportFailure] = []
    var waiting = failures.map { (record: $0.record, line: $0.line) }
    while let target = waiting.popLast() {
      for dependency in try scratch.dependencies(on: target.record)
      where seen.insert(dependency.record).inserted {
        found.append(
          ImportFailure(
            record: dependency.record, line: dependency.line,
            error: GraphStoreError(
              .unresolvedLink,
              "A link leads to the record of \(placeText(target.record, target.line)), which cannot be imported.",
              remedy: "Correct that record first.")))
        waiting.append((dependency.record, dependency.line))
      }
    }
    return found
  }

  // MARK: Kept keys

  /// Sets the counters beyond the greatest key that was kept.
  func raiseCounters() throws {
    for (root, greatest) in greatestKeys.sorted(by: { $0.key < $1.key })
    where greatest > raisedKeys[root] ?? 0 {
      raisedKeys[root] = greatest
      let next = try session.reserveKeys(layouts[root], count: 1)
      if next < greatest { _ = try session.reserveKeys(layouts[root], count: Int(greatest - next)) }
    }
  }
}
