/// The permanent keys of a save's inserted objects, by their temporary ones.
struct PermanentKeyMap {
  private var first: Int64 = 0
  private var keys: [Int64] = []

  init() {}

  /// For temporary keys of a span; they are handed out in sequence, so a span holds few that are not of this save.
  init(from newest: Int64, through oldest: Int64) {
    first = oldest
    keys = [Int64](repeating: 0, count: Int(oldest - newest) + 1)
  }

  /// Reserves a range of keys for each entity tree; objects get theirs in their order, which is that of insertion
  /// (OBJ-051).
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
    var keys = try KeyReservation(layouts, counts: counts, session)
    self.init(from: newest, through: oldest)
    for object in objects { self[object.key] = keys.consume(object.layout.rootIndex) }
  }

  /// The permanent key for any key: itself if it is one already, 0 for a temporary one that is not of this save.
  subscript(key: Int64) -> Int64 {
    get {
      guard key < 0 else { return key }
      let position = first - key
      return position >= 0 && position < keys.count ? keys[Int(position)] : 0
    }
    set { keys[Int(first - key)] = newValue }
  }
}
