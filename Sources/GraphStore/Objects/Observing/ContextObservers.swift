import Foundation
import Synchronization

/// Messages to the observers of a context.
enum ContextMessage {
  case didChange(ObjectsDidChange)
  case willSave(ContextWillSave)
  case didSave(ContextDidSave)
  case didSaveObjectIDs(ContextDidSaveObjectIDs)
  case didMerge(ContextDidMerge)
}

/// Something that keeps itself current with the objects of one context, from the record of each event.
protocol ChangeConsumer: AnyObject {
  /// An event has ended.
  func contextDidChange(_ changes: ContextChanges)
  /// Whether it looks at records that others have changed, and of which the context has no object.
  var wantsMergedRecords: Bool { get }
}

extension ChangeConsumer {
  var wantsMergedRecords: Bool { false }
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
  /// Whether one of the consumers looks at records without an object.
  var wantsMergedRecords: Bool { consumers.contains { $0.consumer?.wantsMergedRecords == true } }
  /// Whether messages have observers.
  var hasObservations: Bool { observations.contains { $0.observation != nil } }

  func deliver(_ changes: ContextChanges) {
    for weak in consumers { weak.consumer?.contextDidChange(changes) }
  }

  func deliver(_ message: ContextMessage) {
    for weak in observations { weak.observation?.body(message) }
  }
}
