/// The ways to resolve conflicts that are built in.
///
/// ```swift
/// context.mergePolicy = MergePolicy(merge: .mergeByPropertyStoreTrump)
/// try context.save()
/// ```
public enum MergePolicyType: Sendable {
  /// No conflict is resolved: the save throws.
  case error
  /// Property by property: what one side alone has changed holds; where both have, the store's value does.
  case mergeByPropertyStoreTrump
  /// Merges property by property; where both have changed one, the object's value holds.
  case mergeByPropertyObjectTrump
  /// The whole object overwrites whatever the store has.
  case overwrite
  /// The object takes the store's values and is not changed any more.
  case rollback
}

/// Merge policy: what resolves the conflicts that the saves of a context meet.
///
/// ```swift
/// context.mergePolicy = .mergeByPropertyObjectTrump
/// ```
///
/// A subclass decides by itself. Its overrides are called on the context's queue, outside any transaction,
/// with all conflicts of one level; they may read, fetch, refresh and set objects of the context, and what
/// they do is part of the save, is validated and is not recorded for undo. Before `super` the objects have
/// the values that were to be saved, after it the merged ones. An error that an override throws is the error
/// of the save; saving in one throws `recursive-save`. A conflict that is left unresolved fails the save.
///
/// ```swift
/// final class ReportingPolicy: MergePolicy, @unchecked Sendable {
///   override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
///     for conflict in conflicts { print(conflict.sourceObjectID, "was changed by somebody else") }
///     try super.resolve(optimisticLockingConflicts: conflicts)
///   }
/// }
///
/// context.mergePolicy = ReportingPolicy(merge: .mergeByPropertyStoreTrump)
/// ```
///
/// Policies have no state of their own and may serve many contexts at once.
open class MergePolicy: @unchecked Sendable {
  /// The policy of the inherited methods.
  public let type: MergePolicyType

  /// Makes a policy of a type, for a subclass to refine.
  public init(merge type: MergePolicyType) { self.type = type }

  /// Conflicts fail the save.
  public static let error = MergePolicy(merge: .error)
  /// Changes of both sides are merged; the store's win.
  public static let mergeByPropertyStoreTrump = MergePolicy(merge: .mergeByPropertyStoreTrump)
  /// Changes of both sides are merged; the object's win.
  public static let mergeByPropertyObjectTrump = MergePolicy(merge: .mergeByPropertyObjectTrump)
  /// The object is written whole.
  public static let overwrite = MergePolicy(merge: .overwrite)
  /// The object's changes are discarded.
  public static let rollback = MergePolicy(merge: .rollback)

  /// Resolves conflicts with what other writers have made of the records; calls ``resolve(mergeConflicts:)``.
  ///
  /// - Throws: `merge-conflict` by the type ``MergePolicyType/error``; what reading the store throws.
  open func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
    try resolve(mergeConflicts: conflicts)
  }

  /// The older name of ``resolve(optimisticLockingConflicts:)``, which calls it.
  ///
  /// - Throws: As that.
  open func resolve(mergeConflicts conflicts: [MergeConflict]) throws {
    guard type != .error else { throw MergeConflict.error(conflicts) }
    guard let context = conflicts.first?.sourceObject.managedObjectContext else { return }
    try context.resolve(conflicts, by: type)
  }

  /// Resolves conflicts of uniqueness, within the context or with the store.
  ///
  /// - Throws: `constraint-conflict` by the type ``MergePolicyType/error``, and by
  ///   ``MergePolicyType/mergeByPropertyObjectTrump`` where one object meets several stored records, of which
  ///   none is determined; what reading the store throws.
  open func resolve(constraintConflicts conflicts: [ConstraintConflict]) throws {
    guard type != .error else { throw ConstraintConflict.error(conflicts) }
    guard let context = conflicts.first?.conflictingObjects.first?.managedObjectContext else { return }
    try context.resolve(conflicts, by: type)
  }
}

extension MergePolicy: CustomStringConvertible {
  /// The class and what its inherited methods do: `MergePolicy.overwrite`.
  public var description: String { "\(Swift.type(of: self)).\(type)" }
}
