extension ManagedObjectContext {
  /// Whether every save into the context's parent by another context is merged into this one, false at first.
  ///
  /// The merges run on the context's queue, after the save that they follow has returned, in the order of the
  /// saves; unsaved changes stay, as with ``mergeChanges(fromContextDidSave:)-(SavedChanges)``. An error of
  /// one is reported to ``Diagnostics/onDeferredError``, and thrown by the context's next save. Saves of
  /// other coordinators and processes, and batch requests, are not merged.
  ///
  /// It may be set at any time and concerns saves from then on. Where no context has it set, saves cost
  /// nothing more.
  public var automaticallyMergesChangesFromParent: Bool {
    get { delivery.mergesAutomatically }
    set {
      guard newValue != delivery.mergesAutomatically else { return }
      delivery.mergesAutomatically = newValue
      if newValue { source.saveRelay.add(self) } else { source.saveRelay.remove(self) }
    }
  }

  /// Merges a save that was passed on.
  func mergeAutomatically(_ changes: SavedChanges) {
    do { try mergeChanges(fromContextDidSave: changes) } catch { keepDeferred(error) }
  }

  /// Passes a save on to the other contexts of the parent that merge it as it happens.
  ///
  /// The one place from which saves are passed on: those of a context that is a parent itself concern its
  /// children as well.
  func relay(_ saved: SavedObjects) {
    if let place = saveRelay.reservePlace(for: nil) { saveRelay.post([SavedChanges(self, saved)], at: place) }
    guard let place = saving.relayPlace else { return }
    saving.relayPlace = nil
    source.saveRelay.post([SavedChanges(self, saved)], at: place)
  }
}
