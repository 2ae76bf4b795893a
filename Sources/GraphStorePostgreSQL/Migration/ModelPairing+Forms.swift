#if PostgreSQL
import GraphStoreModel

extension ModelPairing {
  /// Whether all that continues keeps the form in which it is stored, and no data can break a rule of the new
  /// model that the old one did not have: then tables are altered where they are. Else objects are read and
  /// written anew.
  var keepsForms: Bool {
    destination.entities.allSatisfy(keepsForm) && source.entities.allSatisfy(isRemovable)
  }

  private func keepsForm(_ entity: EntityDescription) -> Bool {
    guard let old = source(of: entity) else {
      return entity.subentities.allSatisfy { source(of: $0) == nil }
        && entity.properties.allSatisfy { $0.entity !== entity || isAddable($0) }
    }
    return keepsPlace(entity, old) && (!entity.isAbstract || old.isAbstract)
      && entity.properties.allSatisfy { keepsForm($0, of: entity) }
      && keepsConstraints(entity, old)
  }

  private func keepsPlace(_ entity: EntityDescription, _ old: EntityDescription) -> Bool {
    switch (entity.superentity, old.superentity) {
    case (nil, nil): true
    case (let parent?, let former?): source(of: parent) === former
    default: false
    }
  }

  /// Constraints that are new would be checked.
  private func keepsConstraints(_ entity: EntityDescription, _ old: EntityDescription) -> Bool {
    entity.uniquenessConstraints.allSatisfy { constraint in
      let former = constraint.map { source(of: $0, in: entity) }
      return old.uniquenessConstraints.contains { known in
        known.count == former.count && zip(known, former).allSatisfy { $0 === $1 }
      }
    }
  }

  /// Whether rows of an entity go with its columns: links of what stays may lead to none of them.
  private func isRemovable(_ entity: EntityDescription) -> Bool {
    guard destination(of: entity) == nil else { return true }
    guard entity.subentities.allSatisfy({ destination(of: $0) == nil }) else { return false }
    guard let parent = entity.superentity, destination(of: parent) != nil else { return true }
    return parent.relationships.isEmpty
      && !source.entities.contains { other in
        other.relationships.contains { parent.isKind(of: $0.destination) }
      }
  }

  // MARK: Properties

  private func keepsForm(_ property: PropertyDescription, of entity: EntityDescription) -> Bool {
    guard let old = source(of: property, in: entity) else { return isAddable(property) }
    // It is declared where it was, for all who have it.
    guard source(of: property.entity) === old.entity, source(of: property, in: property.entity) === old,
      property.isTransient == old.isTransient
    else { return false }
    switch (property, old) {
    case (let attribute as AttributeDescription, let former as AttributeDescription):
      return keepsForm(attribute, former)
    case (let relationship as RelationshipDescription, let former as RelationshipDescription):
      return keepsForm(relationship, former)
    default: return false
    }
  }

  private func keepsForm(_ attribute: AttributeDescription, _ old: AttributeDescription) -> Bool {
    guard attribute.type == old.type, attribute.transformerName == old.transformerName,
      // Values that are missing get a default, of which derived ones and constraints have to know.
      attribute.isOptional || !old.isOptional
    else { return false }
    // What derivations lead to may have other names.
    if attribute.isDerived || old.isDerived {
      return attribute.derivation == old.derivation && attribute.name == old.name && namesStay
    }
    guard attribute.elements.count == old.elements.count else { return false }
    return zip(attribute.elements, old.elements).allSatisfy { element, former in
      element.name == former.name && keepsForm(element, former)
        && source(ofElements: [element], of: attribute, in: old)?.last === former
    }
  }

  /// Whether all entities, and all properties but for added ones, have the names that they had.
  private var namesStay: Bool {
    source.entities.allSatisfy { old in
      guard let entity = destination(of: old), entity.name == old.name else { return false }
      return old.properties.allSatisfy { property in
        property is FetchedPropertyDescription || destination(of: property, in: old)?.name == property.name
      }
    }
  }

  private func keepsForm(_ relationship: RelationshipDescription, _ old: RelationshipDescription) -> Bool {
    guard relationship.isToMany == old.isToMany, relationship.isOrdered == old.isOrdered,
      source(of: relationship.destination) === old.destination,
      relationship.isOptional || !old.isOptional, relationship.minCount <= old.minCount,
      relationship.maxCount == 0 || old.maxCount != 0 && old.maxCount <= relationship.maxCount
    else { return false }
    switch (relationship.inverse, old.inverse) {
    case (nil, nil): return true
    case (let inverse?, let former?): return source(of: inverse, in: inverse.entity) === former
    default: return false
    }
  }

  /// Whether objects that are there can have a property that is added.
  private func isAddable(_ property: PropertyDescription) -> Bool {
    switch property {
    case let attribute as AttributeDescription:
      !attribute.isDerived && (attribute.isOptional || !attribute.defaultValue.isNull)
        && attribute.elements.allSatisfy { $0.isOptional && $0.defaultValue.isNull && isAddable($0) }
    case let relationship as RelationshipDescription: !relationship.requiresMember
    default: true
    }
  }
}
#endif
