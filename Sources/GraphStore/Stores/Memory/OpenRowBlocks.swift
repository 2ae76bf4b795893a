/// Blocks that take the rows of an in-memory store, one for each entity.
///
/// From its end on they are shared, and no row is added to them any more.
struct OpenRowBlocks: ~Copyable {
  /// By entity.
  private var blocks: [Int: RowBlock] = [:]

  deinit {
    for block in blocks.values { block.isShared = true }
  }

  /// A block with room for a row. The first ones of an entity are small, since many saves write few rows.
  mutating func roomyBlock(_ layout: EntityLayout) -> RowBlock {
    if let block = blocks[layout.index], block.hasRoom { return block }
    let former = blocks[layout.index]
    former?.isShared = true
    let block = RowBlock(layout: layout, capacity: min((former?.capacity ?? 0) * 4 + 1, RowBlock.capacity))
    blocks[layout.index] = block
    return block
  }
}
