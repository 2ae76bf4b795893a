extension EntityDescription {
  /// What the entity was made from.
  var definition: EntityDefinition { model.definition.entities[index] }
}

extension AttributeDescription {
  /// What an attribute of an entity was made from. Not for elements: their composite's definition has theirs.
  var definition: AttributeDefinition {
    entity.definition.attributes[number - entity.ownPropertyStart]
  }
}

extension RelationshipDescription {
  /// What the relationship was made from.
  var definition: RelationshipDefinition {
    let source = entity.definition
    return source.relationships[number - entity.ownPropertyStart - source.attributes.count]
  }
}
