extension EntityDefinition {
  /// The fields compared key by key; name, parent, properties, indexes and constraints are compared in their
  /// own ways.
  var comparedFields: [ComparedField] {
    [
      ComparedField("abstract", isAbstract), ComparedField("className", className),
      ComparedField("renamingIdentifier", renamingIdentifier),
      ComparedField("versionHashModifier", versionHashModifier),
    ] + ComparedField.each("userInfo", userInfo) + ComparedField.each("xcode", xcode)
  }
}

extension AttributeDefinition {
  /// The fields compared key by key; name and elements are compared in their own ways.
  var comparedFields: [ComparedField] {
    [
      ComparedField("type", type.rawValue), ComparedField("optional", isOptional),
      ComparedField("transient", isTransient), ComparedField("derivation", derivation),
      ComparedField("default", defaultValue), ComparedField("min", minimum), ComparedField("max", maximum),
      ComparedField("minLength", minLength), ComparedField("maxLength", maxLength),
      ComparedField("pattern", pattern), ComparedField("transformer", transformer),
      ComparedField("externalStorage", externalStorage),
      ComparedField("preservesValueInHistory", preservesValueInHistory),
      ComparedField("validations", validations), ComparedField("renamingIdentifier", renamingIdentifier),
      ComparedField("versionHashModifier", versionHashModifier),
    ] + ComparedField.each("userInfo", userInfo) + ComparedField.each("xcode", xcode)
  }
}

extension RelationshipDefinition {
  /// The fields compared key by key; name, destination and inverse are compared in their own ways.
  var comparedFields: [ComparedField] {
    [
      ComparedField("toMany", isToMany), ComparedField("ordered", isOrdered),
      ComparedField("optional", isOptional), ComparedField("transient", isTransient),
      ComparedField("minCount", minCount),
      // A to-one leads to one object at most, said or not.
      ComparedField("maxCount", isToMany ? String(maxCount) : nil),
      ComparedField("deleteRule", deleteRule.rawValue), ComparedField("validations", validations),
      ComparedField("renamingIdentifier", renamingIdentifier),
      ComparedField("versionHashModifier", versionHashModifier),
    ] + ComparedField.each("userInfo", userInfo) + ComparedField.each("xcode", xcode)
  }
}

extension FetchedPropertyDefinition {
  /// The fields compared key by key.
  var comparedFields: [ComparedField] {
    [
      ComparedField("entity", entity), ComparedField("predicate", predicate), ComparedField("sort", sort),
      ComparedField("limit", limit), ComparedField("optional", isOptional),
      ComparedField("renamingIdentifier", renamingIdentifier),
      ComparedField("versionHashModifier", versionHashModifier),
    ] + ComparedField.each("userInfo", userInfo) + ComparedField.each("xcode", xcode)
  }
}

extension IndexDefinition {
  /// The fields compared key by key.
  var comparedFields: [ComparedField] {
    [ComparedField("elements", elements.map(\.text)), ComparedField("where", predicate)]
  }
}

extension IndexDefinition.Element {
  /// `salary descending`, or an expression.
  var text: String {
    var text = property ?? expression ?? ""
    if order == .descending { text += " descending" }
    if kind == .rtree { text += " rtree" }
    return text
  }
}

extension FetchRequestDefinition {
  /// The fields compared key by key.
  var comparedFields: [ComparedField] {
    [
      ComparedField("entity", entity), ComparedField("predicate", predicate), ComparedField("sort", sort),
      ComparedField("limit", limit), ComparedField("offset", offset), ComparedField("batchSize", batchSize),
      ComparedField("resultType", resultType.rawValue),
      ComparedField("properties", properties.map(\.description)),
      ComparedField("groupBy", groupBy), ComparedField("having", having),
      ComparedField("distinct", distinct), ComparedField("prefetch", prefetch),
      ComparedField("includesSubentities", includesSubentities),
    ]
  }
}

extension EntityDescription {
  /// The definition that the entity was made from.
  var definition: EntityDefinition { model.definition.entities[index] }
}

extension AttributeDescription {
  /// The definition that an attribute of an entity was made from. Not for elements: their composite's
  /// definition has theirs.
  var definition: AttributeDefinition {
    entity.definition.attributes[number - entity.ownPropertyStart]
  }
}

extension RelationshipDescription {
  /// The definition that the relationship was made from.
  var definition: RelationshipDefinition {
    let source = entity.definition
    return source.relationships[number - entity.ownPropertyStart - source.attributes.count]
  }
}
