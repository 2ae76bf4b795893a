/// Giver of the primary keys of a migration's destination objects (MIG-217).
///
/// An object that is migrated one to one keeps its key unless another one of its table has it already. All others get keys
/// beyond every key that the source has ever given, so that no identifier comes to name another object.
final class DestinationKeys {
  private let layouts: [EntityLayout]
  /// By entity tree: the keys that objects of several origins have claimed; nil where no two can claim one.
  private var claims: [KeyTable<Bool>?]
  /// By entity tree: keys that were reserved and not given yet.
  private var reserved: [Range<Int64>]
  private static let reservation: Int64 = 256

  /// - Parameter shared: By entity tree, whether several objects may claim one key.
  init(_ layouts: [EntityLayout], shared: [Bool]) {
    self.layouts = layouts
    claims = shared.map { $0 ? KeyTable<Bool>(empty: true) : nil }
    reserved = [Range<Int64>](repeating: 0..<0, count: layouts.count)
  }

  /// The key for an object made of a source object.
  ///
  /// - Parameter mayKeep: Whether the object has none yet.
  func key(
    keeping key: Int64, _ layout: EntityLayout, mayKeep: Bool, _ session: any WriteSession
  ) throws -> Int64 {
    guard mayKeep, claim(key, layout.rootIndex) else { return try newKey(layout, session) }
    return key
  }

  private func claim(_ key: Int64, _ root: Int) -> Bool {
    guard let claims = claims[root] else { return true }
    let count = claims.count
    _ = unsafe claims.add(key)
    return claims.count > count
  }

  /// A key that no object has had.
  func newKey(_ layout: EntityLayout, _ session: any WriteSession) throws -> Int64 {
    let root = layout.rootIndex
    if reserved[root].isEmpty {
      let first = try session.reserveKeys(layouts[root], count: Int(Self.reservation))
      reserved[root] = first..<first + Self.reservation
    }
    return reserved[root].removeFirst()
  }
}
