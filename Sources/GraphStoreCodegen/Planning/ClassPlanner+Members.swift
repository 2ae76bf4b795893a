import GraphStoreModel

extension ClassPlanner {
  /// The member for a property; nil for one of an unknown kind.
  mutating func member(
    for property: PropertyDescription, of entity: EntityDescription, taken: Set<String>
  ) -> MemberPlan? {
    let name = SwiftName.declared(property.name, taken: taken)
    guard let member = plainMember(for: property, named: name, taken: taken) else { return nil }
    if SwiftName.plain(name) != property.name {
      findings.append(
        ModelProblem.warning(
          "member-renamed", at: path(property),
          message:
            "\(property.description) is written as \(name): every object has a member \(property.name).",
          remedy:
            "Rename the property, or put \"codegen\": \"manual\" into its userInfo and write it yourself."))
    }
    return member
  }

  private func plainMember(
    for property: PropertyDescription, named name: String, taken: Set<String>
  ) -> MemberPlan? {
    switch property {
    case let attribute as AttributeDescription where attribute.type == .composite:
      return composite(attribute, named: name, taken: taken)
    case let attribute as AttributeDescription:
      let type = types[SwiftType.name(of: attribute.type)]
      let needsKey = SwiftType.needsTransformableKey(attribute.type)
      // Types without a zero.
      let isOptional = attribute.isOptional || attribute.type == .uri || needsKey
      let entity = definition(property.entity)
      let key = needsKey ? "TransformableKey" : "AttributeKey"
      return MemberPlan(
        name: name, key: attribute.name, type: type, keyType: (types[key], type),
        access: isOptional ? .optional : .defaultValued, isReadOnly: attribute.isDerived,
        summary: PropertySummary.text(
          attribute, entity.attributes.first { $0.name == attribute.name }))
    case let relationship as RelationshipDescription:
      let type = className(of: relationship.destination)
      let members = types[relationship.isOrdered ? "OrderedSet" : "Set"]
      return MemberPlan(
        name: name, key: relationship.name, type: type,
        keyType: relationship.isToMany
          ? (types["ToManyKey"], "\(members)<\(type)>") : (types["ToOneKey"], type),
        access: relationship.isToMany ? .toMany(isOrdered: relationship.isOrdered) : .toOne,
        summary: PropertySummary.text(relationship))
    case let fetched as FetchedPropertyDescription:
      let type = className(of: fetched.destination)
      return MemberPlan(
        name: name, key: fetched.name, type: type, keyType: (types["FetchedPropertyKey"], type),
        access: .fetched, isReadOnly: true, summary: PropertySummary.text(fetched))
    default: return nil
    }
  }

  private func composite(
    _ attribute: AttributeDescription, named name: String, taken: Set<String>
  ) -> MemberPlan {
    let names = Set(attribute.entity.properties.map(\.name))
    let plan = CompositePlan(attribute, types: types, taken: taken.union(names))
    let definition = definition(attribute.entity).attributes.first { $0.name == attribute.name }
    return MemberPlan(
      name: name, key: attribute.name, type: plan.name, keyType: (types["CompositeKey"], plan.name),
      access: .optional, composite: plan, summary: PropertySummary.text(attribute, definition))
  }

  func path(_ property: PropertyDescription) -> ModelPath {
    let entity = definition(property.entity)
    let place = path(property.entity)
    if let position = entity.attributes.firstIndex(where: { $0.name == property.name }) {
      return place.item("attributes", position)
    }
    if let position = entity.relationships.firstIndex(where: { $0.name == property.name }) {
      return place.item("relationships", position)
    }
    return entity.fetchedProperties.firstIndex { $0.name == property.name }
      .map { place.item("fetchedProperties", $0) } ?? place
  }
}
