import Foundation
import GraphStoreModel
import GraphStorePredicates

/// One run of a migration manager: the step from one store to another, object by object, in three passes
/// (MIG-211 to MIG-215).
final class MigrationRun {
  unowned let manager: MigrationManager
  let source: MigrationSide
  let destination: MigrationSide
  /// The mappings of the step, which run one after the other (MIG-227).
  let parts: [CheckedMapping]
  /// The entity mappings of each part.
  private(set) var works: [[MappingWork]] = []
  /// The entity mappings whose look-ups are known, by name.
  private(set) var worksByName: [String: MappingWork] = [:]
  /// The entity mappings that objects of a source entity may have been handled by, by its position.
  private(set) var worksBySource: [[MappingWork]]
  let findings = MigrationFindings()
  let keys: DestinationKeys
  let meter: MigrationMeter
  private(set) var transaction: StoreTransaction?
  private var batchesInTransaction = 0
  /// The entity mapping of the object that is being migrated.
  var workInHand: MappingWork?
  /// The entity mapping whose hooks run.
  var current: MappingWork?
  /// The source object, or without one the new object, that is being migrated; nil between them.
  var inHand: ManagedObject?
  /// The part that runs.
  var currentPart: CheckedMapping?

  /// Between two commits: so that the log does not grow with the store, and the disk is not waited for too
  /// often.
  private static let batchesPerTransaction = 64

  init(
    _ manager: MigrationManager, _ parts: [CheckedMapping], from source: MigrationSide,
    to destination: MigrationSide
  )
    throws
  {
    self.manager = manager
    self.parts = parts
    self.source = source
    self.destination = destination
    meter = MigrationMeter(manager.signal, onProgress: manager.onProgress)
    worksBySource = source.layouts.map { _ in [] }
    works = try parts.map { part in
      try part.entityMappings.map { try MappingWork($0, source, destination) }
    }
    keys = DestinationKeys(
      destination.layouts, shared: Self.sharedTrees(works.flatMap(\.self), destination.layouts))
    for work in works.flatMap(\.self) {
      worksByName[work.mapping.name] = work
      if let source = work.source { worksBySource[source.index].append(work) }
    }
    for work in works.joined() { try prepare(work) }
    assignRoles()
  }

  /// By entity tree of the destination, whether objects with one key in the source may become several objects
  /// of it: those of several trees, or of an entity that several mappings take.
  private static func sharedTrees(_ works: [MappingWork], _ layouts: [EntityLayout]) -> [Bool] {
    var sources = [[EntityLayout]](repeating: [], count: layouts.count)
    var isShared = [Bool](repeating: false, count: layouts.count)
    for work in works {
      guard let source = work.source, let root = work.destination?.rootIndex else { continue }
      let isOther = sources[root].contains { $0 === source || $0.rootIndex != source.rootIndex }
      isShared[root] = isShared[root] || isOther
      sources[root].append(source)
    }
    return isShared
  }

  /// The pairing by the models alone.
  private lazy var pairing = parts.first?.pairing

  /// Whether policies take part, which may set what mappings do not.
  private(set) lazy var hasPolicies = works.joined().contains { !$0.isPlain }

  /// Whether no part of the step was written by hand, so that its data were valid under the old model and are
  /// only checked for what the new one changes (MIG-124).
  private(set) lazy var isInferred = works.joined().allSatisfy(\.mapping.isInferred)

  // MARK: Preparing

  private func prepare(_ work: MappingWork) throws {
    guard let layout = work.destination else { return }
    let options = MigrationLookUps(self).options(for: work, manager.functions)
    func compile(_ tree: QueryExpression, _ property: String) throws -> MappingExpression {
      do { return try MappingExpression(tree, property: property, work.scope, options) } catch {
        throw GraphStoreError.failedExpression(error, of: property, in: work.mapping, nil)
      }
    }
    work.attributes = try AttributeTransfer(
      work.mapping, from: work.source, to: layout, allowsInexact: manager.allowsInexactConversion,
      expression: compile)
    work.relationships = try work.mapping.relationships.compactMap { mapping in
      guard let property = layout.property(named: mapping.relationship.name), property.relationship >= 0
      else {
        return nil
      }
      let relationship = layout.relationships[property.relationship]
      guard relationship.isPersistent else { return nil }
      return try transfer(mapping, relationship, work, compile)
    }
  }

  private func transfer(
    _ mapping: CheckedRelationshipMapping, _ relationship: RelationshipLayout, _ work: MappingWork,
    _ compile: (QueryExpression, _ property: String) throws -> MappingExpression
  ) throws -> RelationshipTransfer? {
    let isStated = !mapping.isInferred
    let name = mapping.relationship.name
    switch mapping.value {
    case .empty: return isStated ? RelationshipTransfer(relationship, .nothing, isStated: true) : nil
    case .relationship(let origin):
      guard let property = work.source?.property(named: origin.name), property.relationship >= 0,
        let layout = work.source?.relationships[property.relationship]
      else { return nil }
      return RelationshipTransfer(
        relationship, .relationship(layout), isStated: isStated, origin: origin,
        dropsStrangers: pairing?.destination(of: origin.destination)?.isKind(
          of: mapping.relationship.destination) == true)
    case .objects(let other, let tree):
      return try RelationshipTransfer(
        relationship, .objects(of: self.work(named: other), compile(tree, name)), isStated: isStated)
    case .expression(let tree):
      return RelationshipTransfer(relationship, .expression(try compile(tree, name)), isStated: isStated)
    }
  }

  /// Works out from which end links are set that both ends know something of.
  ///
  /// An unstated relationship is set from the canonical end of the part that runs: objects of a later part
  /// are not there yet, and set the links to those of earlier ones themselves.
  private func assignRoles() {
    var stated: [RelationshipDescription] = []
    for part in works { assignRoles(part, &stated) }
  }

