extension ManagedObject {
  /// Makes sure that the values are in memory.
  ///
  /// - Throws: `inaccessible-object` when the record is gone and the context does not mark such objects
  ///   deleted, and the errors of the store. The object then stays a fault and the next access tries again
  ///   (FLT-021).
  @inline(__always)
  final func realize() throws {
    if unsafe !state.isDisjoint(with: [.fault, .invalidated]) || heldBlock == nil { try fire() }
  }

  @inline(never)
  private final func fire() throws {
    if isCountedWithPresentRow() { return becomeRealized() }
    guard let context, state.contains(.fault) else { return try checkUsable() }
    if context.traces(TraceKind.faultBits) { return try fireTraced(in: context) }
    guard let isCached = try takeRow(from: context) else { return }
    becomeRealized()
    context.activity.countObjectFault(isCached: isCached)
  }

  /// Fires a fault that is traced: a function of its own, because a clock is dear to copy even where there is
  /// none.
  @inline(never)
  private final func fireTraced(in context: ManagedObjectContext) throws {
    let clock = RequestClock()
    guard let isCached = try takeRow(from: context) else { return }
    becomeRealized()
    context.recordFault(of: self, isCached: isCached, since: clock)
  }

  /// Brings the present row into memory; nil where the record is gone, else whether the row cache had it.
  private final func takeRow(from context: ManagedObjectContext) throws -> Bool? {
    try checkUsable()
    try context.loadFaults(firingWith: self)
    let old = currentRow
    if let old, context.hasPresentRows(in: storeIndex), !context.isStale(old, in: storeIndex) { return true }
    guard let (row, isCached) = try context.rowOfFault(self) else {
      dropRow()
      try becomeInaccessible()
      return nil
    }
    exchangeRow(for: row)
    return isCached
  }

  /// Counts a fault whose row is at hand: no save of another context has changed rows since, its age does not
  /// matter, and faults are not traced. False where one of these is not so, or the object is no fault.
  private final func isCountedWithPresentRow() -> Bool {
    guard unsafe heldBlock != nil, state.contains(.fault), state.isDisjoint(with: [.detached, .invalidated])
    else {
      return false
    }
    return unsafe heldContext?._withUnsafeGuaranteedRef { context in
      guard context.fetching.knownCommitNumber == context.source.commitNumber, context.stalenessInterval <= 0,
        !context.traces(TraceKind.faultBits)
      else { return false }
      context.activity.countObjectFault(isCached: true)
      return true
    } ?? false
  }

  /// Takes the values of a row that the store gave; the object stays a fault until one is asked for.
  final func attach(_ row: Row) {
    setRow(row.block, row.index)
  }

  /// Takes the values of a row instead of those that the fault may have had, with the destinations that these
  /// named.
  final func exchangeRow(for row: Row) {
    let former = currentRow
    attach(row)
    if let former { forgetDestinations(movedFrom: former, to: row) }
  }

  /// Attaches a row that was just read to a fault.
  @inline(__always)
  final func renewRow(_ block: RowBlock, _ index: Int) {
    if case .nothing = attachment { return setRow(block, index) }
    exchangeRow(for: Row(block: block, index: index))
  }

  /// Marks values that are loaded as realised.
  final func becomeRealized() {
    guard state.contains(.fault) else { return }
    changeState(removing: .fault)
    if !state.contains(.awakening), hasOwnClass { awake() }
    if state.contains(.observed) { context?.delivery.keyObservers?.reportFaulting(of: self) }
  }

  /// Runs the hook of an object that has got its values from a row.
  final func awake() {
    changeState(adding: .awakening)
    countAwakening(1)
    awakeFromFetch()
    countAwakening(-1)
    changeState(removing: .awakening)
  }

  /// Notifies the context that `awakeFromFetch` begins or ends, in which no pending changes are processed
  /// (CTX-060).
  @inline(__always)
  private final func countAwakening(_ step: Int) {
    unsafe heldContext?._withUnsafeGuaranteedRef { $0.unsaved.awakenings &+= step }
  }

  private func becomeInaccessible() throws {
    guard let context else { return }
    guard context.shouldDeleteInaccessibleFaults else {
      var error = GraphStoreError(
        .inaccessibleObject, "could not fulfill a fault for \(objectID.uriText)",
        remedy: "The record was deleted elsewhere; let go of the object.", entity: entity.name,
        objectID: objectID)
      error.details = context.leftoverReferences(to: self)
      throw error
    }
    markInaccessible()
  }

  /// Marks the object as deleted, since its record is deleted.
  final func markInaccessible() {
    let wasDeleted = state.contains(.deleted)
    enterEvent()
    attachEmptyRow()
    changeState(removing: .fault, adding: [.deleted, .inaccessible, .propagated])
    if wasDeleted { return }
    context?.recordChange(of: self)
    context?.deletions.order.append(self)
    context?.countSetter()
  }

  /// Gives the object the row of a record that is gone: every value is nil, or zero.
  final func attachEmptyRow() {
    let empty = RowBlock(layout: layout, capacity: 1)
    let row = empty.appendRow(version: 0)
    for property in layout.transients { empty.setNull(row, property.slot) }
    setRow(empty, row)
  }

  /// Releases the values and every resolved relationship.
  final func turnIntoFault() {
    guard !state.contains(.fault) else { return }
    changeState(adding: .refaulting)
    willTurnIntoFault()
    releaseValues()
    didTurnIntoFault()
    // A hook that has read or set a value again has realised the object, and keeps nothing by that.
    if !state.contains(.fault) { releaseValues() }
    changeState(removing: .refaulting)
    if state.contains(.observed) { context?.delivery.keyObservers?.reportFaulting(of: self) }
  }

  private func releaseValues() {
    if layout.hasTransientLinks { leaveTransientLinks() }
    changeState(removing: .ownsRow, adding: .fault)
    dropRow()
    dropAttachment()
  }

  /// Throws if the object cannot be used any more.
  final func checkUsable() throws {
    if state.isDisjoint(with: [.invalidated, .detached]) { return }
    if state.contains(.invalidated) {
      throw GraphStoreError(
        .objectInvalidated, "The managed object with ID \(objectID.uriText) has been invalidated.",
        remedy:
          "Fetch it again by its identifier, in a context that is held: its own has gone or was reset, or its store "
          + "was removed.",
        entity: entity.name, objectID: objectID)
    }
    if block == nil {
      throw GraphStoreError(
        .inaccessibleObject, "could not fulfill a fault for \(objectID.uriText): its deletion was saved",
        remedy: "Let go of the object.", entity: entity.name, objectID: objectID)
    }
  }

  /// Throws if the object cannot take a change.
  final func checkChangeable() throws {
    if state.isDisjoint(with: [.invalidated, .detached]) { return try checkHeld() }
    if state.contains(.invalidated) { try checkUsable() }
    throw GraphStoreError(
      .objectDetached, "\(objectID.shortForm) was deleted and takes no changes.",
      remedy: "Insert a new object.", entity: entity.name, objectID: objectID)
  }
}
