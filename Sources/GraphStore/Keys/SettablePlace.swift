/// Where an attribute lies, unpacked from what a typed key remembers.
struct SettablePlace {
  /// The identity of the layout.
  let identity: UInt32
  /// The property's number.
  let number: Int
  let slot: Int
  let kind: SlotKind

  /// Nil for a property that cannot be set.
  @inline(__always)
  init?(_ place: UInt64) {
    guard let kind = SlotKind(rawValue: UInt8(truncatingIfNeeded: place >> 28) & 0xF) else { return nil }
    self.kind = kind
    identity = UInt32(truncatingIfNeeded: place >> 32)
    number = Int(truncatingIfNeeded: place >> 16 & 0xFFF)
    slot = Int(truncatingIfNeeded: place & 0xFFFF)
  }
}
