import GraphStoreModel

/// Data of a property for the hot paths, by its number, or of an element of a composite attribute.
package final class PropertyLayout: Sendable {
  /// The property's number; that of an element is its attribute's, under which changes are recorded
  /// (OBJ-297).
  package let number: Int
  /// The name; of an element the path, such as `address.city`.
  package let name: String
  package let kind: SlotKind
  /// The slot in a row; -1 for a property that has none.
  package let slot: Int
  /// Whether the value is written to a store.
  package let isPersistent: Bool
  package let isOptional: Bool
  /// Whether the value is computed and cannot be set.
  package let isDerived: Bool
  /// Position among the entity's relationships; -1 for an attribute.
  package let relationship: Int
  /// The attribute or element; nil for a relationship or fetched property.
  package let attribute: AttributeDescription?
  /// The elements of a composite attribute.
  package let elements: [PropertyLayout]
  /// The composite attribute of an element and the elements on the way, itself last; else empty.
  package let path: [AttributeDescription]

  package init(
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
  package var key: String { path.last?.name ?? name }

  /// Whether values are stored in rows: in a slot, or those of elements in several.
  package var isInRow: Bool { slot >= 0 || kind == .composite }

  /// The elements of a composite attribute, and those of nested ones.
  package var allElements: [PropertyLayout] { elements.flatMap { [$0] + $0.allElements } }

  /// The parts with slots: the property itself, or the elements of a composite attribute, nested ones too.
  package var leaves: [PropertyLayout] {
    if kind == .composite { return elements.flatMap(\.leaves) }
    return slot >= 0 ? [self] : []
  }
}

/// A set of property numbers.
package struct PropertySet: Hashable {
  private var low: UInt64 = 0
  private var high: [UInt64] = []

  package init() {}

  /// A set of one number.
  package init(_ number: Int) { insert(number) }

  package var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

  package func contains(_ number: Int) -> Bool {
    if number < 64 { return low >> UInt64(number) & 1 == 1 }
    let word = number / 64 - 1
    return word < high.count && high[word] >> UInt64(number & 63) & 1 == 1
  }

  /// Calls a body with each number, in ascending order.
  @inline(__always)
  package func forEach(_ body: (Int) -> Void) {
    Self.forEach(of: low, from: 0, body)
    for (position, word) in high.enumerated() { Self.forEach(of: word, from: (position + 1) * 64, body) }
  }

  @inline(__always)
  private static func forEach(of word: UInt64, from first: Int, _ body: (Int) -> Void) {
    var left = word
    while left != 0 {
      body(first + left.trailingZeroBitCount)
      left &= left - 1
    }
  }

  package mutating func insert(_ number: Int) {
    if number < 64 {
      low |= 1 << UInt64(number)
      return
    }
    let word = number / 64 - 1
    while high.count <= word { high.append(0) }
    high[word] |= 1 << UInt64(number & 63)
  }

  package func union(_ other: PropertySet) -> PropertySet {
    var union = self
    other.forEach { union.insert($0) }
    return union
  }

  package func subtracting(_ other: PropertySet) -> PropertySet {
    var rest = self
    other.forEach { rest.remove($0) }
    return rest
  }

  package mutating func remove(_ number: Int) {
    if number < 64 {
      low &= ~(1 << UInt64(number))
    } else if number / 64 - 1 < high.count {
      high[number / 64 - 1] &= ~(1 << UInt64(number & 63))
    }
  }
}
