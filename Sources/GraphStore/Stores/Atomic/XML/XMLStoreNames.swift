import GraphStoreModel

/// Names of a model as they stand in XML stores: entities in capitals, properties in lower case, and in their
/// own case those that differ in nothing else (STO-066, STO-067, STO-071).
struct XMLStoreNames {
  /// A name as it is written.
  struct Name {
    let text: String
    /// Whether it stands in its own case, which the element says then.
    let isExact: Bool
  }

  /// Property of an entity, as an element.
  struct Column {
    let property: PropertyLayout
    /// Nil for an attribute.
    let relationship: RelationshipLayout?
    let name: Name
    /// The type of an attribute, the limits of the number of members of a relationship.
    let type: String
  }

  /// What stands of an entity.
  struct Entity {
    let layout: EntityLayout
    let name: Name
    /// Attributes, and the elements of composite ones, in the model's order.
    let attributes: [Column]
    let relationships: [Column]
    private let lowered: [String: Column]
    private let exact: [String: Column]

    fileprivate init(_ layout: EntityLayout, _ name: Name) {
      (self.layout, self.name) = (layout, name)
      let stored = layout.properties.filter(\.isPersistent)
      let parts = stored.flatMap { $0.relationship < 0 ? $0.leaves : [$0] }
      let names = XMLStoreNames.names(parts.map(\.name)) { $0.lowercased() }
      let columns = zip(parts, names).map { property, name in
        let relationship = AtomicContent.relationship(property, of: layout)
        return Column(
          property: property, relationship: relationship, name: name,
          type: relationship.map(\.limits) ?? property.kind.nameInXML)
      }
      attributes = columns.filter { $0.relationship == nil }
      relationships = columns.filter { $0.relationship != nil }
      lowered = Dictionary(
        uniqueKeysWithValues: columns.filter { !$0.name.isExact }.map { ($0.name.text, $0) })
      exact = Dictionary(uniqueKeysWithValues: columns.map { ($0.property.name, $0) })
    }

    /// The property that an element names.
    func column(named text: String, isExact: Bool) -> Column? {
      isExact ? exact[text] : lowered[text] ?? lowered[text.lowercased()]
    }
  }

  /// By the entity's position in the model.
  let entities: [Entity]
  private let raised: [String: Int]
  private let exact: [String: Int]

  init(_ layouts: [EntityLayout]) {
    let names = Self.names(layouts.map(\.entity.name)) { $0.uppercased() }
    entities = zip(layouts, names).map { Entity($0, $1) }
    let numbered = names.enumerated().filter { !$0.element.isExact }
    raised = Dictionary(uniqueKeysWithValues: numbered.map { ($0.element.text, $0.offset) })
    exact = Dictionary(uniqueKeysWithValues: layouts.enumerated().map { ($1.entity.name, $0) })
  }

  /// The entity that an element names.
  func entity(named text: String, isExact: Bool) -> Entity? {
    (isExact ? exact[text] : raised[text] ?? raised[text.uppercased()]).map { entities[$0] }
  }

  private static func names(_ names: [String], _ folded: (String) -> String) -> [Name] {
    let texts = names.map(folded)
    let counts = Dictionary(texts.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(names, texts).map { name, text in
      counts[text] == 1 ? Name(text: text, isExact: false) : Name(text: name, isExact: true)
    }
  }
}

extension RelationshipLayout {
  /// The least and the greatest number of members, as XML stores say them; 0 is no limit.
  fileprivate var limits: String {
    isToMany
      ? "\(description.minCount)/\(description.maxCount)"
      : "\(description.requiresMember || description.minCount > 0 ? 1 : 0)/1"
  }
}

extension SlotKind {
  /// The type of values in XML stores.
  var nameInXML: String {
    switch self {
    case .int16: "int16"
    case .int32: "int32"
    case .int64: "int64"
    case .boolean: "bool"
    case .double: "double"
    case .float: "float"
    case .date: "date"
    case .string: "string"
    case .uri: "uri"
    case .uuid: "uuid"
    case .binary, .external: "binary"
    case .decimal: "decimal"
    case .transformable: "transformable"
    case .toOne, .toMany, .none, .composite, .undefined: "undefined"
    }
  }
}
