import Foundation
import GraphStorePredicates

/// A class of objects that are deleted in two steps: marked with a date and saved, and removed for good once
/// nobody uses them any more.
///
/// Between a deletion in one context and its merge into another, faults of the other lose their records. An
/// object that is only marked keeps its record, so that each context can let go of it in its own time. The
/// entity has an optional attribute `markedForDeletionDate` of the type date without a default.
///
/// Marking runs no delete rule and no `prepareForDeletion`: what is to follow at once, such as leaving a
/// relationship, belongs into `willSave`, while ``isNewlyMarkedForDeletion`` is true. Both run when the
/// record is deleted for good.
///
/// ```swift
/// final class Note: ManagedObject, DelayedDeletable {
///   enum Keys { static let mark = AttributeKey<Note, Date>("markedForDeletionDate") }
///   var markedForDeletionDate: Date? { get { self[Keys.mark] } set { self[Keys.mark] = newValue } }
///
///   override class var defaultPredicate: QueryPredicate { notMarkedForDeletionPredicate }
/// }
/// ```
public protocol DelayedDeletable: ManagedObject {
  /// When the object was marked; nil for one that was not.
  var markedForDeletionDate: Date? { get set }
}

extension DelayedDeletable {
  /// Marks the object with the present time, unless it has a date already and its values are in memory; so it
  /// may be called in `willSave`.
  public func markForDeletion() {
    if isFault || markedForDeletionDate == nil { markedForDeletionDate = Date() }
  }

  /// Whether a mark was set that is not saved yet.
  public var isNewlyMarkedForDeletion: Bool {
    changedKeys.contains(markKey) && markedForDeletionDate != nil
  }

  /// The condition of objects that are not marked: the default predicate of a class that hides marked ones
  /// from its fetches. Relationships still lead to them.
  public static var notMarkedForDeletionPredicate: QueryPredicate { .compare(.key(markKey), .equal, .null) }
}

extension DelayedDeletable {
  /// Removes the records for good whose mark is older than some seconds, by one batch delete.
  ///
  /// Delete rules are followed in the store, and no hook runs
  /// (``ManagedObjectContext/execute(_:)-(BatchDeleteRequest)``). Objects that contexts still hold turn
  /// deleted when they are next read; where all have let go there is nothing to merge. With `validating` the
  /// records are fetched, deleted and saved instead, with everything else that is unsaved in the context:
  /// hooks and validation run.
  ///
  /// - Parameters:
  ///   - age: How many seconds ago the mark was set at least.
  ///   - validating: Whether hooks and validation run.
  ///   - context: The context.
  /// - Returns: How many records were marked and are removed; cascades are not counted.
  /// - Throws: what the batch delete throws, which has changed nothing then; or what fetching, deleting and
  ///   saving throw, and what was deleted is unsaved then.
  @discardableResult
  public static func purgeMarkedObjects(
    olderThan age: TimeInterval = 120, validating: Bool = false, in context: ManagedObjectContext
  ) throws -> Int {
    var request = FetchRequest<Self>(entityName: try context.entityName(of: Self.self))
    request.predicate = .compare(
      .key(markKey), .less, .constant(Date(timeIntervalSinceNow: -age)))
    guard validating else { return try context.deleteInStores(request) }
    let marked = try context.fetch(request)
    for object in marked { try context.delete(object) }
    try context.save()
    return marked.count
  }
}

/// The attribute of the mark.
private let markKey = "markedForDeletionDate"
