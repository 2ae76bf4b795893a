import GraphStoreModel
import OrderedCollections

/// What deleting objects and saving would do (REL-330 to REL-337).
public struct DeletionPreview: Sendable {
  /// One object that would go.
  public struct Deletion: Sendable {
    /// The object.
    public var objectID: ManagedObjectID
    /// The object from which it was reached; nil for one that deletion was asked of.
    public var source: ManagedObjectID?
    /// The relationship of the source that cascades, as `Department.employees`.
    public var relationship: String?
    /// How many cascades lead to it.
    public var depth: Int
  }

  /// Objects that would stay and lose a link through one relationship.
  public struct Clearing: Sendable {
    /// The relationship of the objects that stay, as `Employee.manager`.
    public var relationship: String
    /// The rule of the objects that go.
    public var rule: DeleteRule
    /// The objects that stay.
    public var objectIDs: [ManagedObjectID]
  }

  /// Objects that would stay and go on referring to records that are gone, since a rule is No Action.
  public struct DanglingReference: Sendable {
    /// The relationship of the objects that stay, as `Employee.department`.
    public var relationship: String
    /// The objects that stay.
    public var objectIDs: [ManagedObjectID]
  }

  /// A rule that forbids the deletion.
  public struct Denial: Sendable {
    /// The object that may not go.
    public var objectID: ManagedObjectID
    /// Its relationship that must be empty.
    public var relationship: String
    /// The objects in the way.
    public var blocking: [ManagedObjectID]
  }

  /// How many objects of an entity go for one reason.
  public struct Count: Sendable, Hashable {
    /// The entity.
    public var entity: String
    /// The relationship that cascades, or nil for objects that deletion was asked of.
    public var relationship: String?
    /// The number of objects.
    public var count: Int
  }

  /// The objects that would go, in the order in which they are found.
  public var deletions: [Deletion]
  /// The links that would be cut.
  public var clearings: [Clearing]
  /// The references that would be left to records that are gone; they forbid nothing.
  public var danglingReferences: [DanglingReference]
  /// The rules in the way.
  public var denials: [Denial]
  /// What would be wrong with the objects that stay.
  public var failures: [GraphStoreError]

  /// Whether the save would go through.
  public var wouldSucceed: Bool { denials.isEmpty && failures.isEmpty }

  /// The number of objects that would change and stay.
  public var updatedCount: Int { Set(clearings.flatMap(\.objectIDs)).count }

  /// The objects that go, counted by entity and by the relationship that leads to them, in order of finding.
  public var counts: [Count] {
    var counts: OrderedDictionary<[String?], Count> = [:]
    for deletion in deletions {
      let entity = deletion.objectID.entity.name
      let start = Count(entity: entity, relationship: deletion.relationship, count: 0)
      counts[[entity, deletion.relationship], default: start].count += 1
    }
    return Array(counts.values)
  }
}
