import Foundation
import OrderedCollections

extension ManagedObjectContext {
  /// Merges changes that no save here has made: those of another process, or of a request that has written
  /// past the contexts.
  ///
  /// The rows of the records are read anew, by a statement an entity tree of each coordinator, and then each
  /// context merges as ``mergeChanges(fromContextDidSave:)-(Notification)`` does, on its queue. The call
  /// returns when all have; it may be called from any thread that no context in the list waits for. It costs
  /// more than to merge a save, which finds the rows in memory.
  ///
  /// Identifiers of other coordinators on the same stores are converted. Those of stores that are not open,
  /// and of inserted records that do not exist, are left out.
  ///
  /// ```swift
  /// try await ManagedObjectContext.mergeChanges(
  ///   fromRemoteContextSave: [.updatedObjects: [employee.objectID]], into: [context])
  /// ```
  ///
  /// - Parameters:
  ///   - changes: Identifiers under the keys of inserted, updated, deleted and refreshed objects, or of their
  ///     identifiers.
  ///   - contexts: The contexts.
  /// - Throws: `invalid-request` for another key, and nothing is merged then; what reading rows throws; the
  ///   first error of a context, when all others have merged.
  public static func mergeChanges(
    fromRemoteContextSave changes: [NotificationKey: [ManagedObjectID]], into contexts: [ManagedObjectContext]
  ) throws {
    try mergeRemote(RemoteChanges(changes), into: contexts)
  }

  /// Merges changes that no save here has made, named by URIs, as the form with
  /// identifiers does.
  ///
  /// - Throws: as that form.
  public static func mergeChanges(
    fromRemoteContextSave changes: [NotificationKey: [URL]], into contexts: [ManagedObjectContext]
  ) throws {
    try mergeRemote(RemoteChanges(changes), into: contexts)
  }

  /// Merges a save that was made elsewhere, whose rows are read anew, as the form with
  /// identifiers does.
  ///
  /// - Throws: as that form.
  public static func mergeChanges(
    fromRemoteContextSave changes: SavedChanges, into contexts: [ManagedObjectContext]
  ) throws {
    try mergeRemote(RemoteChanges(changes), into: contexts)
  }

  /// Merges changes that no save here has made, without holding a thread while contexts are busy, as the form
  /// without `async` does.
  ///
  /// - Throws: as that form.
  public static func mergeChanges(
    fromRemoteContextSave changes: [NotificationKey: [ManagedObjectID]], into contexts: [ManagedObjectContext]
  ) async throws {
    try await mergeRemote(RemoteChanges(changes), into: contexts)
  }

  /// Merges changes that no save here has made, named by URIs, without holding a thread while contexts are
  /// busy.
  ///
  /// - Throws: as the form with identifiers.
  public static func mergeChanges(
    fromRemoteContextSave changes: [NotificationKey: [URL]], into contexts: [ManagedObjectContext]
  ) async throws {
    try await mergeRemote(RemoteChanges(changes), into: contexts)
  }

  /// Merges a save that was made elsewhere, without holding a thread while contexts are busy.
  ///
  /// - Throws: as the form with identifiers.
  public static func mergeChanges(
    fromRemoteContextSave changes: SavedChanges, into contexts: [ManagedObjectContext]
  ) async throws {
    try await mergeRemote(RemoteChanges(changes), into: contexts)
  }

  // MARK: Carrying out

  private static func mergeRemote(_ changes: RemoteChanges, into contexts: [ManagedObjectContext]) throws {
    let merges = try merges(of: changes, into: contexts)
    defer { withExtendedLifetime(merges) {} }
    var failure: (any Error)?
    for (context, renewal) in merges {
      do {
        try context.performAndWait { try context.merge(renewal.changes) }
      } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private static func mergeRemote(_ changes: RemoteChanges, into contexts: [ManagedObjectContext])
    async throws
  {
    let merges = try merges(of: changes, into: contexts)
    defer { withExtendedLifetime(merges) {} }
    var failure: (any Error)?
    for (context, renewal) in merges {
      do {
        try await context.perform { try context.merge(renewal.changes) }
      } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  /// The order in which contexts merge: parents, listed or not, before their children, which read from them
  /// (CTX-280).
  private static func orderOfMerging(_ contexts: [ManagedObjectContext]) -> [ManagedObjectContext] {
    var order: OrderedDictionary<ObjectIdentifier, ManagedObjectContext> = [:]
    func add(_ context: ManagedObjectContext) {
      if let parent = context.parent { add(parent) }
      order[ObjectIdentifier(context)] = context
    }
    for context in contexts { add(context) }
    return Array(order.values)
  }

  /// The contexts in the order in which they merge, each with the renewed rows of its coordinator. The
  /// context that has saved the changes is not among them: its own save changes nothing.
  private static func merges(
    of changes: RemoteChanges, into contexts: [ManagedObjectContext]
  ) throws -> [(context: ManagedObjectContext, renewal: RowRenewal)] {
    let contexts = orderOfMerging(contexts)
    var renewals: [ObjectIdentifier: RowRenewal] = [:]
    for (id, siblings) in OrderedDictionary(grouping: contexts, by: { ObjectIdentifier($0.coordinator) }) {
      let coordinator = siblings[0].coordinator
      renewals[id] = try RowRenewal(
        of: changes.identifiers(in: coordinator), in: coordinator, for: siblings)
    }
    return contexts.compactMap { context in
      if context.queue === changes.origin { return nil }
      return renewals[ObjectIdentifier(context.coordinator)].map { (context, $0) }
    }
  }
}
