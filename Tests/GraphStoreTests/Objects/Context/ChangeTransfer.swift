import GraphStoreModel

@testable import GraphStore

/// Makes the unsaved changes of a child those of its parent: what the child has not changed stays as the
/// parent has it.
struct ChangeTransfer {
  private let source: ParentSource

  init(_ source: ParentSource) { self.source = source }

  private var parent: ManagedObjectContext { source.parent }

  func apply(_ changes: PendingSave) throws {
    for object in changes.inserted { insert(object) }
    for object in changes.updated { try copyValues(of: object) }
    let changed = changes.inserted + changes.updated
    for object in changed { try copyDestinations(of: object) }
    for object in changed { try copyMembers(of: object) }
    for object in changes.deleted where !object.state.contains(.inaccessible) { try delete(object) }
  }

  /// The parent's object of the same record, or with the same temporary key.
  private func counterpart(of object: ManagedObject) throws -> ManagedObject {
    if object.key > 0 {
      return parent.fault(object.layout, key: object.key, storeIndex: object.storeIndex)
    }
    guard let found = source.object(object.layout, object.key) else {
      throw GraphStoreError(.temporaryIDUnknown, "The parent has no \(object.objectID).", remedy: "")
    }
    return found
  }

  // MARK: Values

  /// An object is inserted once in its life: `awakeFromInsert` has run in the child.
  private func insert(_ object: ManagedObject) {
    guard let row = object.currentRow else { return }
    let made = parent.make(
      object.layout, key: object.key, state: [.inserted, .ownsRow, .listed], storeIndex: object.storeIndex)
    if object.state.contains(.assigned) { made.changeState(adding: .assigned) }
    let block = parent.workingBlock(for: object.layout)
    let index = block.appendRow(copying: row)
    for slot in object.layout.toOneSlots { block.setNull(index, slot) }
    made.setRow(block, index)
    parent.registry.register(made)
    parent.unsaved.objects.append(made)
    parent.countSetter()
    _ = source.object(made.layout, made.key)
  }

  private func copyValues(of object: ManagedObject) throws {
    guard let row = object.currentRow, let extra = object.extra, let committed = extra.committed else {
      return
    }
    let target = try counterpart(of: object)
    for property in object.layout.properties
    where property.slot >= 0 && property.kind != .toOne && extra.touched.contains(property.number)
      && !row.isEqual(committed, property)
    {
      try target.prepareChange(of: property)
      target.block?.copyValue(of: property, from: row, to: Int(target.rowIndex))
    }
  }

  // MARK: Relationships

  private func copyDestinations(of object: ManagedObject) throws {
    let target = try counterpart(of: object)
    for relationship in object.layout.relationships where !relationship.isToMany {
      guard relationship.isPersistent,
        object.state.contains(.inserted) || object.extra?.touched.contains(relationship.number) == true
      else { continue }
      let destination = try object.object(of: relationship)
      if destination?.isDeleted == true { continue }
      try target.setObject(destination.map { try counterpart(of: $0) }, of: relationship)
    }
  }

  private func copyMembers(of object: ManagedObject) throws {
    let target = try counterpart(of: object)
    for relationship in object.layout.relationships where relationship.isToMany && relationship.isPersistent {
      guard let state = object.relationshipIfTouched(relationship.ordinal) as? ToManyRelationship,
        state.hasChanges
      else { continue }
      func counterparts(_ objects: [ManagedObject]) throws -> [ManagedObject] {
        try objects.filter { !$0.isDeleted }.map { try counterpart(of: $0) }
      }
      try target.remove(counterparts(state.removed.elements), from: relationship)
      try target.add(counterparts(state.added.elements), to: relationship)
      guard relationship.isOrdered, let members = state.members else { continue }
      try target.setMembers(counterparts(members.elements), of: relationship)
    }
  }

  // MARK: Deletions

  /// The rules have been applied in the child, and what follows from them is among its changes.
  private func delete(_ object: ManagedObject) throws {
    let target = try counterpart(of: object)
    guard !target.isDeleted else { return }
    if target.state.contains(.inserted) {
      target.leave(.detached)
      parent.unsaved.objects.removeAll { $0 === target }
      return
    }
    target.changeState(adding: [.deleted, .propagated])
    parent.recordChange(of: target)
    parent.deletions.order.append(target)
    parent.countSetter()
  }
}
