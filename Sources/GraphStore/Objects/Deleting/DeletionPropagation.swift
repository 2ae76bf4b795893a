import GraphStoreModel
import OrderedCollections

/// Applies the delete rules to a set of objects: first all objects to be deleted are found, then links are
/// cut.
///
/// The members that rules act on are those of the store, joined with unsaved changes, whatever was read
/// before: another context may have added some since (REL-199, REL-240, REL-241).
///
/// One search serves deletion and preview, so that a preview cannot differ from what happens. Whatever is
/// checked for each object is first checked for the whole run of objects of one entity that were found
/// through one link: a tier whose rules reach nothing further costs nothing more than finding it.
final class DeletionPropagation {
  /// One object that stays and loses a link.
  struct Cut {
    let object: ManagedObject
    let lost: ManagedObject
    /// The relationship of the deleted object.
    let relationship: RelationshipLayout
  }

  /// A Deny relationship of an object that is deleted, and the objects in the way.
  struct Denial {
    let object: ManagedObject
    let relationship: RelationshipLayout
    let blocking: [ManagedObject]
    /// The cascade that has reached the object; nil where deletion was asked of it.
    var path: DeletionPath?
  }

  let context: ManagedObjectContext
  /// Whether objects are only looked for.
  let isPreview: Bool
  @safe @exclusivity(unchecked) private(set) var cascade = Cascade()
  private var marked: [ManagedObject] = []
  /// Objects whose records turned out to be gone: they count as deleted (REL-245).
  private var missing: Set<ManagedObject> = []
  /// The present members of relationships that had been resolved before.
  private var present: [Membership: [ManagedObject]] = [:]

  /// The count of changes by hooks when objects began to be marked; nil before.
  private var changesBefore: Int?

  private struct Membership: Hashable {
    let owner: ObjectIdentifier
    let ordinal: Int
  }

  init(context: ManagedObjectContext, isPreview: Bool) {
    self.context = context
    self.isPreview = isPreview
  }

  /// For objects whose deletion has been propagated already.
  init(context: ManagedObjectContext, isPreview: Bool, deleted: [ManagedObject]) {
    self.context = context
    self.isPreview = isPreview
    deleted.forEachBorrowed { cascade.append($0) }
  }

  /// Finds everything that is deleted with the passed objects, in waves (REL-211).
  func find(_ seeds: [ManagedObject]) throws {
    for object in seeds where !(isPreview && object.isDeleted) {
      if isPreview {
        guard !object.state.contains(.marked) else { continue }
        try mark(object)
      }
      cascade.append(object)
    }
    var start = 0
    var changes = changesByHooks
    changesBefore = changes
    while start < cascade.count {
      let runs = cascade.runs(from: start)
      start = cascade.count
      cascade.beginWave()
      try load(.cascade, of: runs)
      try collect(from: runs)
      collectHookDeletions()
      // Objects that hooks have linked to ones of earlier waves are deleted with these (REL-214).
      if start == cascade.count, changesByHooks != changes {
        changes = changesByHooks
        start = 0
      }
    }
  }

  /// Counts what hooks have set while objects were marked, which counts as a change of each.
  private var changesByHooks: Int { context.setterCount &- context.deletions.order.count }

  /// Whether hooks have set anything since objects began to be marked: links may lead elsewhere than when
  /// they were read.
  private var haveHooksChanged: Bool { changesBefore.map { $0 != changesByHooks } ?? false }

  /// Marks what a wave leads to. Hooks of it that read their objects have the rows of all read with the
  /// first.
  private func collect(from runs: [Cascade.Group]) throws {
    if !isPreview, context.coordinator.hasClasses {
      context.deletions.wave = DeletionWave { [unowned self] in try faults(behind: runs) }
    }
    defer { context.deletions.wave = nil }
    for run in runs { try collect(from: run) }
  }

  /// The faults without rows that cascades of runs lead to.
  private func faults(behind runs: [Cascade.Group]) throws -> [ManagedObject] {
    var faults: [ManagedObject] = []
    for run in runs {
      for relationship in relationships(of: run, { $0.deleteRule == .cascade }) {
        for object in cascade.objects[run.positions] { faults += try destinations(of: object, relationship) }
      }
    }
    return faults.filter { $0.block == nil && $0.state.isDisjoint(with: [.detached, .inaccessible]) }
  }

