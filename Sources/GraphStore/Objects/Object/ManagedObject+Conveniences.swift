import GraphStoreModel

extension ManagedObject {
  /// The new value of a property that has changed since the last save, or nil; see ``changedValues()``.
  ///
  /// - Throws: `unknown-key` for a key that is no persistent property; and as that.
  public final func changedValue(forKey key: String) throws -> Any? {
    _ = try persistentProperty(key)
    return try changedValues()[key] ?? nil
  }

  /// The value of a property as it was last fetched or saved, or nil; see ``committedValues(forKeys:)``.
  ///
  /// - Throws: As that.
  public final func committedValue(forKey key: String) throws -> Any? {
    try committedValues(forKeys: [key])[key] ?? nil
  }

  /// Refreshes the object in its context; without one nothing happens. See
  /// ``ManagedObjectContext/refresh(_:mergeChanges:)``.
  ///
  /// - Throws: As that.
  public final func refresh(mergeChanges: Bool = true) throws {
    try context?.refresh(self, mergeChanges: mergeChanges)
  }
}

extension ManagedObjectContext {
  /// The number of inserted, updated and deleted objects together; one that is in two of the sets counts
  /// twice.
  public var changedObjectsCount: Int {
    insertedObjects.count + updatedObjects.count + deletedObjects.count
  }
}
