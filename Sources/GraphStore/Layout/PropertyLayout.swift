import GraphStoreModel

/// What the hot paths need to know of a property, by its number, or of an element of a composite attribute.
final class PropertyLayout: Sendable {
  /// The property's number; that of an element is its attribute's, under which changes are told (OBJ-297).
  let number: Int
  /// The name; of an element the path, such as `address.city`.
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
  /// The attribute or element; nil for a relationship or fetched property.
  let attribute: AttributeDescription?
  /// The elements of a composite attribute.
  let elements: [PropertyLayout]
  /// Of an element: the composite attribute and the elements on the way, itself last; else empty.
  let path: [AttributeDescription]

  init(
    number: Int, name: String, kind: SlotKind, slot: Int, isPersistent: Bool, isOptional: Bool,
    isDerived: Bool = false, relationship: Int = -1, attribute: AttributeDescription?,
    elements: [PropertyLayout] = [], path: [AttributeDescription] = []
  ) {
    self.number = number
    self.name = name
    self.kind = kind
    self.slot = slot
    self.isPersistent = isPersistent
    self.isOptional = isOptional
    self.isDerived = isDerived
    self.relationship = relationship
    self.attribute = attribute
    self.elements = elements
    self.path = path
  }

  /// The key of an element in the dictionary of its composite attribute; of a property its name.
  var key: String { path.last?.name ?? name }

  /// Whether values lie in rows: in a slot, or those of elements in several.
  var isInRow: Bool { slot >= 0 || kind == .composite }

  /// The elements of a composite attribute, and those of nested ones.
  var allElements: [PropertyLayout] { elements.flatMap { [$0] + $0.allElements } }

  /// What has slots: the property itself, or the elements of a composite attribute, nested ones too.
  var leaves: [PropertyLayout] {
    if kind == .composite { return elements.flatMap(\.leaves) }
    return slot >= 0 ? [self] : []
  }
}
