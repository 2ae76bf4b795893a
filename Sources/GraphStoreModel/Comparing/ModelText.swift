/// Words for parts of models, and what adding one means.
enum ModelText {
  static func subject(_ property: PropertyDescription) -> ModelChange.Subject {
    switch property {
    case is AttributeDescription: .attribute
    case is RelationshipDescription: .relationship
    default: .fetchedProperty
    }
  }

  /// `abstract, parent Person, 3 attributes, 1 relationship`
  static func describe(_ entity: EntityDescription) -> String {
    var parts: [String] = []
    if entity.isAbstract { parts.append("abstract") }
    if let parent = entity.superentity { parts.append("parent \(parent.name)") }
    let attributes = entity.definition.attributes.count
    let relationships = entity.definition.relationships.count
    if attributes > 0 { parts.append("\(attributes) attribute\(attributes == 1 ? "" : "s")") }
    if relationships > 0 { parts.append("\(relationships) relationship\(relationships == 1 ? "" : "s")") }
    return parts.joined(separator: ", ")
  }

  static func describe(_ property: PropertyDescription) -> String {
    switch property {
    case let attribute as AttributeDescription: describe(attribute)
    case let relationship as RelationshipDescription: describe(relationship)
    case let fetched as FetchedPropertyDescription: "fetched \(fetched.destination.name)"
    default: ""
    }
  }

  /// `string, required, unique`
  static func describe(_ attribute: AttributeDescription) -> String {
    var parts = [attribute.type.rawValue]
    if !attribute.isOptional { parts.append("required") }
    if attribute.isTransient { parts.append("transient") }
    let isUnique = attribute.entity.uniquenessConstraints.contains { $0.map(\.name) == [attribute.name] }
    if isUnique { parts.append("unique") }
    if let derivation = attribute.derivation { parts.append("derived \(derivation)") }
    if !attribute.elements.isEmpty {
      parts.append("of \(attribute.elements.map(\.name).joined(separator: ", "))")
    }
    return parts.joined(separator: ", ")
  }

  /// `to-many Employee, ordered, inverse department, cascade`
  static func describe(_ relationship: RelationshipDescription) -> String {
    var parts = [(relationship.isToMany ? "to-many " : "to-one ") + relationship.destination.name]
    if !relationship.isOptional { parts.append("required") }
    if relationship.isTransient { parts.append("transient") }
    if relationship.isOrdered { parts.append("ordered") }
    if let inverse = relationship.inverse { parts.append("inverse \(inverse.name)") }
    parts.append(relationship.deleteRule.rawValue)
    return parts.joined(separator: ", ")
  }

  /// Whether objects that have no value yet get one.
  static func hasDefault(_ attribute: AttributeDescription) -> Bool {
    attribute.type == .composite
      ? attribute.elements.contains(where: hasDefault) : !attribute.defaultValue.isNull
  }

  /// The effect of adding an attribute to existing objects.
  static func addition(_ attribute: AttributeDescription) -> ModelChange.Effect {
    attribute.isOptional || attribute.isDerived || hasDefault(attribute)
      ? .lossless : .refused("objects that exist already would lack a value")
  }

  /// That two new things claim to be one old one.
  static func claim(_ rival: String, _ name: String, to old: String) -> String {
    "\(rival) and \(name) both claim to be \(old)"
  }

  /// That two new elements or properties claim to be one old one.
  static func claim(_ rival: String, _ name: String, oneOld thing: String) -> String {
    claim(rival, name, to: "one old \(thing)")
  }

  /// What to do about two that claim one.
  static func claimRemedy(_ identifier: String) -> String {
    "Leave the renaming identifier \"\(identifier)\" to one of them."
  }

  /// The text that entities of two trees would be merged into one.
  static func newAncestor(_ entity: EntityDescription, _ stranger: EntityDescription) -> String {
    "\(entity.name) and \(stranger.name) have no common ancestor in the old model and get one"
  }

  /// That several old properties become one and do not fit.
  static func differentTypes(_ properties: [PropertyDescription]) -> String {
    "\(properties.map(\.description).joined(separator: ", ")) have different types and become one"
  }

  /// The way out of everything that cannot be inferred.
  static let orMapping = "write a mapping for this step."

  /// What to do about a property that cannot be added.
  static func additionRemedy(_ property: PropertyDescription) -> String {
    property is RelationshipDescription
      ? "Make it optional, or \(orMapping)"
      : "Make it optional, give it a default, or \(orMapping)"
  }
}
