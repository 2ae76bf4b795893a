/// The unsaved changes of a context: which objects have some, what belongs to the event that is open, and
/// where changed rows are written.
struct UnsavedChanges {
  /// Every object with unsaved changes, in order of its first.
  var objects: [ManagedObject] = []
  /// What has changed since pending changes were last processed.
  var event = EventRecord()
  /// Whether pending changes are being processed, or undone.
  var isProcessing = false
  /// Whether changes of a child are being taken: the code of classes has run for them in the child.
  var isTakingChanges = false
  /// How many objects' `awakeFromInsert` or `awakeFromFetch` is running, in which no pending changes are
  /// processed.
  var awakenings = 0
  /// The links that mutators which classes declare are changing at the moment, the innermost last.
  var mutatedLinks: [MutatedLink] = []
  /// The entity last asked for by name to insert an object of it.
  var lastInserted: EntityLayout?
  /// By entity: the block in which changed rows are written.
  fileprivate var workingBlocks: [RowBlock?]

  init(entityCount: Int) { workingBlocks = [RowBlock?](repeating: nil, count: entityCount) }
}

extension ManagedObjectContext {
  /// Counts setters, so that a save can tell whether hooks changed anything, and children whether what they
  /// have read is present.
  @inline(__always)
  var setterCount: Int { setters.load(ordering: .relaxed) }

  /// Only the context's own queue counts; children read the count from theirs.
  @inline(__always)
  func countSetter() { setters.store(setters.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

  func recordChange(of object: ManagedObject) {
    guard !object.state.contains(.listed) else { return }
    object.changeState(adding: .listed)
    unsaved.objects.append(object)
    validation.unstableChanges?.note(object)
  }

  /// The block that takes the changed rows of an entity.
  func workingBlock(for layout: EntityLayout) -> RowBlock {
    if let block = unsaved.workingBlocks[layout.index], block.hasRoom { return block }
    let isFirst = unsaved.workingBlocks[layout.index] == nil
    let block = RowBlock(layout: layout, capacity: isFirst ? 4 : RowBlock.capacity)
    // What a child saves goes to its parent; nobody else reads its rows.
    block.isPrivate = parent != nil
    unsaved.workingBlocks[layout.index] = block
    return block
  }

  /// Begins new blocks: the rows written so far are shared from now on and never written again.
  func retireWorkingBlocks() {
    for index in unsaved.workingBlocks.indices { unsaved.workingBlocks[index] = nil }
  }
}

extension ManagedObjectContext {
  /// Objects inserted since the last save, in order of insertion.
  public var insertedObjects: [ManagedObject] {
    checkQueue()
    return unsaved.objects.filterBorrowed { $0.state.isInsertion }
  }

  /// Saved objects changed since the last save, in order of their first change; deleted ones are not among
  /// them.
  public var updatedObjects: [ManagedObject] {
    checkQueue()
    return unsaved.objects.filterBorrowed { $0.state.isUpdate && !$0.state.isDeletion }
  }

  /// Saved objects to be deleted by the next save, in order of deletion.
  public var deletedObjects: [ManagedObject] {
    checkQueue()
    return deletions.order.filterBorrowed { $0.isToBeDeleted }
  }

  /// Whether anything is inserted, updated or deleted.
  public var hasChanges: Bool {
    checkQueue()
    return unsaved.objects.contains(where: \.hasChanges)
  }
}
