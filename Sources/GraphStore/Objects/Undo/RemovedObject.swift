/// State of an object when it left its context by deletion, from which it can be restored.
struct RemovedObject {
  /// Membership in a to-many of which the member does not know.
  struct Membership {
    let owner: ManagedObject
    /// The position of the owner's relationship.
    let ordinal: Int
    /// The members in their order, of an ordered relationship.
    let order: [ManagedObject]?
  }

  /// The row; of a record with values that its store keeps in files those are in memory.
  let row: Row?
  /// The attachment beside its row of an object that was never saved.
  let attachment: ObjectAttachment
  /// By the relationship's position: the members of to-manys, of a record.
  let members: [Int: [ManagedObject]]
  /// The one-way to-manys of others that a record was a member of.
  var memberships: [Membership] = []
  /// By the relationship's position: the destinations of to-ones, which may get permanent keys meanwhile.
  private(set) var destinations: [Int: ManagedObject]

  init(_ object: ManagedObject) {
    row = object.currentRow.map { object.rowWithOwnData($0) }
    attachment = object.attachment
    members = object.knownMembers
    var destinations: [Int: ManagedObject] = [:]
    for relationship in object.layout.relationships where !relationship.isToMany {
      destinations[relationship.ordinal] = object.knownDestination(relationship.ordinal)
    }
    self.destinations = destinations
  }

  /// Finds the destinations that the row names and that were not checked before.
  mutating func findDestinations(
    of object: ManagedObject, _ find: (PackedReference) -> ManagedObject?
  ) {
    for relationship in object.layout.relationships
    where !relationship.isToMany && relationship.isPersistent && destinations[relationship.ordinal] == nil {
      guard let reference = row?.reference(relationship.slot), reference.key > 0 else { continue }
      destinations[relationship.ordinal] = find(reference)
    }
  }
}

extension ManagedObjectContext {
  /// Registers an object again that has left the context by deletion. A fault that was made for its record
  /// meanwhile, and leads to nothing, is replaced: a record has one object (CTX-002).
  func reinsert(_ object: ManagedObject, _ removedObject: RemovedObject) {
    if let other = registry.object(object.layout, key: object.key, store: object.storeIndex), other !== object
    {
      other.invalidate()
      deletions.order.removeAll { $0 === other }
      removeUnlisted()
    }
    object.reinserted(removedObject, to: self)
    registry.register(object)
  }
}

extension ManagedObject {
  /// Enters a context again that the object has left by deletion: as a new object, whose key stays what it
  /// was.
  fileprivate final func reinserted(_ removedObject: RemovedObject, to context: ManagedObjectContext) {
    changeState(removing: [.detached, .propagated, .fault], adding: .inserted)
    // A record returns to the store whose key it has; another one keeps the store that was chosen for it
    // (STO-144).
    if key > 0 { changeState(adding: .assigned) }
    if let row = removedObject.row {
      let block = context.workingBlock(for: layout)
      setRow(block, block.appendRow(copying: row))
      changeState(adding: .ownsRow)
    }
    context.recordChange(of: self)
    if key < 0 {
      attachment = removedObject.attachment
      extra?.endEvent()
    } else {
      for (ordinal, members) in removedObject.members {
        let relationship = layout.relationships[ordinal]
        setToMany(ordinal, ToManyRelationship(added: members, isOrdered: relationship.isOrdered))
      }
      for (ordinal, destination) in removedObject.destinations { setDestination(ordinal, destination) }
    }
    renewPrimitiveReferences()
  }

  /// Reads the members of all stored to-manys.
  final func loadMembers() throws {
    for relationship in layout.relationships where relationship.isToMany && relationship.isPersistent {
      _ = try storedMembers(of: relationship)
    }
  }

  /// A row whose data with external storage do not depend on files that a save removes.
  fileprivate final func rowWithOwnData(_ row: Row) -> Row {
    guard layout.hasExternalData else { return row }
    let block = RowBlock(layout: layout, capacity: 1)
    let copy = Row(block: block, index: block.appendRow(copying: row))
    for leaf in layout.leaves where leaf.kind == .external {
      try? takeOverData(of: leaf, into: copy, from: row)
    }
    return copy
  }

  /// Puts the data of an attribute with external storage into a row itself, instead of the file's name;
  /// nothing where another writer has removed the data since.
  ///
  /// - Throws: `external-data-missing`.
  final func takeOverData(of leaf: PropertyLayout, into copy: Row, from row: Row) throws {
    let value = try externalValue(of: leaf, in: row)
    copy.block.replacing(copy.index, leaf.slot, leaf.kind) {
      copy.block.forgetExternalData(copy.index, leaf.slot)
      if case .data(let data) = value {
        copy.block.setExternalData(data, copy.index, leaf.slot)
      } else {
        copy.block.setNull(copy.index, leaf.slot)
      }
    }
  }
}
