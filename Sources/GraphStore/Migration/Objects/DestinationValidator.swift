import GraphStoreModel
import GraphStorePredicates

/// Validator of all objects of a migrated store by the rules of its model (MIG-214); of an inferred step only
/// by those that the new model has and the old one had not (MIG-121, MIG-124).
struct DestinationValidator {
  private let run: MigrationRun
  private let evaluators = ValidationPredicates()
  /// More failures are counted, and not kept.
  private static let mostFailures = 1000

  init(_ run: MigrationRun) { self.run = run }

  /// - Throws: `migration-failed` with the failures of validation underneath; `migration-constraint` for an
  ///   inferred step.
  func validate() throws {
    var failures: [GraphStoreError] = []
    var count = 0
    for layout in run.destination.layouts where isToBeChecked(layout) {
      try forEachBatch(of: layout) { rows in
        let found = try run.isInferred ? check(rows, layout) : self.failures(rows, layout)
        count += found.count
        failures += found.prefix(Self.mostFailures - failures.count)
        try run.endBatch(units: rows.count)
      }
    }
    try run.throwFindings()
    guard let error = GraphStoreError.combining(failures) else { return }
    let objects = count == 1 ? "1 value or link is" : "\(count) values or links are"
    var failure = GraphStoreError(
      .migrationFailed, "\(objects) not valid under the new model: \(failures[0].message)",
      remedy:
        "Let the mapping give values that the model allows, or change the objects with the old model first.",
      entity: failures[0].entity, property: failures[0].property, objectID: failures[0].objectID,
      underlying: error)
    failure.details = failures.prefix(10).map(\.message)
    failure.errors = failures
    throw failure
  }

  private func isToBeChecked(_ layout: EntityLayout) -> Bool {
    guard !layout.entity.isAbstract, run.destination.mount.store.entities.contains(layout.entity) else {
      return false
    }
    return !run.isInferred || !demands(on: layout).isEmpty || !limits(on: layout).isEmpty
  }

  // MARK: Reading

  /// The rows of exactly an entity, some at a time.
  private func forEachBatch(
    of layout: EntityLayout, _ body: ([(key: Int64, row: Row)]) throws -> Void
  ) throws {
    let request = StoreRequest(entityName: layout.entity.name, .identifiers, includesSubentities: false)
    let keys = try run.session().plan(request).identifiers().map(\.key)
    for start in stride(from: 0, to: keys.count, by: run.manager.batchSize) {
      var rows: [(key: Int64, row: Row)] = []
      try run.session().rows(
        run.destination.layouts[layout.rootIndex],
        keys: Array(keys[start..<min(start + run.manager.batchSize, keys.count)])
      ) { batch in
        batch.forEach { rows.append(($0, $1)) }
      }
      try body(rows)
    }
  }

  private func identifier(_ key: Int64, _ layout: EntityLayout) -> ManagedObjectID {
    run.destination.identifier(PackedReference(entity: layout.index, key: key))
  }

  // MARK: All rules

  private func failures(_ rows: [(key: Int64, row: Row)], _ layout: EntityLayout) throws -> [GraphStoreError]
  {
    var failures: [GraphStoreError] = []
    for (key, row) in rows {
      if !layout.unheldDemands.isEmpty { failures += layout.unheldFailures(identifier(key, layout)) }
      try layout.validateAttributes(
        of: row, skippingTransient: true, objectID: identifier(key, layout), evaluators: evaluators, &failures
      )
    }
    let limited = layout.relationships.filter { $0.isPersistent && layout.limitsLinks(of: $0) }
    if !limited.isEmpty { failures += try linkFailures(rows.map(\.key), layout, limited) }
    return failures
  }

  private func linkFailures(
    _ keys: [Int64], _ layout: EntityLayout, _ limited: [RelationshipLayout]
  ) throws -> [GraphStoreError] {
    let context = run.destination.context
    let objects = try run.destination.loadedObjects(
      keys.map { PackedReference(entity: layout.index, key: $0) })
    var failures: [GraphStoreError] = []
    for relationship in limited {
      if relationship.isToMany { try context.resolve(relationship, of: objects) }
      for object in objects {
        let members =
          relationship.isToMany
          ? try object.members(of: relationship) : try object.object(of: relationship).map { [$0] } ?? []
        if let failure = object.failure(of: relationship, count: members.count) { failures.append(failure) }
        if relationship.hasRules { failures += try object.ruleFailures(of: relationship, members) }
      }
    }
    try context.refreshAllObjects()
    return failures
  }

