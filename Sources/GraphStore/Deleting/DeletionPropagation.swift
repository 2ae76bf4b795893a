import GraphStoreModel
import OrderedCollections

/// Applies the delete rules to a set of objects: first all objects that go are found, then links are cut.
///
/// The same search serves the deed and its preview, so that what a preview says is what happens.
final class DeletionPropagation {
  /// One object that goes, and through which link.
  struct Entry {
    let object: ManagedObject
    let source: ManagedObject?
    let relationship: RelationshipPlan?
    let depth: Int
  }

  /// One object that stays and loses a link.
  struct Cut {
    let object: ManagedObject
    let lost: ManagedObject
    /// The relationship of the object that goes.
    let relationship: RelationshipPlan
  }

  /// A Deny relationship of an object that goes, and the objects in the way.
  struct Denial {
    let entry: Entry
    let relationship: RelationshipPlan
    let blocking: [ManagedObject]
  }

  let context: ManagedObjectContext
  /// Whether objects are only looked for.
  let isPreview: Bool
  private(set) var entries: [Entry] = []
  private var marked: [ManagedObject] = []
  /// Objects whose records turned out to be gone: they count as deleted (REL-245).
  private var missing: Set<ManagedObject> = []

  init(context: ManagedObjectContext, isPreview: Bool) {
    self.context = context
    self.isPreview = isPreview
  }

  /// For objects whose deletion has been propagated already.
  init(context: ManagedObjectContext, isPreview: Bool, deleted: [ManagedObject]) {
    self.context = context
    self.isPreview = isPreview
    entries = deleted.map { Entry(object: $0, source: nil, relationship: nil, depth: 0) }
  }

  /// Finds everything that goes with the given objects, in waves (REL-211).
  func find(_ seeds: [ManagedObject]) throws {
    var wave: [Entry] = []
    for object in seeds where !(isPreview && object.isDeleted) {
      if isPreview {
        guard !object.state.contains(.marked) else { continue }
        mark(object)
      }
      wave.append(Entry(object: object, source: nil, relationship: nil, depth: 0))
    }
    while !wave.isEmpty {
      entries += wave
      try load(.cascade, of: wave)
      var next: [Entry] = []
      for entry in wave { try collect(from: entry, into: &next) }
      wave = next + takeHookDeletions()
    }
  }

  private func collect(from entry: Entry, into next: inout [Entry]) throws {
    guard entry.object.plan.has(.cascade) else { return }
    for relationship in entry.object.plan.relationships where relationship.deleteRule == .cascade {
      for object in try destinations(of: entry, relationship) where !isGone(object) {
        mark(object)
        next.append(
          Entry(object: object, source: entry.object, relationship: relationship, depth: entry.depth + 1))
      }
    }
  }

  private func mark(_ object: ManagedObject) {
    if isPreview {
      object.state.insert(.marked)
      marked.append(object)
    } else {
      context.markDeleted(object)
    }
  }

  /// Ends a preview: no object shows that it was looked at.
  func removeMarks() {
    for object in marked { object.state.remove(.marked) }
    marked = []
  }

  /// Reads the rows of faults and notes those whose records are gone.
  func loadRows(of objects: [ManagedObject]) throws {
    let faults = objects.filter { $0.block == nil && $0.key > 0 }
    try context.loadRows(of: faults)
    for fault in faults where fault.block == nil { missing.insert(fault) }
  }

  /// What a hook has deleted while the wave was marked forms part of the next one (REL-214).
  private func takeHookDeletions() -> [Entry] {
    guard !isPreview else { return [] }
    let found = context.pendingDeletions
    context.pendingDeletions = []
    return found.map { Entry(object: $0, source: nil, relationship: nil, depth: 0) }
  }

  func isGone(_ object: ManagedObject) -> Bool {
    !object.state.isDisjoint(with: [.deleted, .marked, .detached]) || missing.contains(object)
  }

  /// The objects at the other end, in relationship order if ordered, else by identifier (REL-212).
  func destinations(of entry: Entry, _ relationship: RelationshipPlan) throws -> [ManagedObject] {
    let object = entry.object
    if let source = entry.source, isInverse(relationship, ofLinkIn: entry) { return [source] }
    if object.state.contains(.inaccessible) || missing.contains(object) { return [] }
    if !relationship.isToMany {
      return try object.storedObject(of: relationship).map { [$0] } ?? []
    }
    let members = try object.storedMembers(of: relationship)
    return relationship.isOrdered ? members : members.sorted { $0.precedes($1) }
  }

  /// Whether a to-one is the way back along the link by which the object was reached: its value is known then.
  private func isInverse(_ relationship: RelationshipPlan, ofLinkIn entry: Entry) -> Bool {
    guard let link = entry.relationship, !relationship.isToMany else { return false }
    return relationship.description === link.description.inverse
  }

  /// Reads what is needed of the relationships with a rule, with at most two statements a relationship.
  func load(_ rule: DeleteRule, of wave: [Entry]) throws {
    var toMany:
      OrderedDictionary<RelationshipDescription, (plan: RelationshipPlan, owners: [ManagedObject])> = [:]
    var faults: [ManagedObject] = []
    for entry in wave where entry.object.plan.has(rule) && !entry.object.state.contains(.inaccessible) {
      var needsRow = false
      for relationship in entry.object.plan.relationships where relationship.deleteRule == rule {
        if relationship.isToMany {
          toMany[relationship.description, default: (relationship, [])].owners.append(entry.object)
        } else if !isInverse(relationship, ofLinkIn: entry) {
          needsRow = true
        }
      }
      if needsRow, entry.object.block == nil { faults.append(entry.object) }
    }
    try loadRows(of: faults)
    for (relationship, owners) in toMany.values { try context.resolve(relationship, of: owners) }
  }
}
