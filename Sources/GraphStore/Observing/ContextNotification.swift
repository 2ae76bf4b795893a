import Foundation
import Synchronization

/// The notifications of contexts by Foundation's center.
///
/// A center does not say whether anybody observes a name, and putting together what nobody reads would make large saves slower.
/// So a notification is posted from the moment on at which the program has asked for its name, which whoever observes it does.
final class ContextNotification: Sendable {
  static let didChangeObjects = ContextNotification("ManagedObjectContextObjectsDidChange")
  static let willSaveObjects = ContextNotification("ManagedObjectContextWillSave")
  static let didSaveObjects = ContextNotification("ManagedObjectContextDidSave")
  static let didSaveObjectIDs = ContextNotification("ManagedObjectContextDidSaveObjectIDs")

  let name: Notification.Name
  private let asked = Atomic(false)

  private init(_ name: String) { self.name = Notification.Name(name) }

  /// Whether the name was asked for.
  var isAskedFor: Bool { asked.load(ordering: .relaxed) }

  /// The name, for who is going to observe it.
  var askedForName: Notification.Name {
    asked.store(true, ordering: .relaxed)
    return name
  }
}

extension ManagedObjectContext {
  /// Posted when an event has changed objects of a context, its object; ``ObjectsDidChange`` reads what it carries (CTX-062).
  ///
  /// Like the other three it is posted on the context's queue, inside of the call that is the cause, to
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

  /// The keys of the groups in the `userInfo` of notifications; a group without members has no key (CTX-063, CTX-064).
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
  }
}

extension Notification {
  /// A group of the payload; empty where it has no key.
  func contextGroup<Member>(_ key: ManagedObjectContext.NotificationKey) -> Set<Member> {
    userInfo?[key.rawValue] as? Set<Member> ?? []
  }

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
