import OrderedCollections

/// The transfer of a child's changes into its parent, where they become unsaved changes: what the child has
/// not changed stays as the parent has it.
///
/// Everything is read before anything changes. The code of classes does not run again: it has run in the
/// child, and what it has changed is among the child's changes.
struct ChangeTransfer {
  let changes: PendingSave
  let child: ManagedObjectContext
  let parent: ManagedObjectContext
  /// The objects that are deleted in the child, and have not vanished from the store.
  private let deleted: [ManagedObject]
  /// The parent's objects, by those of the child; new ones are found by their keys.
  private var counterparts: [ObjectIdentifier: ManagedObject] = [:]

  init(of changes: PendingSave, from child: ManagedObjectContext, to parent: ManagedObjectContext) {
    self.changes = changes
    self.child = child
    self.parent = parent
    deleted = changes.deleted.filter { !$0.state.contains(.inaccessible) }
  }

  /// The objects whose links are carried over. Those to be deleted are among them: what was taken from one
  /// before it was deleted must be out of reach of the delete rules that the root may have to apply again.
  private var linked: [ManagedObject] {
    (changes.inserted + changes.updated + deleted).filter { !$0.layout.relationships.isEmpty }
  }

  // MARK: Reading

  /// Finds or makes the parent's objects, and reads what the changes are going to write to.
  ///
  /// - Throws: `object-not-found` for an object that was new in the parent and is not there any more; what
  ///   reading throws.
  mutating func prepare() throws {
    for object in deleted { _ = counterpart(of: object) }
    for object in changes.updated {
      if counterpart(of: object) == nil { throw notFound(object) }
    }
    let written = changes.updated.filter(\.isSetInRow)
    try realize(written + deleted)
    let gone = written.first { counterparts[ObjectIdentifier($0)]?.state.contains(.inaccessible) == true }
    if let gone { throw notFound(gone) }
    for object in linked { try prepareLinks(of: object) }
    try resolveOrderedMembers()
  }

  /// The parent's object of the record, or with the temporary key; nil where the parent does not have it.
  private mutating func counterpart(of object: ManagedObject) -> ManagedObject? {
    if let known = counterparts[ObjectIdentifier(object)] { return known }
    let (layout, key) = (object.layout, object.key)
    let found: ManagedObject
    if let known = parent.registry.object(layout, key: key, store: object.storeIndex) {
      found = known
    } else if key > 0 {
      found = parent.fault(layout, key: key, storeIndex: object.storeIndex)
    } else if let index = parent.source.storeIndex(ofTemporary: key, layout) {
      found = parent.fault(layout, key: key, storeIndex: index)
    } else {
      return nil
    }
    adoptCommittedRow(of: object, for: found)
    counterparts[ObjectIdentifier(object)] = found
    return found
  }

  /// Gives a fault of the parent the row that the child's changes are based on, so that the parent's own save
  /// finds out whether others have changed the record since.
  private func adoptCommittedRow(of object: ManagedObject, for fault: ManagedObject) {
    guard fault.state.contains(.fault), fault.layout === object.layout, !object.state.contains(.fault),
      let row = object.committedRow, !row.block.isPrivate
    else { return }
    fault.exchangeRow(for: row)
    fault.becomeRealized()
  }

  private func realize(_ objects: [ManagedObject]) throws {
    let targets = objects.compactMap { counterparts[ObjectIdentifier($0)] }
    try parent.loadRows(of: targets.filter { $0.state.contains(.fault) })
    for target in targets where target.isPresent { try target.realize() }
  }

  /// Finds the destinations of changed links, and reads the other ends of one-to-one relationships.
  private mutating func prepareLinks(of object: ManagedObject) throws {
    let target = counterparts[ObjectIdentifier(object)]
    for relationship in object.layout.relationships where relationship.isPersistent {
      if let members = object.relationshipIfTouched(relationship.ordinal) as? ToManyRelationship {
        let linked = members.added.elements + members.removed.elements
        for member in linked where !member.state.contains(.inserted) { _ = counterpart(of: member) }
        continue
      }
      guard !relationship.isToMany, object.hasChangedDestination(relationship) else { continue }
      let destination = try object.storedObject(of: relationship)
      let new = destination.flatMap { $0.state.contains(.inserted) ? nil : counterpart(of: $0) }
      guard relationship.inverse >= 0 else { continue }
      try new.map { try realizePartner(of: $0, through: relationship) }
      guard let target, target.isPresent, let old = try target.object(of: relationship) else { continue }
      try realizePartner(of: old, through: relationship)
    }
  }

