/// Record of the changes of one context, and what takes them back and brings them back.
///
/// ```swift
/// try context.setUndoManager(GraphUndoManager())
/// employee.salary = 50_000
/// try context.undo()
/// ```
///
/// Each event (``ManagedObjectContext/processPendingChanges()``) is one step, unless groups join several.
/// Steps hold the objects that they mention, and only values that have changed. They outlive saves: what is
/// undone after one is a change to be saved. Belongs to the queue of its context, and is released with it
/// unless it has another reference.
public final class GraphUndoManager {
  /// One or more steps that are undone together.
  struct Group {
    var steps: [UndoStep] = []
    var name: String?
  }

  private(set) weak var context: ManagedObjectContext?
  fileprivate(set) var undoStack: [Group] = []
  fileprivate(set) var redoStack: [Group] = []
  /// Groups that were begun and not ended, the outermost first.
  private var open: [Group] = []
  /// Groups that end with the event that is open.
  private var ending = 0
  private var disablings = 0
  /// The states of objects that have left the context and can return.
  var removedObjects = RemovedObjects()

  /// The maximum number of groups that are kept; 0, as at first, for all of them. Less than 0 is set as 0.
  public var levelsOfUndo = 0 {
    didSet {
      levelsOfUndo = max(0, levelsOfUndo)
      dropOldGroups()
    }
  }

  /// Makes a manager, to be passed to one context by ``ManagedObjectContext/setUndoManager(_:)``.
  public init() {}

  func attach(to context: ManagedObjectContext) { self.context = context }

  func detach() {
    clear()
    context = nil
  }

  /// The number of groups that can be undone.
  package var undoCount: Int { undoStack.count }

  // MARK: Undoing

  /// Whether there is something to undo; what is not processed yet counts.
  public var canUndo: Bool {
    process()
    return !undoStack.isEmpty || open.contains { !$0.steps.isEmpty }
  }

  /// Whether there is something to redo.
  public var canRedo: Bool {
    process()
    return !redoStack.isEmpty
  }

  /// The name of what would be undone; nil where it has none.
  public var undoActionName: String? {
    process()
    return undoStack.last?.name
  }

  /// The name of what would be redone; nil where it has none.
  public var redoActionName: String? {
    process()
    return redoStack.last?.name
  }

  /// Names the group that is open, or else the latest one.
  public func setActionName(_ name: String?) {
    process()
    if !open.isEmpty {
      open[0].name = name
    } else if !undoStack.isEmpty {
      undoStack[undoStack.count - 1].name = name
    }
  }

  /// Undoes the latest group; without one nothing happens.
  ///
  /// Links to objects that were deleted before, and not restored yet, return with these.
  ///
  /// - Returns: The identifiers of objects that it has not reached, since others have deleted them or they
  ///   have left the context for good.
  /// - Throws: `undo-grouping` while a group is open; `context-busy` while the context saves or delivers
  ///   changes; what reading the objects throws, and nothing has changed then.
  @discardableResult
  public func undo() throws -> [ManagedObjectID] {
    try process(before: "undo()")
    return try carryOutLast(of: \.undoStack, inverseTo: \.redoStack)
  }

  /// Brings back the group undone last; without one nothing happens.
  ///
  /// - Returns: As ``undo()``.
  /// - Throws: As ``undo()``.
  @discardableResult
  public func redo() throws -> [ManagedObjectID] {
    try process(before: "redo()")
    return try carryOutLast(of: \.redoStack, inverseTo: \.undoStack)
  }

  private func process(before call: String) throws {
    try context?.checkIdle(before: call)
    try context?.processPendingChanges()
    if ending > 0 { endGroups() }
    try checkClosed()
  }

  private func carryOutLast(
    of stack: ReferenceWritableKeyPath<GraphUndoManager, [Group]>,
    inverseTo other: ReferenceWritableKeyPath<GraphUndoManager, [Group]>
  ) throws -> [ManagedObjectID] {
    guard let context, let group = self[keyPath: stack].last else { return [] }
    let outcome = try context.carryOut(group.steps.reversed(), for: self)
    self[keyPath: stack].removeLast()
    self[keyPath: other].append(Group(steps: outcome.inverses, name: group.name))
    outcome.finish()
    try context.processPendingChanges()
    return outcome.unreached
  }