  private func collect(from run: Cascade.Group) throws {
    let relationships = relationships(of: run) { $0.deleteRule == .cascade }
    if relationships.isEmpty { return }
    for position in run.positions {
      for relationship in relationships {
        try destinations(of: cascade.objects[position], relationship).forEachBorrowed { object in
          if isGone(object) { return }
          try mark(object)
          cascade.append(object, from: position, by: relationship)
        }
      }
    }
  }

  private func mark(_ object: ManagedObject) throws {
    if isPreview {
      object.changeState(adding: .marked)
      marked.append(object)
    } else {
      try context.markDeleted(object)
    }
  }

  /// Ends a preview: no object keeps a mark.
  func removeMarks() {
    for object in marked { object.changeState(removing: .marked) }
    marked = []
  }

  /// Adds objects that a hook has deleted while the wave was marked: they form part of the next one
  /// (REL-214).
  private func collectHookDeletions() {
    guard !isPreview else { return }
    for object in context.deletions.pending { cascade.append(object) }
    context.deletions.pending = []
  }

  // MARK: Runs

  /// Whether delete rules have reached an object from a record, and not from a new object that was deleted
  /// itself.
  func isReachedFromRecord(_ position: Int, _ removedObjects: [ManagedObject: RemovedObject]) -> Bool {
    guard let source = cascade.source(at: position) else { return false }
    return !source.state.contains(.detached) || removedObjects[source] != nil
  }

  /// The relationships that may lead from objects of a run to objects that stay.
  func relationships(of run: Cascade.Group, _ isMeant: (RelationshipLayout) -> Bool) -> [RelationshipLayout] {
    let isWayBackKnown = !haveHooksChanged
    return run.layout.relationships.filter { isMeant($0) && !(isWayBackKnown && run.leadsBack($0)) }
  }

  // MARK: Looking

  func isGone(_ object: ManagedObject) -> Bool {
    !object.state.isDisjoint(with: [.deleted, .marked, .detached]) || missing.contains(object)
  }

  /// The objects at the other end, in relationship order if ordered, else by identifier (REL-212).
  func destinations(of object: ManagedObject, _ relationship: RelationshipLayout) throws -> [ManagedObject] {
    if object.state.contains(.inaccessible) || missing.contains(object) { return [] }
    if !relationship.isToMany {
      return try object.storedObject(of: relationship).map { [$0] } ?? []
    }
    let members =
      try presentMembers(of: object, relationship) ?? object.storedMembers(of: relationship)
    return relationship.isOrdered ? members : members.sortedByIdentifier()
  }

  private func presentMembers(of object: ManagedObject, _ relationship: RelationshipLayout)
    -> [ManagedObject]?
  {
    if present.isEmpty { return nil }
    let known = present[Membership(owner: ObjectIdentifier(object), ordinal: relationship.ordinal)]
    guard let known, haveHooksChanged else { return known }
    return object.toMany(relationship).members(joining: known)
  }

  /// Reads the rows of faults and notes those whose records are gone.
  func loadRows(of objects: [ManagedObject]) throws {
    let faults = objects.filter { $0.block == nil && context.isSaved($0) }
    try context.loadRows(of: faults)
    for fault in faults where fault.block == nil { missing.insert(fault) }
  }

  /// Reads what is needed of the relationships with a rule, with at most two statements a relationship.
  func load(_ rule: DeleteRule, of runs: [Cascade.Group]) throws {
    try load(of: runs.filter { $0.layout.has(rule) }) { $0.deleteRule == rule }
  }

  /// Reads what is needed of relationships, with at most two statements each.
  func load(of runs: [Cascade.Group], _ isMeant: (RelationshipLayout) -> Bool) throws {
    var toMany:
      OrderedDictionary<RelationshipDescription, (layout: RelationshipLayout, owners: [ManagedObject])> = [:]
    var faults: [ManagedObject] = []
    for run in runs {
      let needed = relationships(of: run, isMeant)
      if needed.isEmpty { continue }
      let objects = cascade.objects[run.positions].filter { !$0.state.contains(.inaccessible) }
      for relationship in needed where relationship.isToMany {
        toMany[relationship.description, default: (relationship, [])].owners += objects
      }
      if needed.contains(where: { !$0.isToMany }) { faults += objects.filter { $0.block == nil } }
    }
    try loadRows(of: faults)
    for (relationship, owners) in toMany.values {
      try context.readPresentMembers(relationship, of: owners) { owner, members in
        present[Membership(owner: ObjectIdentifier(owner), ordinal: relationship.ordinal)] = members
      }
    }
  }
}