  private func realizePartner(
    of destination: ManagedObject, through relationship: RelationshipLayout
  ) throws {
    let inverse = destination.layout.relationships[relationship.inverse]
    guard !inverse.isToMany, destination.isPresent else { return }
    try destination.realize()
    try destination.object(of: inverse)?.realize()
  }

  /// Reads the members of ordered relationships to which the child has added some, or which it has put in
  /// another order, with a statement for each relationship.
  private func resolveOrderedMembers() throws {
    var owners: OrderedDictionary<ObjectIdentifier, (RelationshipLayout, [ManagedObject])> = [:]
    for object in changes.updated {
      guard let target = counterparts[ObjectIdentifier(object)], target.isPresent else { continue }
      for relationship in object.layout.relationships where object.hasMovedMembers(relationship) {
        owners[ObjectIdentifier(relationship.description), default: (relationship, [])].1.append(target)
      }
    }
    for (relationship, targets) in owners.values { try parent.resolve(relationship, of: targets) }
  }

  private func notFound(_ object: ManagedObject) -> GraphStoreError {
    GraphStoreError(
      .objectNotFound,
      "\(object.objectID.shortForm) was changed here, and the parent context does not have it any more.",
      remedy: "Delete it here too, or roll back; nothing was saved.", entity: object.entity.name,
      objectID: object.objectID)
  }

  // MARK: Changing

  /// Makes the changes in the parent; nothing is read.
  func carryOut() {
    parent.unsaved.isTakingChanges = true
    defer { parent.unsaved.isTakingChanges = false }
    for object in changes.inserted { insert(object) }
    let deletions = DeletionTransfer(of: changes.deleted, to: parent, counterparts)
    for object in changes.updated { copyValues(of: object) }
    let linked = linked
    for object in linked { copyDestinations(of: object) }
    for object in linked { copyMembers(of: object) }
    deletions.carryOut(child.deletions.cascades)
  }

  /// Registers a new object with the child's values. It is inserted once in its life: `awakeFromInsert` has
  /// run in the child (OBJ-060).
  private func insert(_ object: ManagedObject) {
    guard let row = object.currentRow else { return }
    var state: ObjectState = [.inserted, .ownsRow, .listed, .inEvent, .insertedInEvent]
    if object.state.contains(.assigned) { state.insert(.assigned) }
    let made = parent.make(object.layout, key: object.key, state: state, storeIndex: object.storeIndex)
    let block = parent.workingBlock(for: object.layout)
    let index = block.appendRow(copying: row)
    for slot in object.layout.toOneSlots { block.setNull(index, slot) }
    made.setRow(block, index)
    let undefined = object.undefinedValues
    if !undefined.isEmpty { made.ensureExtra().decoded = undefined }
    parent.registry.register(made)
    parent.unsaved.objects.append(made)
    parent.countSetter()
    parent.validation.unstableChanges?.note(made)
  }

  /// Copies values that differ from those that the child had read.
  private func copyValues(of object: ManagedObject) {
    guard let row = object.currentRow, let committed = object.extra?.committed,
      let target = present(counterpart: object)
    else { return }
    target.reportingChanges {
      for leaf in object.layout.leaves where leaf.kind != .toOne && !row.isEqual(committed, leaf) {
        change(target, object.layout.properties[leaf.number]) {
          $0.block?.copyValue(of: leaf, from: row, to: Int($0.rowIndex))
          if leaf.kind == .transformable { $0.extra?.forgetDecoded(leaf.number) }
        }
      }
      for (number, value) in object.undefinedValues where object.extra?.touched.contains(number) == true {
        change(target, object.layout.properties[number]) { $0.ensureExtra().decoded[number] = value }
      }
    }
  }

  private func change(
    _ target: ManagedObject, _ property: PropertyLayout, _ write: (ManagedObject) -> Void
  ) {
    keepingErrors {
      try target.prepareChange(of: property)
      write(target)
    }
  }