  /// - Parameter stated: The relationships that were stated so far.
  private func assignRoles(_ works: [MappingWork], _ stated: inout [RelationshipDescription]) {
    for work in works {
      for transfer in work.relationships {
        let relationship = transfer.relationship.description
        guard let inverse = relationship.inverse, inverse !== relationship else { continue }
        if transfer.isStated {
          if stated.contains(where: { $0 === inverse }) {
            transfer.role = .compares
          } else {
            stated.append(relationship)
          }
          continue
        }
        let others = works.flatMap(\.relationships).filter { $0.relationship.description === inverse }
        let isFollower = others.contains(where: \.isStated) || (!others.isEmpty && !transfer.isCanonical)
        if isFollower { transfer.role = .follows }
      }
    }
  }

  /// - Throws: `migration-failed` with near names for an entity mapping that there is not (MIG-206).
  func work(named name: String) throws -> MappingWork {
    if let work = worksByName[name] { return work }
    var error = GraphStoreError(
      .migrationFailed, "There is no entity mapping \(name).", remedy: "Give the name of one of the step's.")
    error.suggestions = NearestNames.names(near: name, among: worksByName.keys.sorted())
    throw error
  }

  /// Records that look-ups of objects of an entity have to include a mapping, whose own source may be another
  /// one.
  func addPlace(of work: MappingWork, for entity: Int) {
    if entity == work.source?.index || worksBySource[entity].contains(where: { $0 === work }) { return }
    worksBySource[entity].append(work)
  }

  // MARK: Running

  /// - Throws: `migration-constraint` with everything that was found.
  func throwFindings() throws {
    try findings.throwFindings(path: manager.storePath ?? source.mount.store.path)
  }

  /// Runs the whole step.
  func run() throws {
    do {
      try copyMetadata()
      try raiseCounters()
      try countObjects()
      for (position, part) in works.enumerated() {
        currentPart = parts[position]
        try runFirstPass(part)
        try throwFindings()
        try runSecondPass(part)
        try throwFindings()
        try runThirdPass(part, isLast: position == works.count - 1)
      }
      try commit()
      try countResults()
    } catch {
      describeFailure()
      rollBack()
      throw error
    }
  }

  /// Logs the object that was being migrated when a step failed (DGN-103).
  private func describeFailure() {
    guard let object = inHand, let work = workInHand else { return }
    inHand = nil
    let policy = work.isPlain ? "" : ", policy \(type(of: work.policy))"
    manager.log.write(.steps, "failed at \(object.objectID.shortForm), mapping \(work.mapping.name)\(policy)")
  }

  /// The user's metadata are copied with the objects (MIG-273).
  private func copyMetadata() throws {
    let metadata = try source.mount.store.read { try $0.metadata() }
    let own = metadata.filter { !StoreMetadata.isReserved($0.key) }
    if !own.isEmpty { try session().setMetadata(own.mapValues { $0 }) }
  }

  /// New keys begin beyond all that the source has assigned.
  private func raiseCounters() throws {
    var greatest = [Int64](repeating: 0, count: destination.layouts.count)
    for work in works.joined() {
      guard let layout = work.source, let root = work.destination?.rootIndex else { continue }
      let key = try source.mount.store.read { try $0.greatestKey(source.layouts[layout.rootIndex]) }
      greatest[root] = max(greatest[root], key)
    }
    for (root, key) in greatest.enumerated() where key > 0 {
      let layout = destination.layouts[root]
      let present = try session().greatestKey(layout)
      if key > present { _ = try session().reserveKeys(layout, count: Int(key - present)) }
    }
  }

  private func countObjects() throws {
    var count = 0
    for work in works.joined() where work.takesObjects {
      guard let entity = work.source?.entity else { continue }
      work.sourceCount = try source.context.count(
        for: FetchRequest(entityName: entity.name, includesSubentities: false))
      count += work.sourceCount
    }
    // Each object is made, linked and checked.
    meter.begin(units: count * 3)
  }

  /// The number of objects by the names of the destination's entities.
  private(set) var objectCounts: [String: Int] = [:]

  private func countResults() throws {
    for layout in destination.layouts where !layout.entity.isAbstract {
      guard destination.mount.store.entities.contains(layout.entity) else { continue }
      objectCounts[layout.entity.name] = try destination.context.count(
        for: FetchRequest(entityName: layout.entity.name, includesSubentities: false))
    }
  }

  // MARK: Writing

  /// The transaction that writes, begun if there is none.
  func session() throws -> any WriteSession {
    if transaction == nil {
      let begun = try destination.coordinator.beginTransaction()
      try begun.join(destination.context)
      transaction = begun
    }
    guard let session = transaction?.session(destination.mount.index) else {
      throw destination.coordinator.noStore()
    }
    return session
  }

  /// Ends a batch: objects without a reference are released, and now and then what was written is committed.
  ///
  /// - Throws: `migration-cancelled`.
  func endBatch(units: Int) throws {
    batchesInTransaction += 1
    if batchesInTransaction >= Self.batchesPerTransaction { try commit() }
    try meter.advance(units)
  }

  private func commit() throws {
    batchesInTransaction = 0
    guard let open = transaction else { return }
    try open.commit()
    transaction = nil
  }

  private func rollBack() {
    try? transaction?.rollback()
    transaction = nil
  }

  /// Saves what hooks have changed; all objects of the destination become faults then, so that nothing holds
  /// another.
  func saveDestination() throws {
    _ = try session()
    do { try destination.context.save() } catch let error as GraphStoreError
      where error.code == .constraintConflict
    {
      throw duplicate(error)
    }
    if destination.context.registry.count > 0 { try destination.context.refreshAllObjects() }
  }
}
