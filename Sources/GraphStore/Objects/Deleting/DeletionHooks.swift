import GraphStoreModel

/// Run of `prepareForDeletion` hooks: those that one call of `delete`, or one processing of deletions, runs,
/// with those of everything that they delete in turn.
///
/// Hooks run inside of each other, as the calls that delete do (REL-257), but only so deep as a small stack
/// bears: the rest waits for the outermost. Stored objects are finite; objects that hooks make and delete
/// need not be, and are counted.
struct DeletionHooks {
  static let maximumDepth = 100
  static let maximumOwnDeletions = 1000

  /// The last temporary key before the run: objects that hooks have made have lower ones. Nil while no hook
  /// runs.
  var lastKey: Int64?
  /// The number of nested hooks.
  var depth = 0
  /// Objects whose hooks are still to run.
  var waiting: [ManagedObject] = []
  /// Objects that hooks have made and deleted.
  var ownDeletions: [ManagedObject] = []
  /// The error that has ended the run.
  var failure: GraphStoreError?
}

extension ManagedObjectContext {
  /// Does something in which hooks of deletions may run, as one run.
  func runningDeletionHooks<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard deletions.hooks.lastKey == nil else { return try body() }
    deletions.hooks.lastKey = coordinator.lastTemporaryKey
    defer { deletions.hooks = DeletionHooks() }
    return try body()
  }

  /// Runs the hook of an object that has been marked deleted, and the hooks of what it deletes.
  ///
  /// - Throws: `changes-do-not-settle` where hooks make and delete objects without end.
  func prepareForDeletion(of object: ManagedObject) throws {
    try runningDeletionHooks {
      try count(object)
      guard deletions.hooks.depth < DeletionHooks.maximumDepth else {
        return deletions.hooks.waiting.append(object)
      }
      deletions.hooks.depth += 1
      defer { deletions.hooks.depth -= 1 }
      object.prepareForDeletion()
      if deletions.hooks.depth == 1 { try runWaitingHooks() }
    }
  }

  /// Runs the hooks that were too deep; each may add further ones.
  private func runWaitingHooks() throws {
    while !deletions.hooks.waiting.isEmpty, deletions.hooks.failure == nil {
      let waiting = deletions.hooks.waiting
      deletions.hooks.waiting = []
      for object in waiting where deletions.hooks.failure == nil { object.prepareForDeletion() }
    }
    try throwFailure()
  }

  /// Looks before it copies: an error is large, and most deletions have none.
  @inline(__always)
  private func throwFailure() throws {
    if deletions.hooks.failure != nil, let failure = deletions.hooks.failure { throw failure }
  }

  private func count(_ object: ManagedObject) throws {
    try throwFailure()
    guard let lastKey = deletions.hooks.lastKey, object.key < lastKey else { return }
    deletions.hooks.ownDeletions.append(object)
    guard deletions.hooks.ownDeletions.count > DeletionHooks.maximumOwnDeletions else { return }
    let failure = endless(deletions.hooks.ownDeletions.suffix(20))
    deletions.hooks.failure = failure
    throw failure
  }

  private func endless(_ last: ArraySlice<ManagedObject>) -> GraphStoreError {
    let entities = Set(last.map(\.entity.name)).sorted().joined(separator: ", ")
    var error = GraphStoreError(
      .changesDoNotSettle,
      "prepareForDeletion has made and deleted \(DeletionHooks.maximumOwnDeletions) objects, the last of \(entities).",
      remedy: "Delete there only what exists already, and roll back what was done so far.",
      entity: last.last?.entity.name, objectID: last.last?.objectID)
    error.relatedObjects = last.map(\.objectID)
    return error
  }
}
