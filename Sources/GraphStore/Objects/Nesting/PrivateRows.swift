/// Copies of rows for one context alone: the original may still be written to, or is not what the stores
/// have.
struct PrivateRows {
  private var blocks: [ObjectIdentifier: RowBlock] = [:]

  /// Copies what a store would keep of a row.
  mutating func copy(of row: Row) -> Row {
    let layout = ObjectIdentifier(row.layout)
    let block: RowBlock
    if let open = blocks[layout], open.hasRoom {
      block = open
    } else {
      block = Self.block(for: row.layout, capacity: blocks[layout] == nil ? 4 : RowBlock.capacity)
      blocks[layout] = block
    }
    return Row(block: block, index: block.appendStoredRow(copying: row))
  }

  /// Copies what a store would keep of a single row.
  static func copy(of row: Row) -> Row {
    let block = block(for: row.layout, capacity: 1)
    return Row(block: block, index: block.appendStoredRow(copying: row))
  }

  static func block(for layout: EntityLayout, capacity: Int) -> RowBlock {
    let block = RowBlock(layout: layout, capacity: capacity)
    block.isPrivate = true
    return block
  }
}
