import GraphStoreModel
import OrderedCollections

/// Preview of deleting objects and saving.
///
/// ```swift
/// let preview = try context.deletionPreview(of: [department])
/// for count in preview.counts { print(count.count, count.entity) }
/// for denial in preview.denials { print(denial.objectID, "is kept by", denial.relationship) }
/// if preview.wouldSucceed { try context.delete(department) }
/// ```
public struct DeletionPreview: Sendable {
  /// One object that would be deleted.
  public struct Deletion: Sendable {
    /// The object.
    public var objectID: ManagedObjectID
    /// The object from which it was reached; nil for one that deletion was asked of.
    public var source: ManagedObjectID?
    /// The relationship of the source that cascades, as `Department.employees`.
    public var relationship: String?
    /// The number of cascades that lead to it.
    public var depth: Int
  }

  /// Objects that would stay and lose a link through one relationship.
  public struct Clearing: Sendable {
    /// The relationship of the objects that stay, as `Employee.manager`.
    public var relationship: String
    /// The rule of the objects that are deleted.
    public var rule: DeleteRule
    /// The objects that stay.
    public var objectIDs: [ManagedObjectID]
  }

  /// Objects that would stay and keep referring to deleted records, since a rule is No Action.
  public struct DanglingReference: Sendable {
    /// The relationship of the objects that stay, as `Employee.department`.
    public var relationship: String
    /// The objects that stay.
    public var objectIDs: [ManagedObjectID]
  }

  /// A rule that forbids the deletion.
  public struct Denial: Sendable {
    /// The object that may not be deleted.
    public var objectID: ManagedObjectID
    /// Its relationship that must be empty.
    public var relationship: String
    /// The objects in the way.
    public var blocking: [ManagedObjectID]
    /// The object at which the cascade began that leads here; nil where deletion was asked of the object
    /// itself.
    public var origin: ManagedObjectID?
    /// The relationships by which the cascade leads here, in order, as `Department.employees`.
    public var path: [String] = []
  }

  /// Number of objects of an entity that are concerned for one reason.
  public struct Count: Sendable, Hashable {
    /// The entity.
    public var entity: String
    /// The relationship that cascades, that is cleared, that keeps referring to a deleted record, or that
    /// forbids; nil for objects that were deleted by a call.
    public var relationship: String?
    /// The rule by which they are concerned: Cascade for those that are deleted; nil where they were deleted
    /// by a call.
    public var rule: DeleteRule?
    /// The number of objects.
    public var count: Int
  }

  /// The objects that would be deleted, in the order in which they are found.
  public var deletions: [Deletion]
  /// The links that would be cut.
  public var clearings: [Clearing]
  /// The references that would be left to deleted records; they forbid nothing.
  public var danglingReferences: [DanglingReference]
  /// The rules in the way.
  public var denials: [Denial]
  /// The validation failures of the objects that would stay.
  public var failures: [GraphStoreError]
  /// The entities of objects that would be deleted whose classes are the program's, in order of finding:
  /// their ``ManagedObject/prepareForDeletion()`` and ``ManagedObject/validateForDelete()`` were not run, and
  /// may do more. Whether a class overrides them is unknown.
  public var hooksNotRun: [String] = []

  /// Whether the save would succeed.
  public var wouldSucceed: Bool { denials.isEmpty && failures.isEmpty }

  /// The number of objects that would change and stay.
  public var updatedCount: Int { Set(clearings.flatMap(\.objectIDs)).count }

  /// The objects that are deleted, counted by entity and by the relationship that leads to them, in order of
  /// finding.
  public var counts: [Count] {
    var counts = DeletionCounts()
    for deletion in deletions {
      let link = deletion.relationship
      counts.add(1, of: deletion.objectID.entity, by: link == nil ? nil : .cascade, link)
    }
    return counts.counts
  }
}

/// Counts by entity, relationship and rule, in order of finding.
struct DeletionCounts {
  private struct Reason: Hashable {
    let entity: String
    let relationship: String?
    let rule: DeleteRule?
  }

  private var byReason: OrderedDictionary<Reason, Int> = [:]

  mutating func add(_ count: Int, of entity: EntityDescription, by rule: DeleteRule?, _ relationship: String?)
  {
    byReason[Reason(entity: entity.name, relationship: relationship, rule: rule), default: 0] += count
  }

  /// Adds objects, each of which counts for its own entity.
  mutating func add(_ objects: [ManagedObjectID], by rule: DeleteRule, _ relationship: String) {
    for object in objects { add(1, of: object.entity, by: rule, relationship) }
  }

  var counts: [DeletionPreview.Count] {
    byReason.map {
      DeletionPreview.Count(
        entity: $0.key.entity, relationship: $0.key.relationship, rule: $0.key.rule, count: $0.value)
    }
  }
}

/// The cascade by which an object was reached for deletion (REL-198).
struct DeletionPath {
  /// The object that deletion was asked of.
  let origin: ManagedObject
  /// The relationships that lead from it to the object, in order, as `Department.employees`.
  let relationships: [String]
}

/// The cascades that have reached objects, by these.
struct DeletionPaths {
  private struct Place {
    let cascade: Int
    let position: Int
  }

  private let cascades: [Cascade]
  /// The first that has reached an object; a later one may have it again.
  private var places: [ObjectIdentifier: Place] = [:]

  init(_ cascades: [Cascade]) {
    self.cascades = cascades
    for (number, cascade) in cascades.enumerated() {
      for (position, link) in cascade.links.enumerated() where link.source >= 0 {
        let object = ObjectIdentifier(cascade.objects[position])
        if places[object] == nil { places[object] = Place(cascade: number, position: position) }
      }
    }
  }

  /// The cascade that has reached an object; nil where deletion was asked of it.
  func path(to object: ManagedObject) -> DeletionPath? {
    guard let place = places[ObjectIdentifier(object)] else { return nil }
    let cascade = cascades[place.cascade]
    var position = place.position
    var relationships: [String] = []
    while let relationship = cascade.relationship(at: position) {
      relationships.append(relationship.qualifiedName)
      position = Int(cascade.links[position].source)
    }
    return DeletionPath(origin: cascade.objects[position], relationships: relationships.reversed())
  }
}
