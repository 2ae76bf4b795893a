/// Token of an observation of a context, which ends when it is cancelled or let go of (CTX-417).
///
/// It holds neither the context nor what it observes.
public final class ContextObservation {
  private weak var context: ManagedObjectContext?
  let body: (ContextMessage) -> Void

  init(_ context: ManagedObjectContext, _ body: @escaping (ContextMessage) -> Void) {
    self.context = context
    self.body = body
  }

  /// Ends the observation; nothing is told from then on. On the context's queue.
  public func cancel() { context?.observers.remove(self) }
}

/// What observers of a context are told.
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

  /// Whether somebody reads the records of events.
  var hasConsumers: Bool { consumers.contains { $0.consumer != nil } }
  /// Whether somebody is told messages.
  var hasObservations: Bool { observations.contains { $0.observation != nil } }

  func tell(_ changes: ContextChanges) {
    for weak in consumers { weak.consumer?.contextDidChange(changes) }
  }

  func tell(_ message: ContextMessage) {
    for weak in observations { weak.observation?.body(message) }
  }
}
