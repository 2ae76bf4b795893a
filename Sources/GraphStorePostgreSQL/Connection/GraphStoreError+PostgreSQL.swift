#if PostgreSQL
import GraphStore

extension GraphStoreError {
  /// A failure of the server in the words of a store.
  init(_ failure: PostgreSQLError, path: String) {
    let message = "\(path): \(failure.message)"
    func error(_ code: Code, _ remedy: String) -> GraphStoreError {
      GraphStoreError(code, message, remedy: remedy, underlying: failure)
    }
    self =
      switch failure.category {
      case .connectionLost:
        error(
          .storeOpen, "See whether the server runs and can be reached, and try again; nothing was written.")
      case .serializationFailure:
        error(.mergeConflict, "Others write the same records: try it again; nothing was written.")
      case .unique: error(.constraintConflict, "Change one of the objects; nothing was written.")
      case .foreignKey:
        error(
          .objectNotFound,
          "A link leads to an object that another writer has deleted: refresh, and save again; nothing was "
            + "written.")
      case .lockTimeout:
        error(.storeTimeout, "Another session holds the records: try it again, or allow more time.")
      case .cancelled: error(.sqlite, "Try again.")
      case .undefined:
        error(
          .storeCorrupt,
          "A table or a column of the store is missing: check it, or restore the schema from a backup.")
      case .permission: error(.storePermission, "Have the role be given the rights that it lacks.")
      case .readOnly:
        error(
          .readOnlyStore,
          "The server takes no writes, as a standby: write to the primary, or open for reading.")
      case .diskFull: error(.diskFull, "Make room on the server.")
      case .databaseMissing: error(.storeNotFound, "Create the database, or name another one.")
      case .valueTooLarge:
        error(
          .valueTooLarge,
          "A value in an index has at most some 2,700 bytes: shorten it, or leave its attribute out of the "
            + "index; nothing was written.")
      case .other: error(.storeOperationFailed, "See what the server's log says.")
      }
    if let detail = failure.detail { details.append(detail) }
  }
}

extension GraphStoreError {
  /// The refusal of a server that takes no writes.
  static func standby(_ path: String, remedy: String) -> GraphStoreError {
    GraphStoreError(
      .readOnlyStore, "\(path) is on a server that takes no writes, as a standby.", remedy: remedy)
  }

  /// The failure of copying records of which one refers to none.
  static func danglingCopy(_ failure: PostgreSQLError, path: String) -> GraphStoreError {
    var error = GraphStoreError(
      .storeCorrupt, "\(path): what is copied has a link that leads to no object.",
      remedy:
        "Repair the store that it comes from (check --repair), or leave such links out of a dump (load --pruned).",
      underlying: failure)
    error.details = [failure.message] + [failure.detail].compactMap(\.self)
    return error
  }
}

/// Runs a body and turns what the server says into an error of the store's.
func reportingPostgreSQL<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
  do { return try body() } catch let failure as PostgreSQLError {
    throw GraphStoreError(failure, path: path)
  }
}
#endif
