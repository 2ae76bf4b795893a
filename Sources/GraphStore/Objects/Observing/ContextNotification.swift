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

/// Messages to the observers of a context.
enum ContextMessage {
  case didChange(ObjectsDidChange)
  case willSave(ContextWillSave)
  case didSave(ContextDidSave)
  case didSaveObjectIDs(ContextDidSaveObjectIDs)
}

/// Something that keeps itself current with the objects of one context, from the record of each event.
protocol ChangeConsumer: AnyObject {
  /// An event has ended.
  func contextDidChange(_ changes: ContextChanges)
}

/// The observers of a context, none of which it keeps alive.
struct ContextObservers {
  private struct WeakObservation {
    weak var observation: ContextObservation?
  }

  private struct WeakConsumer {
    weak var consumer: (any ChangeConsumer)?
  }

  private var observations: [WeakObservation] = []
  private var consumers: [WeakConsumer] = []
  /// The continuations of ``ManagedObjectContext/events``.
  let streams = SavedChangesStreams()

  mutating func add(_ observation: ContextObservation) {
    observations.removeAll { $0.observation == nil }
    observations.append(WeakObservation(observation: observation))
  }

  mutating func remove(_ observation: ContextObservation) {
    observations.removeAll { $0.observation == nil || $0.observation === observation }
  }

  mutating func add(_ consumer: any ChangeConsumer) {
    consumers.removeAll { $0.consumer == nil }
    consumers.append(WeakConsumer(consumer: consumer))
  }

  /// Whether the records of events have a consumer.
  var hasConsumers: Bool { consumers.contains { $0.consumer != nil } }
  /// Whether messages have observers.
  var hasObservations: Bool { observations.contains { $0.observation != nil } }

  func tell(_ changes: ContextChanges) {
    for weak in consumers { weak.consumer?.contextDidChange(changes) }
  }

  func tell(_ message: ContextMessage) {
    for weak in observations { weak.observation?.body(message) }
  }
}

/// Observer of one object, notified once for each event that concerns it.
///
/// ```swift
/// let observer = ObjectObserver(object: employee) { change in
///   print(change == .delete ? "is gone" : "has changed")
/// }
/// ```
///
/// It holds neither the object nor its context, and ends when it is released. Belongs to the context's queue.
public final class ObjectObserver {
  /// Kind of change of the object.
  public enum Change: Hashable, Sendable {
    /// It was changed or refreshed.
    case update
    /// It was deleted or invalidated, whatever the cause; nothing further is delivered.
    case delete
  }

  private weak var object: ManagedObject?
  private var observation: ContextObservation?

  /// Observes an object; nil for one without a context.
  public init?(object: ManagedObject, handler: @escaping (Change) -> Void) {
    guard let context = object.managedObjectContext else { return nil }
    self.object = object
    observation = context.observe(.objectsDidChange) { [weak self] payload in
      guard let self, let change = self.change(in: payload) else { return }
      if change == .delete { self.observation = nil }
      handler(change)
    }
  }

  /// Deletion is looked for first; objects are compared by identity (PAT-058).
  private func change(in payload: ObjectsDidChange) -> Change? {
    if !payload.invalidatedAll.isEmpty { return .delete }
    guard let object else { return nil }
    if payload.deleted.contains(object) || payload.invalidated.contains(object) { return .delete }
    return payload.updated.contains(object) || payload.refreshed.contains(object) ? .update : nil
  }
}
