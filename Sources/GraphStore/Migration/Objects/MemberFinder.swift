import GraphStoreModel
import GraphStorePredicates
import OrderedCollections

/// Finder of the members that a relationship gets by its transfer, for a batch of owners.
struct MemberFinder {
  private let run: MigrationRun
  private let work: MappingWork
  private let transfer: RelationshipTransfer
  private let relationship: RelationshipLayout

  /// Whether members that the new model does not allow are reported.
  private let reports: Bool

  init(_ run: MigrationRun, _ work: MappingWork, _ transfer: RelationshipTransfer, reports: Bool = true) {
    self.run = run
    self.reports = reports
    self.work = work
    self.transfer = transfer
    relationship = transfer.relationship
  }

  /// The members of each owner, in order; at most one of a to-one.
  ///
  /// - Throws: `migration-failed` for several members of a to-one, and for what is no object of the
  ///   destination (MIG-173).
  func members(
    of batch: [(source: PackedReference, destination: PackedReference)]
  ) throws -> [[PackedReference]] {
    switch transfer.source {
    case .nothing: return batch.map { _ in [] }
    case .relationship(let origin): return try successors(of: origin, batch)
    case .objects(let other, let expression):
      return try evaluating(expression, batch) {
        try run.destinationReferences(of: other, run.objects(in: $0))
      }
    case .expression(let expression):
      return try evaluating(expression, batch) { operand in
        try OrderedSet(run.objects(in: operand).map(destinationReference)).elements
      }
    }
  }

  // MARK: Expressions

  private func evaluating(
    _ expression: MappingExpression, _ batch: [(source: PackedReference, destination: PackedReference)],
    _ references: (QueryOperand) throws -> [PackedReference]
  ) throws -> [[PackedReference]] {
    let sources = try run.source.loadedObjects(batch.map(\.source))
    return try withExtendedLifetime(sources) {
      try batch.map { pair in
        work.scope.source = .source(run.source.object(pair.source))
        work.scope.destination = .source(run.destination.object(pair.destination))
        defer { (work.scope.source, work.scope.destination) = (.null, .null) }
        let found: [PackedReference]
        do { found = try references(try expression.operand()) } catch {
          throw GraphStoreError.failedExpression(
            error, of: relationship.description.name, in: work.mapping, run.source.identifier(pair.source))
        }
        return try checked(found, pair)
      }
    }
  }

  private func destinationReference(_ object: ManagedObject) throws -> PackedReference {
    guard object.context === run.destination.context else {
      throw GraphStoreError(
        .contextMismatch, "\(object.objectID.shortForm) is an object of the source.",
        remedy:
          "Look up its destination object: FUNCTION($manager, \"\(MigrationLookUps.destinationInstances)\", …)."
      )
    }
    if object.key < 0 {
      _ = try run.session()
      try run.destination.context.obtainPermanentIDs(for: [object])
    }
    return PackedReference(object)
  }

  private func checked(
    _ found: [PackedReference], _ pair: (source: PackedReference, destination: PackedReference)
  ) throws -> [PackedReference] {
    for member in found {
      let entity = run.destination.layouts[member.entity].entity
      guard entity.isKind(of: relationship.destinationEntity) else {
        throw failure(
          "\(run.destination.identifier(member).shortForm) is no \(relationship.destinationEntity.name)",
          remedy: "Let the expression give objects of that entity.", pair.source)
      }
    }
    guard relationship.isToMany || found.count < 2 else {
      let names = found.prefix(10).map { run.destination.identifier($0).shortForm }
      throw failure(
        "the expression gives \(found.count) objects for a to-one: \(names.joined(separator: ", "))",
        remedy: "Let it give one object.", pair.source)
    }
    return found
  }

  private func failure(_ text: String, remedy: String, _ source: PackedReference) -> GraphStoreError {
    let name = relationship.description.name
    let id = run.source.identifier(source)
    return GraphStoreError(
      .migrationFailed, "\(work.mapping.name).\(name) for \(id.shortForm): \(text).", remedy: remedy,
      entity: work.mapping.destination?.name, property: name, objectID: id)
  }

  // MARK: Relationships of the source

  /// The objects that any mapping made for the members of a relationship of the source (MIG-177).
  private func successors(
    of origin: RelationshipLayout, _ batch: [(source: PackedReference, destination: PackedReference)]
  ) throws -> [[PackedReference]] {
    let members = try formerMembers(of: origin, batch.map(\.source))
    return try zip(batch, members).map { pair, members in
      var found: OrderedSet<PackedReference> = []
      for member in members { try add(successorsOf: member, to: &found, pair.source) }
      guard !relationship.isToMany, found.count > 1 else { return found.elements }
      guard origin.isToMany else { return try checked(found.elements, pair) }
      if reports {
        run.findings.add(
          .severalMembers, entity: relationship.description.entity, property: relationship.description.name,
          run.source.identifier(pair.source), value: "\(found.count) members",
          isAllowed: run.manager.allowsInexactConversion)
      }
      return [found[0]]
    }
  }

  private func add(
    successorsOf member: PackedReference, to found: inout OrderedSet<PackedReference>,
    _ owner: PackedReference
  ) throws {
    var (isKnown, isReachable) = (false, false)
    for work in run.worksBySource[member.entity] {
      work.associations.forEachDestination(of: member) { successor in
        isKnown = true
        guard run.destination.layouts[successor.entity].entity.isKind(of: relationship.destinationEntity)
        else {
          return
        }
        isReachable = true
        found.append(successor)
      }
    }
    if !isKnown, reports { transfer.droppedCount += 1 }
    if isKnown, !isReachable, reports, transfer.dropsStrangers { transfer.droppedCount += 1 }
    guard isKnown, !isReachable, !transfer.isStated, !transfer.dropsStrangers, reports else { return }
    run.findings.add(
      .wrongMember(relationship.destinationEntity.name), entity: relationship.description.entity,
      property: relationship.description.name, run.source.identifier(owner),
      value: run.source.identifier(member).shortForm)
  }

  /// The members in the source: in their order, else by key.
  private func formerMembers(
    of origin: RelationshipLayout, _ owners: [PackedReference]
  ) throws -> [[PackedReference]] {
    guard origin.isToMany else {
      return try withExtendedLifetime(run.source.loadedObjects(owners)) { _ in
        owners.map { owner in
          run.source.object(owner).currentRow?.reference(origin.slot).map { [$0] } ?? []
        }
      }
    }
    let links = try run.source.context.readingOnce(from: run.source.mount.index) { session in
      try session.members(origin, owners: owners.map(\.key))
    }
    var members: [Int64: [PackedReference]] = [:]
    for link in links { members[link.owner, default: []].append(PackedReference(link.member)) }
    return owners.map { members[$0.key] ?? [] }
  }
}
