/// What a save does with the changes of a context.
enum SavingMode {
  /// Checks them and writes them.
  case checked
  /// Writes them as they are; somebody else checks them when all are there.
  case unchecked
  /// Throws: the context is there to be read.
  case refused
}

extension ManagedObjectContext {
  static var readOnlyContext: GraphStoreError {
    GraphStoreError(
      .readOnlyStore, "The context of a migration's source is only read.",
      remedy: "Change objects of the destination, or the source before it is migrated.")
  }
}