  /// Forgets everything that could be undone or redone, and releases the objects.
  public func removeAllActions() {
    process()
    clear()
  }

  /// Forgets what could be redone.
  package func removeRedoActions() {
    redoStack = []
    dropDepartures()
  }

  func clear() {
    undoStack = []
    redoStack = []
    open = open.map { _ in Group() }
    removedObjects = RemovedObjects()
  }

  func restore(undoing undoStack: [Group], redoing redoStack: [Group]) {
    (self.undoStack, self.redoStack) = (undoStack, redoStack)
  }

  // MARK: Grouping

  /// Begins a group: the events until ``endUndoGrouping()`` are undone together. Groups may be nested; the
  /// outermost is one step.
  public func beginUndoGrouping() {
    if ending > 0 { process() }
    open.append(Group())
  }

  /// Ends the group begun last, with the event that is open.
  ///
  /// - Throws: `undo-grouping` where none was begun.
  public func endUndoGrouping() throws {
    guard open.count > ending else {
      throw GraphStoreError(
        .undoGrouping, "A group of changes was ended that was never begun.",
        remedy: "Call beginUndoGrouping() once for each endUndoGrouping().")
    }
    ending += 1
    if context?.hasUnprocessedChanges != true { endGroups() }
  }

  /// The number of open groups.
  public var groupingLevel: Int { open.count - ending }

  private func endGroups() {
    while ending > 0, let group = open.popLast() {
      ending -= 1
      guard !group.steps.isEmpty else { continue }
      if open.isEmpty {
        push(group)
      } else {
        open[open.count - 1].steps += group.steps
      }
    }
  }

  private func checkClosed() throws {
    guard !open.isEmpty else { return }
    throw GraphStoreError(
      .undoGrouping, "A group of changes is open.", remedy: "Call endUndoGrouping() first.")
  }

  // MARK: Registering

  /// Keeps changes from being registered until ``enableUndoRegistration()`` is called as often; what has been
  /// stays.
  public func disableUndoRegistration() {
    process()
    disablings += 1
  }

  /// Ends what ``disableUndoRegistration()`` has begun; without that nothing happens.
  public func enableUndoRegistration() {
    process()
    disablings = max(0, disablings - 1)
  }

  /// Whether changes are registered.
  public var isRegistering: Bool { disablings == 0 }

  /// Registers what an event has changed.
  func register(_ changes: ContextChanges) {
    defer { endGroups() }
    guard isRegistering, let context else { return }
    let step = UndoStep(changes, in: context)
    guard !step.reversals.isEmpty else { return }
    redoStack = []
    if open.isEmpty { push(Group(steps: [step])) } else { open[open.count - 1].steps.append(step) }
  }

  private func push(_ group: Group) {
    undoStack.append(group)
    dropOldGroups()
  }

  private func dropOldGroups() {
    if levelsOfUndo > 0 { keepLatest(levelsOfUndo) }
  }

  /// Forgets the oldest groups so that those that are left concern at most so many objects, which they hold
  /// in memory.
  package func keepObjects(atMost limit: Int) {
    var count = 0
    let kept = undoStack.reversed().prefix { group in
      count += group.steps.reduce(0) { $0 + $1.reversals.count }
      return count <= limit
    }
    keepLatest(kept.count)
  }

  private func keepLatest(_ count: Int) {
    guard count < undoStack.count else { return }
    undoStack.removeFirst(undoStack.count - count)
    dropDepartures()
  }

  /// Forgets what objects were that no step mentions any more.
  func dropDepartures() {
    guard !removedObjects.isEmpty else { return }
    var mentioned: Set<ObjectIdentifier> = []
    for group in undoStack + redoStack + open {
      for step in group.steps {
        for reversal in step.reversals { mentioned.insert(ObjectIdentifier(reversal.object)) }
      }
    }
    removedObjects.keepOnly(mentioned)
  }

