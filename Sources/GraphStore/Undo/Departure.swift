/// What an object was when it left its context by deletion, from which it can come back.
struct Departure {
  /// The row; of a record with values that its store keeps in files those are in memory.
  let row: Row?
  /// What the object had beside its row, of one that was never saved.
  let attachment: ObjectAttachment
  /// By the relationship's position: the members of to-manys, of a record.
  let members: [Int: [ManagedObject]]
  /// By the relationship's position: the destinations of to-ones, which may get permanent keys meanwhile.
  let destinations: [Int: ManagedObject]

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
}

extension ManagedObject {
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

  /// Puts the data of an attribute with external storage into a row itself, in place of the file's name.
  ///
  /// - Throws: `external-data-missing`.
  final func takeOverData(of leaf: PropertyLayout, into copy: Row, from row: Row) throws {
    guard case .data(let data) = try externalValue(of: leaf, in: row) else { return }
    copy.block.replacing(copy.index, leaf.slot, leaf.kind) {
      copy.block.forgetExternalData(copy.index, leaf.slot)
      copy.block.setExternalData(data, copy.index, leaf.slot)
    }
  }
}
