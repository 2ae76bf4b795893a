import GraphStoreModel
import GraphStorePredicates
import OrderedCollections

/// Uniqueness conflict of a save: objects that have equal values under one constraint.
///
/// Within the context the database side is nil and there are two or more ``conflictingObjects``, the one that
/// is already stored first, else the one inserted first. Against the store ``databaseObject`` has the values
/// of the one conflicting object. As with ``MergeConflict``, the objects are read on the queue of their
/// context alone.
///
/// The error of a save has the conflicts:
///
/// ```swift
/// do {
///   try context.save()
/// } catch let error as GraphStoreError {
///   for conflict in error.constraintConflicts {
///     print(conflict.constraint, conflict.conflictingObjects.map(\.objectID))
///   }
/// }
/// ```
public struct ConstraintConflict: @unchecked Sendable {
  /// The names of the constraint's properties.
  public let constraint: [String]
  /// Their values, which the objects share.
  public let constraintValues: [String: Value]
  /// The object of the stored record that has the values; nil within the context.
  public let databaseObject: ManagedObject?
  /// The values of that record.
  public let databaseSnapshot: [String: Value]?
  /// The objects of the context that have the values.
  public let conflictingObjects: [ManagedObject]
  /// Their values, in the same order.
  public let conflictingSnapshots: [[String: Value]]

  /// The values as they are shown to people, in the order of the entity's properties.
  private let shown: String

  init(
    _ constraint: UniquenessConstraint, among objects: [ManagedObject],
    database: (object: ManagedObject, row: Row)?
  ) {
    let rows = objects.map { object in (object, object.currentRow ?? .defaults(of: object.layout)) }
    // The last has the values for certain; the row of one of which only links change may be an old one.
    let (last, row) = rows[rows.count - 1]
    let properties = last.layout.properties(of: constraint)
    self.constraint = constraint.names
    constraintValues = last.snapshot(of: row).filter { constraint.names.contains($0.key) }
    databaseObject = database?.object
    databaseSnapshot = database.map { $0.object.snapshot(of: $0.row) }
    conflictingObjects = objects
    conflictingSnapshots = rows.map { $0.0.snapshot(of: $0.1) }
    shown = properties.map { "\($0.name) \(row.text(of: $0))" }.joined(separator: ", ")
  }

  /// The object that cannot be saved because others have the values: in the context the last one.
  private var subject: ManagedObject { conflictingObjects[conflictingObjects.count - 1] }

  private var others: [ManagedObjectID] {
    databaseObject.map { [$0.objectID] } ?? conflictingObjects.dropLast().map(\.objectID)
  }

  /// The error of a save that met conflicts which were not resolved (CTX-233).
  static func error(_ conflicts: [ConstraintConflict]) -> GraphStoreError {
    let first = conflicts[0]
    let object = first.subject
    // The message states the conflict of the first object; other objects have lines of their own.
    let same = conflicts.filter { $0.subject === object }
    let found = Array(OrderedSet(conflicts.flatMap(\.others)))
    let own = Array(OrderedSet(same.flatMap(\.others)))
    let others = own.count > 1 ? "are other objects" : "is another object"
    let values = Array(OrderedSet(same.map(\.shown)))
    var error = GraphStoreError(
      .constraintConflict,
      "\(object.entity.name): there \(others) with \(values.joined(separator: ", and with ")).",
      remedy:
        "Change one of \(own.count > 1 ? "them" : "the two"), or set a merge policy; nothing was written.",
      entity: object.entity.name, property: first.constraint.first, objectID: object.objectID)
    error.relatedObjects = found
    error.constraintConflicts = conflicts
    error.details = conflicts.flatMap { conflict in
      conflict.others.map { other in
        conflict.subject === object
          ? "\(other.shortForm) has it"
          : "\(other.shortForm) has \(conflict.shown) of \(conflict.subject.objectID.shortForm)"
      }
    }
    return error
  }
}

extension GraphStoreError {
  /// The conflicts of uniqueness that kept a save from being made.
  public var constraintConflicts: [ConstraintConflict] {
    get { self[[ConstraintConflict].self] ?? [] }
    set { self[[ConstraintConflict].self] = newValue }
  }
}
