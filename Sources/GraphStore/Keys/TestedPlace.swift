/// Where an attribute lies in the rows of an entity, in the word that a ``PropertyKey`` keeps for a source.
struct TestedPlace {
  /// The identity of the layout in the high half, then the kind in eight bits and the slot.
  let word: UInt64

  @inline(__always)
  init(word: UInt64) { self.word = word }

  init(_ property: PropertyLayout, of layout: EntityLayout) {
    word = UInt64(layout.identity) << 32 | UInt64(property.kind.rawValue) << 24 | UInt64(property.slot)
  }

  @inline(__always)
  var identity: UInt32 { UInt32(truncatingIfNeeded: word >> 32) }

  @inline(__always)
  var kind: SlotKind { SlotKind(rawValue: UInt8(truncatingIfNeeded: word >> 24)) ?? .none }

  @inline(__always)
  var slot: Int { Int(truncatingIfNeeded: word & 0xFF_FFFF) }
}
