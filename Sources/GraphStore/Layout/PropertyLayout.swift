/// What the hot paths need to know of a property, by its number.
final class PropertyLayout: Sendable {
  let number: Int
  let name: String
  let kind: SlotKind
  /// The slot in a row; -1 for a property that has none.
  let slot: Int
  /// Whether the value is written to a store.
  let isPersistent: Bool
  let isOptional: Bool
  /// Whether the value is computed and cannot be set.
  let isDerived: Bool
  /// Position among the entity's relationships; -1 for an attribute.
  let relationship: Int

  init(
    number: Int, name: String, kind: SlotKind, slot: Int, isPersistent: Bool, isOptional: Bool,
    isDerived: Bool, relationship: Int
  ) {
    self.number = number
    self.name = name
    self.kind = kind
    self.slot = slot
    self.isPersistent = isPersistent
    self.isOptional = isOptional
    self.isDerived = isDerived
    self.relationship = relationship
  }
}