  /// The parent's object, if it is not to be deleted there.
  private func present(counterpart object: ManagedObject) -> ManagedObject? {
    let found =
      object.state.contains(.inserted)
      ? parent.registry.object(object.layout, key: object.key, store: object.storeIndex)
      : counterparts[ObjectIdentifier(object)]
    return found?.isPresent == true ? found : nil
  }

  /// Whatever could fail has been read; an error that occurs all the same keeps the parent from being saved.
  private func keepingErrors(_ body: () throws -> Void) {
    do { try body() } catch { parent.keepDeferred(error) }
  }

  // MARK: Relationships

  private func copyDestinations(of object: ManagedObject) {
    guard let target = present(counterpart: object) else { return }
    for relationship in object.layout.relationships where !relationship.isToMany && relationship.isPersistent
    {
      guard object.hasChangedDestination(relationship) else { continue }
      keepingErrors {
        let destination = try object.storedObject(of: relationship)
        // No Action leaves links to what is deleted.
        if destination?.isDeleted == true { return }
        let new = destination.flatMap(present(counterpart:))
        if destination != nil, new == nil { return }
        if new == nil, object.state.contains(.inserted) { return }
        try target.setObject(new, of: relationship)
      }
    }
  }

  private func copyMembers(of object: ManagedObject) {
    guard let target = present(counterpart: object) else { return }
    for relationship in object.layout.relationships where relationship.isToMany && relationship.isPersistent {
      guard let members = object.relationshipIfTouched(relationship.ordinal) as? ToManyRelationship,
        members.hasChanges
      else { continue }
      keepingErrors {
        try copyLinks(members, to: target, relationship)
        if object.hasMovedMembers(relationship) { try copyOrder(of: members, to: target, relationship) }
      }
    }
  }

  /// Links to members that are deleted are cut on this end alone; those whose own row names the owner have
  /// been carried over with it.
  private func copyLinks(
    _ members: ToManyRelationship, to target: ManagedObject, _ relationship: RelationshipLayout
  ) throws {
    let removed = members.removed.elements
    for member in removed where !member.isPresent {
      guard let gone = counterparts[ObjectIdentifier(member)] else { continue }
      target.recordMembership(of: relationship) { $0.remove(gone) }
    }
    if relationship.inverse >= 0,
      !parent.coordinator.layout.entities[relationship.destination]
        .relationships[relationship.inverse].isToMany
    {
      return
    }
    try target.remove(
      removed.filter(\.isPresent).compactMap(present(counterpart:)), from: relationship)
    try target.add(
      members.added.elements.filter(\.isPresent).compactMap(present(counterpart:)), to: relationship)
  }

  /// Puts members into the child's order; those that the child does not know follow.
  private func copyOrder(
    of members: ToManyRelationship, to target: ManagedObject, _ relationship: RelationshipLayout
  ) throws {
    let present = try target.storedMembers(of: relationship)
    let known = Set(present)
    let wanted = (members.members ?? members.added).elements.compactMap { member in
      counterparts[ObjectIdentifier(member)]
        ?? parent.registry.object(member.layout, key: member.key, store: member.storeIndex)
    }
    let moved = wanted.filter(known.contains)
    let others = Set(moved)
    let rest = present.filter { !others.contains($0) }
    // Where the child has not read the members, those that have joined are last.
    let order = members.isResolved ? moved + rest : rest + moved
    if order.elementsEqual(present, by: ===) { return }
    target.recordMembership(of: relationship) {
      $0.reorder(order)
      return true
    }
  }
}

extension ManagedObject {
  /// Whether a save would store the destination of a to-one as it is now.
  fileprivate final func hasChangedDestination(_ relationship: RelationshipLayout) -> Bool {
    guard let row = currentRow, !state.contains(.fault) else { return false }
    if state.contains(.inserted) { return row.reference(relationship.slot) != nil }
    guard let committed = extra?.committed else { return false }
    return row.reference(relationship.slot) != committed.reference(relationship.slot)
  }

  /// Whether members have joined an ordered to-many, or have changed places.
  fileprivate final func hasMovedMembers(_ relationship: RelationshipLayout) -> Bool {
    guard relationship.isOrdered, relationship.isPersistent,
      let members = relationshipIfTouched(relationship.ordinal) as? ToManyRelationship
    else { return false }
    return members.isReordered || !members.added.isEmpty
  }
}
