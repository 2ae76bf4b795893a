import CGraphStoreShims

/// Monomorphic inline cache of a typed key (entity → slot), one word that threads may share and access
/// relaxed: the identity of the layout in the high half, then the property's kind, its number and its slot.
enum InlineCache {
  /// Instead of the kind of a property that cannot be set, or not in its slot alone.
  private static let computed: UInt64 = 0xF

  /// The property of a key in a layout, or nil where the entity has no such attribute of these kinds.
  @inline(__always)
  static func property(
    _ place: UnsafeMutablePointer<UInt64>, name: String, kinds: _AttributeKinds, in layout: EntityLayout
  ) -> PropertyLayout? {
    let known = unsafe gs_load_relaxed(place)
    if UInt32(truncatingIfNeeded: known >> 32) == layout.identity {
      return layout.properties[Int(known >> 16 & 0xFFF)]
    }
    return unsafe resolve(place, name: name, kinds: kinds, in: layout)
  }

  @inline(never)
  static func resolve(
    _ place: UnsafeMutablePointer<UInt64>, name: String, kinds: _AttributeKinds, in layout: EntityLayout
  ) -> PropertyLayout? {
    guard let property = unsafe find(name, in: layout, near: gs_load_relaxed(place)),
      kinds.contains(_AttributeKinds(property.kind))
    else { return nil }
    if property.number <= 0xFFF, property.slot <= 0xFFFF {
      let isInPlace = !property.isDerived && !property.kind.needsObject
      let kind = isInPlace ? UInt64(property.kind.rawValue) : computed
      let slot = UInt64(UInt16(truncatingIfNeeded: property.slot))
      let numbers = kind << 28 | UInt64(property.number) << 16 | slot
      unsafe gs_store_relaxed(place, UInt64(layout.identity) << 32 | numbers)
    }
    return property
  }

  /// The property of a name: at the number that another entity has it at, as entities of one family do, or
  /// looked up.
  private static func find(_ name: String, in layout: EntityLayout, near known: UInt64) -> PropertyLayout? {
    let number = Int(known >> 16 & 0xFFF)
    if known != 0, number < layout.properties.count, layout.properties[number].name == name {
      return layout.properties[number]
    }
    return layout.property(named: name)
  }
}

extension InlineCache {
  /// Unpacked word of an inline cache.
  struct Entry {
    /// The identity of the layout.
    let identity: UInt32
    /// The property's number.
    let number: Int
    let slot: Int
    let kind: SlotKind

    /// Nil for a property that cannot be set, or not in its slot alone.
    @inline(__always)
    init?(_ place: UInt64) {
      guard let kind = SlotKind(rawValue: UInt8(truncatingIfNeeded: place >> 28) & 0xF) else { return nil }
      self.kind = kind
      identity = UInt32(truncatingIfNeeded: place >> 32)
      number = Int(truncatingIfNeeded: place >> 16 & 0xFFF)
      slot = Int(truncatingIfNeeded: place & 0xFFFF)
    }
  }

  /// Inline cache of a predicate's ``PropertyKey``, which keeps a word for its source. Predicates read only,
  /// so the kind takes eight bits and the number none: the test of a row unpacks with shifts by whole bytes.
  struct PredicateEntry {
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
}
