import GraphStoreModel

/// The shape of an entity's rows, computed once for a model.
package final class EntityLayout: @unchecked Sendable {
  package let entity: EntityDescription
  /// Keeps the entity alive for objects that outlive their context.
  private let model: ManagedObjectModel
  /// Position of the entity in the model.
  package let index: Int
  /// Position of the root entity in the model.
  package let rootIndex: Int
  /// By property number.
  package let properties: [PropertyLayout]
  /// Everything that has a slot, in the order of the slots: properties, and elements of composite attributes.
  package let leaves: [PropertyLayout]
  /// Everything that takes a value: by property number, then the elements of composite attributes.
  package let fields: [PropertyLayout]
  package let composites: [PropertyLayout]
  package let relationships: [RelationshipLayout]
  package let oneToOnes: [RelationshipLayout]
  /// Those to which others may have added members that a deletion has to look for.
  package let relationshipsWithPhantoms: [RelationshipLayout]
  private let hasCascade: Bool
  private let hasDeny: Bool
  private let hasNullify: Bool
  /// Properties that a class may have rules for: those that objects hold and that can be set (OBJ-340).
  package let validatedProperties: [ValidatedProperty]
  /// Properties whose values are stored in the tail of a block.
  package let tailProperties: [PropertyLayout]
  package let slotCount: Int
  /// Words of the null bitmap.
  package let bitmapWords: Int
  /// Words of one row: version, null bitmap, slots.
  package let stride: Int
  /// Slots that hold to-one references.
  package let toOneSlots: [Int]
  /// Properties with a slot that no store keeps.
  package let transients: [PropertyLayout]
  /// Whether it has relationships that no store keeps.
  package let hasTransientLinks: Bool
  /// Whether values may be stored in files of their own.
  package let hasExternalData: Bool
  /// Whether values are stored beside the row: those of transformable and undefined attributes.
  package let hasValuesBesideRows: Bool
  /// Whether there are undefined attributes, whose values no row has.
  package let hasUndefined: Bool
  /// A new object's values, as the words of a row and the tail they refer to.
  package let defaults: RowBlock.Template
  /// The values that a row has before a store's are filled in: the defaults of transient attributes
  /// (OBJ-250); nil where there are none.
  package let transientDefaults: RowBlock.Template?
  /// The checks of a save on each row.
  package let checks: [ValidationFastPath]
  /// Stored attributes that must have a value which objects do not hold, so that no object can be inserted.
  package let unheldDemands: [AttributeDescription]
  /// The slots of properties in a row, by number; a value of its own, whose reading counts no reference.
  package let places: [Place]
  /// The numbers of the properties by their names.
  private let numbers: NameTable
  /// Unique in the process, so that a typed key can remember for which layout it was resolved.
  package let identity: UInt32
  /// The identity that no layout has.
  package static let noIdentity = UInt32.max

  package init(_ entity: EntityDescription, identity: UInt32, _ stored: StoredEntities) {
    self.entity = entity
    model = entity.model
    self.identity = identity
    index = entity.index
    rootIndex = entity.rootEntity.index
    var properties: [PropertyLayout] = []
    var relationships: [RelationshipLayout] = []
    var toOneSlots: [Int] = []
    var slots = SlotNumbers()
    for property in entity.properties {
      let number = properties.count
      if let attribute = property as? AttributeDescription {
        properties.append(Self.layout(of: attribute, number, isHeld: stored.holds(attribute), &slots))
        continue
      }
      guard let relationship = property as? RelationshipDescription else {
        properties.append(
          PropertyLayout(
            number: number, name: property.name, kind: .none, slot: -1, isPersistent: !property.isTransient,
            isOptional: property.isOptional, attribute: nil))
        continue
      }
      let kind = relationship.isToMany ? SlotKind.toMany : .toOne
      let (ordinal, slot) = (relationships.count, slots.next(for: kind))
      if kind == .toOne { toOneSlots.append(slot) }
      relationships.append(
        RelationshipLayout(
          description: relationship, number: number, ordinal: ordinal, slot: slot,
          destination: relationship.destination.index, inverse: Self.ordinal(of: relationship.inverse),
          isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
          isPersistent: !relationship.isTransient, deleteRule: relationship.deleteRule))
      properties.append(
        PropertyLayout(
          number: number, name: property.name, kind: kind, slot: slot, isPersistent: !property.isTransient,
          isOptional: property.isOptional, relationship: ordinal, attribute: nil))
    }
    let leaves = properties.flatMap(\.leaves)
    fields = properties + properties.flatMap(\.allElements)
    self.properties = properties
    places = properties.map { Place(slot: $0.slot, kind: $0.kind) }
    numbers = NameTable(properties.map(\.name))
    self.leaves = leaves
    tailProperties = leaves.filter(\.kind.usesTail)
    composites = properties.filter { $0.kind == .composite }
    self.relationships = relationships
    oneToOnes = relationships.filter(\.isOneToOne)
    relationshipsWithPhantoms = relationships.filter(\.allowsPhantoms)
    hasCascade = relationships.contains { $0.deleteRule == .cascade }
    hasDeny = relationships.contains { $0.deleteRule == .deny }
    hasNullify = relationships.contains { $0.deleteRule == .nullify }
    self.toOneSlots = toOneSlots
    let attributes = properties.filter { $0.relationship < 0 && $0.kind != .none }
    validatedProperties = properties.filter { $0.kind != .none && !$0.isDerived }.map {
      ValidatedProperty(number: $0.number, name: $0.name, isToMany: $0.kind == .toMany)
    }
    checks = attributes.compactMap { property in
      property.attribute.flatMap { ValidationFastPath($0, property) }
    }
    unheldDemands = entity.attributes.filter {
      !$0.isOptional && !$0.isTransient && !$0.isDerived && !stored.holds($0)
    }
    slotCount = slots.count
    bitmapWords = (slots.count + 63) / 64
    stride = 1 + bitmapWords + slots.count
    hasValuesBesideRows = properties.contains { $0.kind == .transformable || $0.kind == .undefined }
    hasUndefined = properties.contains { $0.kind == .undefined }
    hasExternalData = leaves.contains { $0.kind == .external }
    transients = leaves.filter { !$0.isPersistent }
    hasTransientLinks = relationships.contains { !$0.isPersistent }
    defaults = RowBlock.Template(leaves, bitmapWords: bitmapWords, stride: stride)
    transientDefaults =
      transients.contains { $0.attribute?.defaultValue.isNull == false }
      ? RowBlock.Template(transients, bitmapWords: bitmapWords, stride: stride) : nil
  }

  /// The slot of a property, -1 for one that has none, and the kind of its content.
  package struct Place: Sendable {
    package let slot: Int
    package let kind: SlotKind
  }

  /// Assigns slots in order.
  private struct SlotNumbers {
    private(set) var count = 0

    /// The next slot; -1 for a kind that has none.
    mutating func next(for kind: SlotKind) -> Int {
      guard kind.hasSlot else { return -1 }
      count += 1
      return count - 1
    }
  }

  /// The layout of an attribute, or of an element of a composite one.
  ///
  /// - Parameter path: Of an element: the composite attribute and the elements above it.
  private static func layout(
    of attribute: AttributeDescription, _ number: Int, isHeld: Bool, below path: [AttributeDescription] = [],
    _ slots: inout SlotNumbers
  ) -> PropertyLayout {
    let kind = isHeld ? SlotKind(attribute) : .none
    let slot = slots.next(for: kind)
    let ownPath = path + [attribute]
    var elements: [PropertyLayout] = []
    if kind == .composite {
      for element in attribute.elements {
        elements.append(layout(of: element, number, isHeld: true, below: ownPath, &slots))
      }
    }
    return PropertyLayout(
      number: number, name: ownPath.map(\.name).joined(separator: "."), kind: kind, slot: slot,
      isPersistent: !(path.first ?? attribute).isTransient, isOptional: attribute.isOptional,
      isDerived: attribute.isDerived, attribute: attribute, elements: elements,
      path: path.isEmpty ? [] : ownPath)
  }

  /// The element of a composite attribute by its path.
  package func element(at path: [AttributeDescription]) -> PropertyLayout? {
    fields[properties.count...].first { $0.path.elementsEqual(path, by: ===) }
  }

  /// The number of an element of a composite attribute among ``fields``.
  package func field(of element: PropertyLayout) -> Int {
    fields.firstIndex { $0 === element } ?? element.number
  }

  /// Those of some fields that are properties: elements of composite attributes have numbers behind these.
  package func properties(among changed: PropertySet) -> PropertySet {
    guard fields.count > properties.count else { return changed }
    var found = PropertySet()
    changed.forEach { if $0 < properties.count { found.insert($0) } }
    return found
  }

  /// Whether a relationship may have a delete rule.
  package func has(_ rule: DeleteRule) -> Bool {
    switch rule {
    case .cascade: hasCascade
    case .deny: hasDeny
    case .nullify: hasNullify
    case .noAction: true
    }
  }

  private static func ordinal(of relationship: RelationshipDescription?) -> Int {
    guard let relationship else { return -1 }
    return relationship.entity.relationships.firstIndex { $0 === relationship } ?? -1
  }

  /// The layout of a property by name.
  package func property(named name: String) -> PropertyLayout? {
    number(ofProperty: name).map { properties[$0] }
  }

  /// The number of a property by name.
  @inline(__always)
  package func number(ofProperty name: String) -> Int? {
    numbers.number(of: name)
  }
}
