import Foundation
import Synchronization

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
