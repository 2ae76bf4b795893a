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

  /// The permanent keys that one save has assigned, or that were obtained ahead of one.
  struct Assignment {
    let keys: PermanentKeyMap
    let storeIndex: Int32
  }

  private struct State {
    /// The assignments, the oldest first, without those that were dropped.
    var assignments: [Assignment] = []
    /// How many were dropped.
    var dropped = 0
    /// The keys of the assignments up to ``indexed``, dropped ones left out.
    var byTemporaryKey: [Int64: PermanentKey] = [:]
    /// How many assignments are in the index: most are never asked for single keys.
    var indexed = 0
    /// By child: how many assignments it has adopted, dropped ones included.
    var adopted: [ObjectIdentifier: Int] = [:]
  }

  /// Beyond this many, assignments are dropped that all children have adopted.
  private static let capacity = 256

  private let state = Mutex(State())
  private let recorded = Atomic<Int>(0)
  private let children = Atomic<Int>(0)
  private let transaction = Atomic(false)
  private let pinned = Atomic(false)
  private let token = Mutex<QueryGenerationToken?>(nil)

  /// The number of assignments that were ever recorded.
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

  // MARK: Children

  /// - Returns: The number of assignments so far, which the child need not adopt.
  func add(_ child: ObjectIdentifier) -> Int {
    state.withLock { state in
      let count = state.dropped + state.assignments.count
      state.adopted[child] = count
      children.store(state.adopted.count, ordering: .releasing)
      return count
    }
  }

  func remove(_ child: ObjectIdentifier) {
    state.withLock { state in
      state.adopted[child] = nil
      children.store(state.adopted.count, ordering: .releasing)
      if state.adopted.isEmpty { Self.drop(state.assignments.count, of: &state) }
    }
  }

  // MARK: Permanent keys

  /// Records permanent keys that objects with temporary ones are about to get; nothing where no other context
  /// can know them.
  func record(_ keys: PermanentKeyMap, storeIndex: Int32) {
    guard hasChildren, keys.count > 0 else { return }
    state.withLock { state in
      state.assignments.append(Assignment(keys: keys, storeIndex: storeIndex))
      recorded.store(state.dropped + state.assignments.count, ordering: .releasing)
    }
  }

  /// The permanent key that has replaced a temporary one; nil where none has.
  func permanentKey(for temporaryKey: Int64) -> PermanentKey? {
    guard recordedCount > 0 else { return nil }
    return state.withLock { state in
      while state.indexed < state.dropped + state.assignments.count {
        let assignment = state.assignments[state.indexed - state.dropped]
        assignment.keys.forEach { temporaryKey, key in
          state.byTemporaryKey[temporaryKey] = PermanentKey(key: key, storeIndex: assignment.storeIndex)
        }
        state.indexed += 1
      }
      return state.byTemporaryKey[temporaryKey]
    }
  }

  /// Whether there are assignments that a child has not adopted.
  func hasAssignments(for child: ObjectIdentifier) -> Bool {
    let count = recordedCount
    return count > 0 && state.withLock { $0.adopted[child] ?? count } < count
  }

  /// The assignments after a number of them, which a child adopts now.
  func assignments(after count: Int, for child: ObjectIdentifier) -> [Assignment] {
    state.withLock { state in
      assert(count >= state.dropped, "a child has not adopted what was dropped")
      let new = Array(state.assignments[(count - state.dropped)...])
      if state.adopted[child] != nil { state.adopted[child] = count + new.count }
      if state.assignments.count > Self.capacity {
        let least = state.adopted.values.min() ?? 0
        Self.drop(least - state.dropped, of: &state)
      }
      return new
    }
  }

  private static func drop(_ count: Int, of state: inout State) {
    for (position, assignment) in state.assignments.prefix(count).enumerated()
    where state.dropped + position < state.indexed {
      assignment.keys.forEach { temporaryKey, _ in state.byTemporaryKey[temporaryKey] = nil }
    }
    state.assignments.removeFirst(count)
    state.dropped += count
    state.indexed = max(state.indexed, state.dropped)
  }
}

extension ManagedObjectContext {
  /// Gives the objects with the temporary keys of some of a child's permanent ones, ahead of their save.
  func adopt(_ keys: PermanentKeyMap, of objects: [ManagedObject], storeIndex: Int32) {
    for object in objects where object.key < 0 {
      adopt(keys[object.key], for: object.key, storeIndex: storeIndex)
    }
    for object in unsaved.objects { object.renewReferences(keys) }
  }

  /// Gives objects the permanent keys that contexts above have got for them, and renews what rows of this
  /// context alone say of them.
  func adoptSavedIdentifiers() {
    guard parent != nil, fetching.adoptedKeyCount != family.recordedCount else { return }
    let assignments = family.assignments(after: fetching.adoptedKeyCount, for: ObjectIdentifier(self))
    fetching.adoptedKeyCount += assignments.count
    for assignment in assignments {
      assignment.keys.forEach { adopt($1, for: $0, storeIndex: assignment.storeIndex) }
    }
    // Rows with temporary keys are in blocks of this context alone.
    for object in registry.all() where !object.layout.toOneSlots.isEmpty {
      object.renewReferences(of: family)
    }
  }

  /// Gives the object with a temporary key the permanent one, if there is one here; a new object keeps it
  /// until it is saved.
  private func adopt(_ key: Int64, for temporaryKey: Int64, storeIndex: Int32) {
    let adopted = registry.adopt(temporaryKey, key: key, storeIndex: storeIndex)
    if adopted?.state.contains(.inserted) == true { adopted?.changeState(adding: .assigned) }
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