  // MARK: New rules

  /// Attributes that are mandatory now, and may have had no value before.
  private func demands(on layout: EntityLayout) -> [PropertyLayout] {
    works(for: layout).flatMap { $0.attributes?.demands ?? [] }
  }

  /// Relationships whose members the new model limits in another way than the old one.
  private func limits(on layout: EntityLayout) -> [RelationshipLayout] {
    layout.relationships.filter { relationship in
      guard relationship.isPersistent else { return false }
      let description = relationship.description
      guard
        description.requiresMember || description.minCount > 1
          || (relationship.isToMany && description.maxCount > 0)
      else { return false }
      let origins = works(for: layout).map { work in
        work.relationships.first { $0.relationship === relationship }?.origin
      }
      return origins.contains { origin in
        origin.map { !$0.limits(like: description) || losesMembers($0, relationship) } ?? true
      }
    }
  }

  /// Whether objects that a relationship of the source may lead to have no successors that the new one leads
  /// to.
  private func losesMembers(_ origin: RelationshipDescription, _ relationship: RelationshipLayout) -> Bool {
    origin.destination.concreteFamily.contains { entity in
      !run.works.joined().contains { work in
        work.mapping.filter == nil && work.source?.entity.name == entity.name
          && work.destination?.entity.isKind(of: relationship.destinationEntity) == true
      }
    }
  }

  private func works(for layout: EntityLayout) -> [MappingWork] {
    run.works.joined().filter { $0.destination === layout }
  }

  private func check(_ rows: [(key: Int64, row: Row)], _ layout: EntityLayout) throws -> [GraphStoreError] {
    for property in demands(on: layout) {
      for (key, row) in rows where !row.hasValue(of: property) {
        run.findings.add(
          .missingValue, entity: layout.entity, property: property.name, origin(of: key, layout))
      }
    }
    for relationship in limits(on: layout) { try check(relationship, rows, layout) }
    return []
  }

  private func check(
    _ relationship: RelationshipLayout, _ rows: [(key: Int64, row: Row)], _ layout: EntityLayout
  ) throws {
    var counts: [Int64: Int] = [:]
    if relationship.isToMany {
      for link in try run.session().members(relationship, owners: rows.map(\.key)) {
        counts[link.owner, default: 0] += 1
      }
    }
    let description = relationship.description
    for (key, row) in rows {
      let count =
        relationship.isToMany ? counts[key] ?? 0 : row.reference(relationship.slot) == nil ? 0 : 1
      guard let rule = description.rule(brokenBy: count) else { continue }
      run.findings.add(
        rule, entity: layout.entity, property: description.name, origin(of: key, layout),
        value: relationship.isToMany ? "\(count) members" : nil)
    }
  }

  /// The object of the source that one was made of.
  private func origin(of key: Int64, _ layout: EntityLayout) -> ManagedObjectID {
    let made = PackedReference(entity: layout.index, key: key)
    var origin: PackedReference?
    for work in works(for: layout) { work.associations.forEachSource(of: made) { origin = origin ?? $0 } }
    return origin.map(run.source.identifier) ?? run.destination.identifier(made)
  }
}

extension RelationshipDescription {
  /// Whether what satisfies this relationship's limits satisfies another one's.
  fileprivate func limits(like other: RelationshipDescription) -> Bool {
    let most = isToMany ? maxCount : 1
    return (!other.requiresMember || requiresMember) && (other.minCount <= 1 || minCount >= other.minCount)
      && (!other.isToMany || other.maxCount == 0 || (most > 0 && most <= other.maxCount))
  }

  /// The rule that a number of members breaks.
  fileprivate func rule(brokenBy count: Int) -> MigrationDataCheck.Rule? {
    if count == 0 { return requiresMember ? .missingMember : nil }
    guard isToMany else { return nil }
    if count < minCount { return .tooFewMembers(minCount) }
    return maxCount > 0 && count > maxCount ? .tooManyMembers(maxCount) : nil
  }
}
