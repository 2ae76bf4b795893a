/// Snapshot of a new object right after `awakeFromInsert`, against which its changes are determined
/// (OBJ-096).
struct InsertionSnapshot {
  let row: Row
  /// The members of the to-manys that had some, by the relationship's position.
  let members: [Int: [ManagedObject]]

  /// Takes the snapshot of a new object.
  init(_ object: ManagedObject, _ row: Row) {
    let block = RowBlock(layout: object.layout, capacity: 1)
    self.row = Row(block: block, index: block.appendRow(copying: row))
    members = object.knownMembers
  }
}
