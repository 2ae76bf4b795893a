import Foundation
import Synchronization

/// The notifications of contexts by Foundation's center.
///
/// A center does not say whether a name has observers, and collecting changes without a reader would make
/// large saves slower. So a notification is posted once the program has asked for its name, as every observer
/// does.
final class ContextNotification: Sendable {
  static let didChangeObjects = ContextNotification("ManagedObjectContextObjectsDidChange")
  static let willSaveObjects = ContextNotification("ManagedObjectContextWillSave")
  static let didSaveObjects = ContextNotification("ManagedObjectContextDidSave")
  static let didSaveObjectIDs = ContextNotification("ManagedObjectContextDidSaveObjectIDs")

  static let didMergeObjectIDs = ContextNotification("ManagedObjectContextDidMergeChangesObjectIDs")

  let name: Notification.Name
  private let asked = Atomic(false)

  private init(_ name: String) { self.name = Notification.Name(name) }

  /// Whether the name was asked for.
  var isAskedFor: Bool { asked.load(ordering: .relaxed) }

  /// The name to observe.
  var askedForName: Notification.Name {
    asked.store(true, ordering: .relaxed)
    return name
  }
}

extension ManagedObjectContext {
  /// Posted when an event has changed objects of a context, its object; ``ObjectsDidChange`` reads what it
  /// carries.
  ///
  /// Like the other four it is posted on the context's queue, inside of the call that is the cause, to
  /// ``notificationCenter``, once this name was asked for in the process.
  public static var didChangeObjectsNotification: Notification.Name {
    ContextNotification.didChangeObjects.askedForName
  }

  /// Posted when a save begins that has something to write; ``ContextWillSave`` reads it.
  public static var willSaveObjectsNotification: Notification.Name {
    ContextNotification.willSaveObjects.askedForName
  }

  /// Posted when a save is done; ``ContextDidSave`` reads what it carries.
  public static var didSaveObjectsNotification: Notification.Name {
    ContextNotification.didSaveObjects.askedForName
  }

  /// Posted after it, with identifiers; ``ContextDidSaveObjectIDs`` reads what it carries.
  public static var didSaveObjectIDsNotification: Notification.Name {
    ContextNotification.didSaveObjectIDs.askedForName
  }

  /// Posted when a merge has changed what the context knows, with identifiers; ``ContextDidMerge`` reads what
  /// it carries.
  public static var didMergeChangesObjectIDsNotification: Notification.Name {
    ContextNotification.didMergeObjectIDs.askedForName
  }

  /// The keys of the groups in the `userInfo` of notifications; a group without members has no key.
  public enum NotificationKey: String, Sendable {
    /// Inserted objects.
    case insertedObjects = "inserted"
    /// Updated objects.
    case updatedObjects = "updated"
    /// Deleted objects.
    case deletedObjects = "deleted"
    /// Refreshed objects.
    case refreshedObjects = "refreshed"
    /// Invalidated objects.
    case invalidatedObjects = "invalidated"
    /// The identifiers of all objects, after a reset.
    case invalidatedAllObjects = "invalidatedAll"
    /// Identifiers of inserted objects.
    case insertedObjectIDs = "inserted_objectIDs"
    /// Identifiers of updated objects.
    case updatedObjectIDs = "updated_objectIDs"
    /// Identifiers of deleted objects.
    case deletedObjectIDs = "deleted_objectIDs"
    /// Identifiers of refreshed objects.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// The query generation to which the context is pinned after a save, a ``QueryGenerationToken``.
    case queryGeneration = "newQueryGeneration"
    /// The place of a save in the histories of the stores, a ``PersistentHistoryToken``.
    case historyToken = "historyToken"
  }
}

extension Notification {
  /// A group of the payload; empty where it has no key.
  func contextGroup<Member>(_ key: ManagedObjectContext.NotificationKey) -> Set<Member> {
    userInfo?[key.rawValue] as? Set<Member> ?? []
  }

  /// The query generation of the payload; nil where it has none.
  var queryGeneration: QueryGenerationToken? {
    userInfo?[ManagedObjectContext.NotificationKey.queryGeneration.rawValue] as? QueryGenerationToken
  }

  /// The place in the histories of the stores in the payload; nil where it has none.
  var historyToken: PersistentHistoryToken? {
    userInfo?[ManagedObjectContext.NotificationKey.historyToken.rawValue] as? PersistentHistoryToken
  }

  /// Records in the payload of which a save has changed derived values alone; for merges.
  var derivedObjectIDs: Set<ManagedObjectID> { userInfo?[Self.derivedKey] as? Set<ManagedObjectID> ?? [] }

  fileprivate static let derivedKey = "derived_objectIDs"

  /// The context that has posted a notification of a kind; nil for another one.
  func context(of kind: ContextNotification) -> ManagedObjectContext? {
    name == kind.name ? object as? ManagedObjectContext : nil
  }

  /// The payload of groups, of which those without members are left out.
  static func userInfo<Member>(
    of groups: KeyValuePairs<ManagedObjectContext.NotificationKey, Set<Member>>
  ) -> [AnyHashable: Any] {
    var payload: [AnyHashable: Any] = [:]
    for (key, group) in groups where !group.isEmpty { payload[key.rawValue] = group }
    return payload
  }
}

extension [AnyHashable: Any] {
  /// The payload with a query generation, a place in histories, and records of which derived values alone
  /// have changed, where there are any.
  func with(
    _ generation: QueryGenerationToken?, _ token: PersistentHistoryToken?, derived: Set<ManagedObjectID>
  ) -> Self {
    var payload = self
    if let generation { payload[ManagedObjectContext.NotificationKey.queryGeneration.rawValue] = generation }
    if let token { payload[ManagedObjectContext.NotificationKey.historyToken.rawValue] = token }
    if !derived.isEmpty { payload[Notification.derivedKey] = derived }
    return payload
  }
}

/// Token of an observation of a context, which ends when it is cancelled or released.
///
/// It holds neither the context nor what it observes.
///
/// Keep it as long as messages are to be delivered:
///
/// ```swift
/// let token = context.observe(.willSave) { message in print(message.context.updatedObjects.count) }
/// try context.save()
/// token.cancel()
/// ```
public final class ContextObservation {
  private weak var context: ManagedObjectContext?
  let body: (ContextMessage) -> Void

  init(_ context: ManagedObjectContext, _ body: @escaping (ContextMessage) -> Void) {
    self.context = context
    self.body = body
  }

  /// Ends the observation; nothing is told from then on. On the context's queue.
  public func cancel() { context?.delivery.observers.remove(self) }
}