  private func process() {
    do { try context?.processPendingChanges() } catch { context?.keepDeferred(error) }
    if ending > 0, context?.hasUnprocessedChanges != true { endGroups() }
  }

  // MARK: Unsaved changes

  /// Does something with each step that describes changes since the last save: those that can be undone
  /// first, from the oldest on.
  func forEachUnsavedStep(_ body: (inout UndoStep) -> Void) {
    let generation = context?.saving.generation
    for stack in [\GraphUndoManager.undoStack, \GraphUndoManager.redoStack, \GraphUndoManager.open] {
      for place in unsavedPlaces(of: self[keyPath: stack]) {
        for index in self[keyPath: stack][place].steps.indices
        where self[keyPath: stack][place].steps[index].generation == generation {
          body(&self[keyPath: stack][place].steps[index])
        }
      }
    }
  }

  /// Forgets unsaved groups of which nothing is left.
  func removeEmptyGroups() {
    for stack in [\GraphUndoManager.undoStack, \GraphUndoManager.redoStack] {
      for place in unsavedPlaces(of: self[keyPath: stack]).reversed()
      where self[keyPath: stack][place].steps.allSatisfy(\.reversals.isEmpty) {
        self[keyPath: stack].remove(at: place)
      }
    }
  }

  /// The positions of the groups that describe changes since the last save: at the end, so that older ones
  /// are not read, however many there are.
  private func unsavedPlaces(of groups: [Group]) -> Range<Int> {
    let generation = context?.saving.generation
    let start = groups.lastIndex { !$0.steps.isEmpty && !$0.steps.contains { $0.generation == generation } }
    return (start.map { $0 + 1 } ?? 0)..<groups.count
  }
}

extension ManagedObjectContext {
  /// Does something that cannot be undone, as an event of its own where there is a manager that would record
  /// it.
  func unrecorded(_ body: () throws -> Void) throws {
    guard let undoManager, undoManager.isRegistering else { return try body() }
    undoManager.disableUndoRegistration()
    defer { undoManager.enableUndoRegistration() }
    try body()
    try processPendingChanges()
  }

  /// Whether something has changed that is not processed yet.
  var hasUnprocessedChanges: Bool { !deletions.pending.isEmpty || hasOpenEvent }

  /// Sets the manager that records the context's changes from now on, or removes it with nil.
  ///
  /// Pending changes are processed first, and are not recorded. The records of a manager that is removed are
  /// discarded.
  ///
  /// - Throws: `undo-manager-in-use` for the manager of another context; what processing throws.
  public func setUndoManager(_ manager: GraphUndoManager?) throws {
    checkQueue()
    if manager === undoManager { return }
    if let other = manager?.context, other !== self {
      throw GraphStoreError(
        .undoManagerInUse, "The undo manager belongs to \(other.nameForMessages).",
        remedy: "Give each context a manager of its own.")
    }
    try processPendingChanges()
    undoManager?.detach()
    undoManager = manager
    manager?.attach(to: self)
  }

  /// Undoes the latest group of changes; without a manager, or without changes, nothing happens.
  ///
  /// Values, both ends of relationships, positions in ordered ones and flags become what they were: a context
  /// all of whose changes are undone has none. No setter, validator, or hook but
  /// ``ManagedObject/awake(fromSnapshotEvents:)`` is called. A change that a save has written since becomes a
  /// change to be saved; a record that it has deleted is inserted again under its former key.
  ///
  /// - Returns: The identifiers of objects that could not be reached, since others have deleted them.
  /// - Throws: `undo-grouping` while a group is open; what reading the objects throws, and nothing has
  ///   changed then.
  @discardableResult
  public func undo() throws -> [ManagedObjectID] {
    checkQueue()
    return try undoManager?.undo() ?? []
  }

  /// Brings back the group of changes that was undone last, as ``undo()`` takes one back.
  @discardableResult
  public func redo() throws -> [ManagedObjectID] {
    checkQueue()
    return try undoManager?.redo() ?? []
  }
}
