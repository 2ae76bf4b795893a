import CGraphStoreShims

/// What a typed key remembers of the entity it was last used with, in one word that threads may share: the identity of
/// the layout in the high half, then the property's kind, its number and its slot.
enum AttributePlace {
  /// In place of the kind of a property that cannot be set.
  private static let computed: UInt64 = 0xF

  /// The property of a key in a layout, or nil where the entity has no such attribute of these kinds.
  @inline(__always)
  static func property(
    _ place: UnsafeMutablePointer<UInt64>, _ name: String, _ kinds: AttributeKinds, _ layout: EntityLayout
  ) -> PropertyLayout? {
    let known = gs_load_relaxed(place)
    if UInt32(truncatingIfNeeded: known >> 32) == layout.identity {
      return layout.properties[Int(known >> 16 & 0xFFF)]
    }
    return resolve(place, name, kinds, layout)
  }

  @inline(never)
  static func resolve(
    _ place: UnsafeMutablePointer<UInt64>, _ name: String, _ kinds: AttributeKinds, _ layout: EntityLayout
  ) -> PropertyLayout? {
    guard let property = find(gs_load_relaxed(place), name, layout),
      kinds.contains(AttributeKinds(property.kind))
    else { return nil }
    if property.number <= 0xFFF, property.slot <= 0xFFFF {
      let kind = property.isDerived ? computed : UInt64(property.kind.rawValue)
      let slot = UInt64(UInt16(truncatingIfNeeded: property.slot))
      let numbers = kind << 28 | UInt64(property.number) << 16 | slot
      gs_store_relaxed(place, UInt64(layout.identity) << 32 | numbers)
    }
    return property
  }

  /// The property of a name: at the number that another entity has it at, as entities of one family do, or looked up.
  private static func find(_ known: UInt64, _ name: String, _ layout: EntityLayout) -> PropertyLayout? {
    let number = Int(known >> 16 & 0xFFF)
    if known != 0, number < layout.properties.count, layout.properties[number].name == name {
      return layout.properties[number]
    }
    return layout.property(named: name)
  }
}
