import Foundation

/// A kind of message that a context posts, with the type of what it carries.
///
/// ```swift
/// let token = context.observe(.didSave) { saved in print(saved.inserted.count, "inserted") }
/// try context.save()
/// token.cancel()
/// ```
public struct ContextEvent<Payload>: Sendable {
  let payload: @Sendable (ContextMessage) -> Payload?
}

extension ContextEvent<ObjectsDidChange> {
  /// The changes of an event.
  public static var objectsDidChange: ContextEvent<ObjectsDidChange> {
    ContextEvent { if case .didChange(let payload) = $0 { payload } else { nil } }
  }
}

extension ContextEvent<ContextWillSave> {
  /// A save begins that has something to write.
  public static var willSave: ContextEvent<ContextWillSave> {
    ContextEvent { if case .willSave(let payload) = $0 { payload } else { nil } }
  }
}

extension ContextEvent<ContextDidSave> {
  /// A save is done: it is in the stores. For one inside a transaction it is posted when that is committed.
  public static var didSave: ContextEvent<ContextDidSave> {
    ContextEvent { if case .didSave(let payload) = $0 { payload } else { nil } }
  }
}

extension ContextEvent<ContextDidSaveObjectIDs> {
  /// A save is done, posted with identifiers, at the same time as `didSave`.
  public static var didSaveObjectIDs: ContextEvent<ContextDidSaveObjectIDs> {
    ContextEvent { if case .didSaveObjectIDs(let payload) = $0 { payload } else { nil } }
  }
}

extension ContextEvent<ContextDidMerge> {
  /// A merge has changed what the context knows.
  public static var didMerge: ContextEvent<ContextDidMerge> {
    ContextEvent { if case .didMerge(let payload) = $0 { payload } else { nil } }
  }
}

extension ManagedObjectContext {
  /// Calls a body with each message of a kind, on the context's queue, inside of the call that is the cause.
  ///
  /// ```swift
  /// let token = context.observe(.objectsDidChange) { change in print(change.updated) }
  /// ```
  ///
  /// - Returns: The token that ends the observation when it is released.
  public func observe<Payload>(
    _ event: ContextEvent<Payload>, _ body: @escaping (Payload) -> Void
  ) -> ContextObservation {
    checkQueue()
    let observation = ContextObservation(self) { message in
      if let payload = event.payload(message) { body(payload) }
    }
    delivery.observers.add(observation)
    return observation
  }

  /// The saves of the context from now on, in their order, for use anywhere.
  ///
  /// Each call gives a sequence of its own, which ends with the context. What nobody has taken yet is kept,
  /// and holds its objects.
  public var events: AsyncStream<SavedChanges> { delivery.observers.streams.make() }

  // MARK: Telling

  /// Whether the changes of events have observers.
  var deliversChanges: Bool {
    delivery.observers.hasConsumers || delivery.observers.hasObservations || posts(.didChangeObjects)
  }

  /// Whether the changes of saves have observers.
  var deliversSaves: Bool {
    delivery.observers.hasObservations || !delivery.observers.streams.isEmpty || posts(.didSaveObjects)
      || posts(.didSaveObjectIDs)
  }

  /// Whether merges have observers.
  var deliversMerges: Bool { delivery.observers.hasObservations || posts(.didMergeObjectIDs) }

  private func posts(_ notification: ContextNotification) -> Bool {
    notificationCenter != nil && notification.isAskedFor
  }

  private func post(_ notification: ContextNotification, _ userInfo: [AnyHashable: Any]) {
    guard posts(notification) else { return }
    notificationCenter?.post(name: notification.name, object: self, userInfo: userInfo)
  }

  /// Posts the changes of an event.
  func deliver(_ changes: ContextChanges) {
    if changes.isEmpty { return }
    let outer = delivery.changes
    delivery.changes = DeliveredChanges(changes)
    defer { delivery.changes = outer }
    delivery.observers.deliver(changes)
    guard !changes.hasNoObjects, delivery.observers.hasObservations || posts(.didChangeObjects) else {
      return
    }
    let payload = ObjectsDidChange(self, changes)
    delivery.observers.deliver(.didChange(payload))
    if posts(.didChangeObjects) { post(.didChangeObjects, payload.userInfo) }
  }

  /// Posts that a save begins.
  func notifyOfSave() {
    if delivery.observers.hasObservations { delivery.observers.deliver(.willSave(ContextWillSave(self))) }
    post(.willSaveObjects, [:])
  }

  /// Posts what a save has written.
  func deliver(_ saved: SavedObjects) {
    if delivery.observers.hasObservations || posts(.didSaveObjects) {
      let payload = ContextDidSave(self, saved)
      delivery.observers.deliver(.didSave(payload))
      if posts(.didSaveObjects) { post(.didSaveObjects, payload.userInfo) }
    }
    if delivery.observers.hasObservations || posts(.didSaveObjectIDs) {
      let payload = ContextDidSaveObjectIDs(self, saved)
      delivery.observers.deliver(.didSaveObjectIDs(payload))
      if posts(.didSaveObjectIDs) { post(.didSaveObjectIDs, payload.userInfo) }
    }
    if !delivery.observers.streams.isEmpty { delivery.observers.streams.yield(SavedChanges(self, saved)) }
  }

  /// Posts what a merge has done.
  func deliver(_ merged: ContextDidMerge) {
    delivery.observers.deliver(.didMerge(merged))
    if posts(.didMergeObjectIDs) { post(.didMergeObjectIDs, merged.userInfo) }
  }
}
