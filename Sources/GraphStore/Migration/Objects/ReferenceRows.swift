import GraphStoreModel

/// Rows of destination objects whose to-one references are set, each read once and written once.
struct ReferenceRows {
  private struct Entry {
    let key: Int64
    let committed: Row
    /// The references that are set; nothing else of the row is written.
    var row: Row?
    var changed = PropertySet()
  }

  private let layouts: [EntityLayout]
  private var entries: [Entry] = []
  /// By entity tree: positions among the entries by key.
  private var places: [[Int64: Int]]
  /// By entity tree: keys of rows to be read.
  private var wanted: [Set<Int64>]
  /// By entity: the block in which changed rows are written.
  private var blocks: [RowBlock?]

  init(_ side: MigrationSide) {
    layouts = side.layouts
    places = layouts.map { _ in [:] }
    wanted = layouts.map { _ in [] }
    blocks = layouts.map { _ in nil }
  }

  /// Asks for rows, which are read together.
  mutating func want(_ references: some Sequence<PackedReference>) {
    for reference in references {
      let root = layouts[reference.entity].rootIndex
      if places[root][reference.key] == nil { wanted[root].insert(reference.key) }
    }
  }

  /// Reads the rows that were asked for, with one statement an entity tree.
  mutating func load(_ session: any ReadSession) throws {
    for root in layouts.indices where !wanted[root].isEmpty {
      var found: [(key: Int64, row: Row)] = []
      try session.rows(layouts[root], keys: wanted[root].sorted()) { batch in
        batch.forEach { found.append(($0, $1)) }
        // The rows stay as they are; the batch's slot is reused.
      }
      for (key, row) in found {
        places[root][key] = entries.count
        entries.append(Entry(key: key, committed: row))
      }
      wanted[root] = []
    }
  }

  mutating func load(_ references: some Sequence<PackedReference>, _ session: any ReadSession) throws {
    want(references)
    try load(session)
  }

  private func place(of reference: PackedReference) -> Int? {
    places[layouts[reference.entity].rootIndex][reference.key]
  }

  /// The destination of an object, as it will be; nil also for one whose row is not there.
  func reference(of object: PackedReference, _ relationship: RelationshipLayout) -> PackedReference? {
    guard let place = place(of: object) else { return nil }
    let entry = entries[place]
    if let row = entry.row, entry.changed.contains(relationship.number) {
      return row.reference(relationship.slot)
    }
    return entry.committed.reference(relationship.slot)
  }

  /// Sets what an object refers to; nothing happens for one whose row is not there.
  mutating func setReference(
    of object: PackedReference, _ relationship: RelationshipLayout, to target: PackedReference?
  ) {
    guard let place = place(of: object) else { return }
    let row = entries[place].row ?? makeRow(entries[place].committed)
    entries[place].row = row
    entries[place].changed.insert(relationship.number)
    if let target {
      row.block.setWord(row.index, relationship.slot, target.bits)
    } else {
      row.block.setNull(row.index, relationship.slot)
    }
  }

  private mutating func makeRow(_ committed: Row) -> Row {
    let layout = committed.layout
    let block: RowBlock
    if let open = blocks[layout.index], open.hasRoom {
      block = open
    } else {
      block = RowBlock(layout: layout, capacity: RowBlock.capacity)
      blocks[layout.index] = block
    }
    return Row(block: block, index: block.appendRow(version: committed.version))
  }

  /// The changed rows.
  var updates: [SaveRequest.Update] {
    entries.compactMap { entry in
      entry.row.map {
        SaveRequest.Update(row: $0, key: entry.key, committed: entry.committed, changed: entry.changed)
      }
    }
  }
}
