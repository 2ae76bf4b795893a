extension XcodeModelWriter {
  mutating func entity(_ entity: EntityDefinition, at path: ModelPath) -> MarkupElement {
    var attributes = XMLAttributeList(entity.xcode)
    attributes.set("name", entity.name)
    attributes.set("representedClassName", entity.className) {
      XcodeText.className($0) == entity.className
    }
    attributes.set("parentEntity", entity.parent)
    attributes.set("isAbstract", entity.isAbstract)
    attributes.set("versionHashModifier", entity.versionHashModifier)
    attributes.set("elementID", entity.renamingIdentifier)
    var element = MarkupElement(name: "entity", attributes: attributes.list(XMLAttributeNames.entity))
    let indexes = XcodeIndexes(entity)
    for (number, attribute) in entity.attributes.enumerated() {
      element.children.append(
        self.attribute(
          attribute, at: path.item("attributes", number),
          isIndexed: indexes.attributes.contains(attribute.name)))
    }
    for (number, relationship) in entity.relationships.enumerated() {
      element.children.append(self.relationship(relationship, at: path.item("relationships", number)))
    }
    for (number, property) in entity.fetchedProperties.enumerated() {
      element.children.append(fetchedProperty(property, at: path.item("fetchedProperties", number)))
    }
    element.children += indexes.elements
    if !entity.uniquenessConstraints.isEmpty { element.children.append(constraints(of: entity)) }
    addDropped(entity.xcode, to: &element)
    if let info = userInfo(entity.userInfo, at: path) { element.children.append(info) }
    return element
  }

  private func constraints(of entity: EntityDefinition) -> MarkupElement {
    let elements = entity.uniquenessConstraints.map { names in
      MarkupElement(
        name: "uniquenessConstraint",
        children: names.map {
          MarkupElement(name: "constraint", attributes: [.init(name: "value", value: $0)])
        })
    }
    return MarkupElement(name: "uniquenessConstraints", children: elements)
  }

  private func relationship(_ relationship: RelationshipDefinition, at path: ModelPath) -> MarkupElement {
    var attributes = XMLAttributeList(relationship.xcode)
    let isToMany = relationship.isToMany
    let greatest = isToMany ? relationship.maxCount : 1
    attributes.set("name", relationship.name)
    attributes.set("optional", relationship.isOptional)
    attributes.set("transient", relationship.isTransient)
    attributes.set("toMany", isToMany)
    // Reading takes a greatest count of several objects for a to-many relationship.
    if relationship.maxCount > 1 { attributes.restoreNonsense("toMany", takenFor: "YES") }
    attributes.set("minCount", relationship.minCount == 0 ? nil : String(relationship.minCount)) {
      XcodeText.count($0) == relationship.minCount
    }
    attributes.set("maxCount", greatest == 0 ? nil : String(greatest)) { XcodeText.count($0) == greatest }
    if !isToMany { attributes.restoreNonsense("maxCount", takenFor: "1") }
    attributes.set("deletionRule", XcodeText.word(relationship.deleteRule))
    attributes.restoreNonsense("deletionRule", takenFor: XcodeText.word(DeleteRule.nullify))
    attributes.set("ordered", relationship.isOrdered)
    attributes.set("destinationEntity", relationship.destination)
    attributes.set("inverseName", relationship.inverse)
    let inverseEntity = relationship.xcode.text("inverseEntity") ?? relationship.destination
    attributes.set("inverseEntity", relationship.inverse == nil ? nil : inverseEntity)
    attributes.set("versionHashModifier", relationship.versionHashModifier)
    attributes.set("elementID", relationship.renamingIdentifier)
    var element = MarkupElement(
      name: "relationship", attributes: attributes.list(XMLAttributeNames.relationship))
    addDropped(relationship.xcode, to: &element)
    if let info = userInfo(relationship.userInfo, at: path) { element.children.append(info) }
    return element
  }

  private func fetchedProperty(_ property: FetchedPropertyDefinition, at path: ModelPath) -> MarkupElement {
    var attributes = XMLAttributeList(property.xcode)
    attributes.set("name", property.name)
    attributes.set("optional", property.isOptional)
    attributes.set("versionHashModifier", property.versionHashModifier)
    attributes.set("elementID", property.renamingIdentifier)
    var element = MarkupElement(
      name: "fetchedProperty", attributes: attributes.list(XMLAttributeNames.fetchedProperty))
    let xcode = property.xcode.object(XcodeKey.fetchRequest)
    var request = XMLAttributeList(xcode)
    request.set("name", "fetchedPropertyFetchRequest") { _ in true }
    request.set("entity", property.entity)
    request.set("predicateString", property.predicate)
    request.set("fetchLimit", property.limit == 0 ? nil : String(property.limit)) {
      XcodeText.count($0) == property.limit
    }
    var child = MarkupElement(
      name: "fetchRequest", attributes: request.list(XMLAttributeNames.fetchRequest))
    addDropped(xcode, to: &child)
    element.children.append(child)
    addDropped(property.xcode, to: &element)
    if let info = userInfo(property.userInfo, at: path) { element.children.append(info) }
    return element
  }

  func fetchRequest(_ request: FetchRequestDefinition) -> MarkupElement {
    let xcode = definition.xcode.object(XcodeKey.fetchRequests).object(request.name)
    var attributes = XMLAttributeList(xcode)
    attributes.set("name", request.name)
    attributes.set("entity", request.entity)
    attributes.set("predicateString", request.predicate)
    for (name, number) in [("fetchLimit", request.limit), ("fetchBatchSize", request.batchSize)] {
      attributes.set(name, number == 0 ? nil : String(number)) { XcodeText.count($0) == number }
    }
    attributes.set("resultType", request.resultType == .objects ? nil : XcodeText.word(request.resultType)) {
      XcodeText.resultTypes[$0] == request.resultType
    }
    attributes.set("includeSubentities", request.includesSubentities ? nil : "NO") {
      XcodeText.flag($0) == request.includesSubentities
    }
    if request.resultType == .dictionaries { attributes.set("returnDistinctResults", request.distinct) }
    var element = MarkupElement(
      name: "fetchRequest", attributes: attributes.list(XMLAttributeNames.fetchRequest))
    addDropped(xcode, to: &element)
    return element
  }

  func configuration(_ configuration: ConfigurationDefinition) -> MarkupElement {
    let xcode = definition.xcode.object(XcodeKey.configurations).object(configuration.name)
    var attributes = XMLAttributeList(xcode)
    attributes.set("name", configuration.name)
    var element = MarkupElement(
      name: "configuration", attributes: attributes.list(XMLAttributeNames.configuration))
    element.children = configuration.entities.map {
      MarkupElement(name: "memberEntity", attributes: [.init(name: "name", value: $0)])
    }
    addDropped(xcode, to: &element)
    return element
  }
}
