/// The permanent keys of a save's inserted objects, by their temporary ones.
struct TemporaryKeyMap {
  private var first: Int64 = 0
  private var keys: [Int64] = []

  init() {}

  /// For temporary keys of a span; they are handed out in sequence, so a span holds few that are not of this save.
  init(from newest: Int64, through oldest: Int64) {
    first = oldest
    keys = [Int64](repeating: 0, count: Int(oldest - newest) + 1)
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
