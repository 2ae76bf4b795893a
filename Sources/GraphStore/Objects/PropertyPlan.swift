/// What the hot paths need to know of a property, by its number.
struct PropertyPlan: Sendable {
  let number: Int
  let name: String
  let kind: SlotKind
  /// The slot in a row; -1 for a property that has none.
  let slot: Int
  /// Whether the value is written to a store.
  let isPersistent: Bool
  let isOptional: Bool
  /// Position among the entity's relationships; -1 for an attribute.
  let relationship: Int
}
