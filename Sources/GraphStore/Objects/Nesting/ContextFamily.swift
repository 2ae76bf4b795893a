import Synchronization

/// The contexts of one tree: a context that saves to the stores, its children, and theirs.
///
/// New objects have temporary keys, under which all of these contexts know them. It records which permanent
/// keys they have got, so that each context adopts these when it next reads (CTX-305, CTX-308).
final class ContextFamily: Sendable {
  /// A permanent key, and the store that has assigned it.
  struct PermanentKey {
    let key: Int64
    let storeIndex: Int32
  }

  /// A temporary key with the permanent one that has replaced it.
  struct Replacement {
    let temporaryKey: Int64
    let entity: Int
    let permanent: PermanentKey
  }

  private struct State {
    /// The replacements, the oldest first, without those that were dropped.
    var replacements: [Replacement] = []
    /// How many were dropped.
    var dropped = 0
    var byTemporaryKey: [Int64: PermanentKey] = [:]
    /// By child: how many replacements it has adopted, dropped ones included.
    var adopted: [ObjectIdentifier: Int] = [:]
  }

  /// Beyond this many, replacements are dropped that all children have adopted.
  private static let capacity = 1 << 16

  private let state = Mutex(State())
  private let recorded = Atomic<Int>(0)
  private let children = Atomic<Int>(0)
  private let transaction = Atomic(false)
  private let pinned = Atomic(false)
  private let token = Mutex<QueryGenerationToken?>(nil)

  /// The number of replacements that were ever recorded.
  var recordedCount: Int { recorded.load(ordering: .acquiring) }

  /// Whether any context has a parent, so that others may know objects by temporary keys.
  var hasChildren: Bool { children.load(ordering: .acquiring) > 0 }

  /// Whether the topmost context takes part in a transaction; set on its queue, and read on any.
  var isInTransaction: Bool {
    get { transaction.load(ordering: .acquiring) }
    set { transaction.store(newValue, ordering: .releasing) }
  }

  /// Whether the topmost context is pinned to a query generation; set on its queue, and read on any.
  var isPinned: Bool {
    get { pinned.load(ordering: .acquiring) }
    set { pinned.store(newValue, ordering: .releasing) }
  }

  /// The query generation of the topmost context.
  var queryGenerationToken: QueryGenerationToken? {
    get { token.withLock { $0 } }
    set { token.withLock { $0 = newValue } }
  }

  /// - Returns: The number of replacements so far, which the child need not adopt.
  func add(_ child: ObjectIdentifier) -> Int {
    state.withLock { state in
      let count = state.dropped + state.replacements.count
      state.adopted[child] = count
      children.store(state.adopted.count, ordering: .releasing)
      return count
    }
  }

  func remove(_ child: ObjectIdentifier) {
    state.withLock { state in
      state.adopted[child] = nil
      children.store(state.adopted.count, ordering: .releasing)
      if state.adopted.isEmpty { Self.drop(state.replacements.count, of: &state) }
    }
  }

  /// Records the permanent keys that objects with temporary ones are about to get; nothing where no other
  /// context can know them.
  func record(_ objects: [ManagedObject], _ keys: PermanentKeyMap, storeIndex: Int32) {
    guard hasChildren else { return }
    state.withLock { state in
      state.replacements.reserveCapacity(state.replacements.count + objects.count)
      for object in objects where object.key < 0 {
        let permanent = PermanentKey(key: keys[object.key], storeIndex: storeIndex)
        state.replacements.append(
          Replacement(temporaryKey: object.key, entity: object.layout.index, permanent: permanent))
        state.byTemporaryKey[object.key] = permanent
      }
      recorded.store(state.dropped + state.replacements.count, ordering: .releasing)
    }
  }

  /// The permanent key that has replaced a temporary one; nil where none has.
  func permanentKey(for temporaryKey: Int64) -> PermanentKey? {
    guard recordedCount > 0 else { return nil }
    return state.withLock { $0.byTemporaryKey[temporaryKey] }
  }

  /// The replacements after a number of them, which a child adopts now.
  func replacements(after count: Int, for child: ObjectIdentifier) -> [Replacement] {
    state.withLock { state in
      assert(count >= state.dropped, "a child has not adopted what was dropped")
      let new = Array(state.replacements[(count - state.dropped)...])
      if state.adopted[child] != nil { state.adopted[child] = count + new.count }
      if state.replacements.count > Self.capacity {
        let least = state.adopted.values.min() ?? 0
        Self.drop(least - state.dropped, of: &state)
      }
      return new
    }
  }

  private static func drop(_ count: Int, of state: inout State) {
    for replacement in state.replacements.prefix(count) {
      state.byTemporaryKey[replacement.temporaryKey] = nil
    }
    state.replacements.removeFirst(count)
    state.dropped += count
  }
}

extension ManagedObjectContext {
  /// Gives the objects with the temporary keys of some of a child's permanent ones, ahead of their save.
  func adopt(_ keys: PermanentKeyMap, of objects: [ManagedObject], storeIndex: Int32) {
    for object in objects where object.key < 0 {
      let adopted = registry.adopt(object.key, key: keys[object.key], storeIndex: storeIndex)
      if adopted?.state.contains(.inserted) == true { adopted?.changeState(adding: .assigned) }
    }
    for object in unsaved.objects { object.renewReferences(keys) }
  }

  /// Gives objects the permanent keys that contexts above have got for them, and renews what rows of this
  /// context alone say of them.
  func adoptSavedIdentifiers() {
    guard parent != nil, fetching.adoptedKeyCount != family.recordedCount else { return }
    let replacements = family.replacements(after: fetching.adoptedKeyCount, for: ObjectIdentifier(self))
    fetching.adoptedKeyCount += replacements.count
    for replacement in replacements {
      let (key, store) = (replacement.permanent.key, replacement.permanent.storeIndex)
      guard let object = registry.adopt(replacement.temporaryKey, key: key, storeIndex: store) else {
        continue
      }
      if object.state.contains(.inserted) { object.changeState(adding: .assigned) }
    }
    // Rows with temporary keys are in blocks of this context alone.
    for object in registry.all() where !object.layout.toOneSlots.isEmpty {
      object.renewReferences(of: family)
    }
  }

  /// The identifier that an object has by now: the permanent one, where it was known by a temporary one.
  func presentIdentifier(_ id: ManagedObjectID) -> ManagedObjectID {
    guard id.isTemporaryID, let permanent = family.permanentKey(for: id.key) else { return id }
    return ManagedObjectID(
      scope: registry.scope(permanent.key, permanent.storeIndex), entityIndex: id.entityIndex,
      key: permanent.key)
  }
}

extension ManagedObject {
  /// Writes the permanent keys of destinations into the rows that no other context reads.
  fileprivate final func renewReferences(of family: ContextFamily) {
    for row in [currentRow, extra?.committed, extra?.insertion?.row, extra?.unchanged?.row] {
      guard let row, row.block.isPrivate else { continue }
      for slot in layout.toOneSlots {
        guard let reference = row.reference(slot), reference.key < 0,
          let permanent = family.permanentKey(for: reference.key)
        else { continue }
        row.block.setWord(
          row.index, slot, PackedReference(entity: reference.entity, key: permanent.key).bits)
      }
    }
  }
}
