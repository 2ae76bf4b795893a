/// Result of a merge policy for a save that met a conflict.
enum ConflictResolution {
  /// The conflict is resolved, and the save can be tried again.
  ///
  /// - Parameter error: The conflict, for a save that is not tried any more.
  case retry(after: GraphStoreError)
  /// There was no conflict to be resolved.
  case fail
}
