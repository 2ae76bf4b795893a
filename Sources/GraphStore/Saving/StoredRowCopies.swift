/// Rows of saved objects as a store keeps them, for the row cache: copies without the values of transient
/// properties, which belong to one object of one context (OBJ-255).
struct StoredRowCopies {
  /// By entity: the block that takes rows now.
  private var blocks: [Int: RowBlock] = [:]
  private var rows: [(object: ManagedObject, row: Row)] = []

  /// Copies the row of an object.
  mutating func add(_ object: ManagedObject) {
    guard let row = object.currentRow else { return }
    let block = roomyBlock(object.layout)
    rows.append((object, Row(block: block, index: block.appendStoredRow(copying: row))))
  }

  private mutating func roomyBlock(_ layout: EntityLayout) -> RowBlock {
    if let block = blocks[layout.index], block.hasRoom { return block }
    let capacity = blocks[layout.index] == nil ? 4 : RowBlock.capacity
    let block = RowBlock(layout: layout, capacity: capacity)
    blocks[layout.index] = block
    return block
  }

  /// Puts the copies into the row cache and counts their objects as holders. Not before all are there: the
  /// tail of a block moves as it grows, and others read what is in the row cache.
  consuming func share(with cache: RowCache, from origin: RowCache.Origin) {
    for (_, row) in rows { row.block.isShared = true }
    for (object, row) in rows {
      let holders: Int32 = object.state.contains(.holdsRow) ? 0 : 1
      cache.put(row, key: object.key, holders: holders, from: origin)
      object.changeState(adding: .holdsRow)
    }
  }
}
