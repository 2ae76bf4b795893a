/// Range of keys an entity tree, reserved for new records and assigned in the order of these.
struct KeyReservation {
  /// By entity tree, 0 where none was asked for.
  private var next: [Int64]

  /// Reserves keys, with one statement an entity tree.
  ///
  /// - Parameter counts: By entity tree, how many.
  init(_ layouts: [EntityLayout], counts: [Int], _ session: any WriteSession) throws {
    next = [Int64](repeating: 0, count: layouts.count)
    for root in layouts.indices where counts[root] > 0 {
      next[root] = try session.reserveKeys(layouts[root], count: counts[root])
    }
  }

  /// The key that the next record of an entity tree gets; 0 where none was asked for.
  subscript(root: Int) -> Int64 { next[root] }

  /// Takes the next key of an entity tree.
  mutating func consume(_ root: Int) -> Int64 {
    defer { next[root] += 1 }
    return next[root]
  }
}

extension PermanentKeyMap {
  /// Reserves a range of keys for each entity tree; objects get theirs in their order, which is that of
  /// insertion (OBJ-051).
  init(
    reservedFor objects: [ManagedObject], _ layouts: [EntityLayout], _ session: any WriteSession
  ) throws {
    var counts = [Int](repeating: 0, count: layouts.count)
    var newest = Int64(0)
    var oldest = Int64.min
    for object in objects {
      counts[object.layout.rootIndex] += 1
      newest = min(newest, object.key)
      oldest = max(oldest, object.key)
    }
    let assigned = try session.keys(ofNew: { objects.compactMap(\.currentRow) })
    self.init(from: newest, through: oldest)
    if let assigned {
      for (object, key) in zip(objects, assigned) { self[object.key] = key }
      return
    }
    var keys = try KeyReservation(layouts, counts: counts, session)
    for object in objects { self[object.key] = keys.consume(object.layout.rootIndex) }
    guard session.makesReferences else { return }
    try session.assignReferences(
      to: objects.map { NewRecord(layout: $0.layout, key: self[$0.key], row: $0.currentRow) })
  }
}
