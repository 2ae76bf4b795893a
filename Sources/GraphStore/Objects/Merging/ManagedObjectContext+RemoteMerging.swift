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
    let renewals = try renewals(of: changes, for: contexts)
    defer { withExtendedLifetime(renewals) {} }
    var failure: (any Error)?
    for context in orderOfMerging(contexts) {
      guard let renewal = renewals[ObjectIdentifier(context.coordinator)] else { continue }
      do {
        try context.performAndWait { try context.mergeRenewed(renewal.changes, changes.origin) }
      } catch { failure = failure ?? error }
    }
    if let failure { throw failure }
  }

  private static func mergeRemote(_ changes: RemoteChanges, into contexts: [ManagedObjectContext])
    async throws
  {
    let renewals = try renewals(of: changes, for: contexts)
    defer { withExtendedLifetime(renewals) {} }
    var failure: (any Error)?
    for context in orderOfMerging(contexts) {
      guard let renewal = renewals[ObjectIdentifier(context.coordinator)] else { continue }
      let (identifiers, origin) = (renewal.changes, changes.origin)
      do {
        try await context.perform { try context.mergeRenewed(identifiers, origin) }
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

  private static func renewals(
    of changes: RemoteChanges, for contexts: [ManagedObjectContext]
  ) throws -> [ObjectIdentifier: RowRenewal] {
    var renewals: [ObjectIdentifier: RowRenewal] = [:]
    for context in contexts where renewals[ObjectIdentifier(context.coordinator)] == nil {
      let siblings = orderOfMerging(contexts.filter { $0.coordinator === context.coordinator })
      renewals[ObjectIdentifier(context.coordinator)] = try RowRenewal(
        of: changes.identifiers(in: context.coordinator), in: context.coordinator, for: siblings)
    }
    return renewals
  }

  /// Merges changes whose rows are renewed; a save of the context's own changes nothing.
  private func mergeRenewed(_ changes: SavedIdentifiers, _ origin: ContextQueue?) throws {
    if origin !== queue || origin == nil { try merge(changes) }
  }
}
