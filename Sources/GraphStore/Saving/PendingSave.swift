/// The unsaved changes of a context.
struct PendingSave {
  private(set) var inserted: [ManagedObject] = []
  private(set) var updated: [ManagedObject] = []
  private(set) var deleted: [ManagedObject] = []

  /// No changes.
  init() {}

  /// Sorts the changes of a context, which has nothing left to process.
  init(_ context: ManagedObjectContext) {
    for object in context.changedObjects where !object.state.isDeletion {
      if object.state.isInsertion {
        inserted.append(object)
      } else if object.state.isUpdate {
        updated.append(object)
      }
    }
    deleted = context.deletedObjects
  }
}
