import GraphStoreModel

/// The shape of an entity's rows, worked out once for a model.
final class EntityLayout: @unchecked Sendable {
  let entity: EntityDescription
  /// Keeps the entity alive for objects that outlive their context.
  private let model: ManagedObjectModel
  /// Position of the entity in the model.
  let index: Int
  /// Position of the root entity in the model.
  let rootIndex: Int
  /// By property number.
  let properties: [PropertyLayout]
  let relationships: [RelationshipLayout]
  let oneToOnes: [RelationshipLayout]
  private let hasCascade: Bool
  private let hasDeny: Bool
  private let hasNullify: Bool
  /// The names of the attributes that objects hold, with their numbers.
  let attributeNames: [(number: Int, name: String)]
  /// Properties whose values lie in the tail of a block.
  let tailProperties: [PropertyLayout]
  let slotCount: Int
  /// Words of the null bitmap.
  let bitmapWords: Int
  /// Words of one row: version, null bitmap, slots.
  let stride: Int
  /// Slots that hold to-one references.
  let toOneSlots: [Int]
  /// Properties with a slot that no store keeps.
  let transients: [PropertyLayout]
  /// Whether values lie beside the row: of transformable and undefined attributes.
  let hasValuesBesideRows: Bool
  /// A new object's values, as the words of a row and the tail they refer to.
  let defaults: RowBlock.Template
  /// The values that a row has before a store's are filled in: the defaults of transient attributes (OBJ-250); nil where
  /// there are none.
  let transientDefaults: RowBlock.Template?
  /// What a save has to check in each row.
  let checks: [ValidationFastPath]
  /// Stored attributes that must have a value which objects do not hold, so that no object can be inserted.
  let unheldDemands: [AttributeDescription]
  /// Unique in the process, so that a typed key can remember for which layout it was resolved.
  let identity: UInt32
  /// The identity that no layout has.
  static let noIdentity = UInt32.max

  init(_ entity: EntityDescription, identity: UInt32, _ stored: StoredEntities) {
    self.entity = entity
    model = entity.model
    self.identity = identity
    index = entity.index
    rootIndex = entity.rootEntity.index
    var properties: [PropertyLayout] = []
    var relationships: [RelationshipLayout] = []
    var toOneSlots: [Int] = []
    var slots = 0
    for property in entity.properties {
      let number = properties.count
      var kind = SlotKind.none
      var slot = -1
      var ordinal = -1
      if let attribute = property as? AttributeDescription {
        kind = stored.holds(attribute) ? SlotKind(attribute.type) : .none
      } else if let relationship = property as? RelationshipDescription {
        kind = relationship.isToMany ? .toMany : .toOne
        ordinal = relationships.count
      }
      if kind.hasSlot {
        slot = slots
        slots += 1
      }
      if kind == .toOne { toOneSlots.append(slot) }
      if let relationship = property as? RelationshipDescription {
        relationships.append(
          RelationshipLayout(
            description: relationship, number: number, ordinal: ordinal, slot: slot,
            destination: relationship.destination.index, inverse: Self.ordinal(of: relationship.inverse),
            isToMany: relationship.isToMany, isOrdered: relationship.isOrdered,
            isPersistent: !relationship.isTransient, deleteRule: relationship.deleteRule))
      }
      properties.append(
        PropertyLayout(
          number: number, name: property.name, kind: kind, slot: slot, isPersistent: !property.isTransient,
          isOptional: property.isOptional,
          isDerived: (property as? AttributeDescription)?.derivation != nil, relationship: ordinal))
    }
    self.properties = properties
    tailProperties = properties.filter(\.kind.usesTail)
    self.relationships = relationships
    oneToOnes = relationships.filter(\.isOneToOne)
    hasCascade = relationships.contains { $0.deleteRule == .cascade }
    hasDeny = relationships.contains { $0.deleteRule == .deny }
    hasNullify = relationships.contains { $0.deleteRule == .nullify }
    self.toOneSlots = toOneSlots
    let attributes = properties.filter { $0.relationship < 0 && $0.kind != .none }
    attributeNames = attributes.map { ($0.number, $0.name) }
    checks = attributes.compactMap { property in
      (entity.properties[property.number] as? AttributeDescription).flatMap {
        ValidationFastPath($0, property)
      }
    }
    unheldDemands = entity.attributes.filter {
      !$0.isOptional && !$0.isTransient && !$0.isDerived && !stored.holds($0)
    }
    slotCount = slots
    bitmapWords = (slots + 63) / 64
    stride = 1 + bitmapWords + slots
    hasValuesBesideRows = properties.contains { $0.kind == .transformable || $0.kind == .undefined }
    transients = properties.filter { !$0.isPersistent && $0.slot >= 0 }
    defaults = RowBlock.Template(
      entity: entity, properties: properties, bitmapWords: bitmapWords, stride: stride)
    let hasTransientDefaults = transients.contains {
      (entity.properties[$0.number] as? AttributeDescription)?.defaultValue.isNull == false
    }
    transientDefaults =
      hasTransientDefaults
      ? RowBlock.Template(entity: entity, properties: transients, bitmapWords: bitmapWords, stride: stride)
      : nil
  }

  /// Whether a relationship may have a delete rule.
  func has(_ rule: DeleteRule) -> Bool {
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
  func property(named name: String) -> PropertyLayout? {
    entity.property(named: name).map { properties[$0.number] }
  }
}
