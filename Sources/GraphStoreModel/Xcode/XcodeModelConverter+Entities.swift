extension XcodeModelConverter {
  mutating func readEntity(_ element: MarkupElement) -> EntityDefinition {
    let path = ModelPath().item("entities", definition.entities.count)
    var fields = fields(of: element, at: path)
    var entity = EntityDefinition(fields.consume("name") ?? "")
    origin(path, fields: fields)
    origin(path.key("name"), fields: fields, attribute: "name")
    entity.parent = text("parentEntity", in: &fields)
    origin(path.key("parent"), fields: fields, attribute: "parentEntity")
    entity.isAbstract = flag("isAbstract", in: &fields)
    if let name = fields.consume("representedClassName") {
      entity.className = XcodeText.className(name)
      fields.keep(name, of: "representedClassName", unless: entity.className)
    }
    entity.renamingIdentifier = text("elementID", in: &fields)
    entity.versionHashModifier = text("versionHashModifier", in: &fields)
    relationshipOffsets.append([])
    var kept: [JSONValue] = []
    for child in element.children {
      switch child.name {
      case "userInfo": readUserInfo(child, at: path, into: &entity.userInfo)
      // Read below, and kept there when they are dropped.
      case "fetchIndex", "compoundIndexes", "uniquenessConstraints": continue
      case _ where isDropped(child): kept.append(child.json)
      case "attribute":
        entity.attributes.append(readAttribute(child, at: path.item("attributes", entity.attributes.count)))
      case "relationship":
        relationshipOffsets[relationshipOffsets.count - 1].append(child.offset)
        entity.relationships.append(
          readRelationship(child, at: path.item("relationships", entity.relationships.count)))
      case "fetchedProperty":
        entity.fetchedProperties.append(
          readFetchedProperty(child, at: path.item("fetchedProperties", entity.fetchedProperties.count)))
      default: keepUnknown(child, at: path, in: &kept)
      }
    }
    entity.xcode = finish(fields, XMLAttributeNames.entity)
    readIndexes(element, of: &entity, at: path, kept: &kept)
    readConstraints(element, of: &entity, at: path, kept: &kept)
    if !kept.isEmpty { entity.xcode[XcodeKey.droppedElements] = .array(kept) }
    return entity
  }

  private mutating func readConstraints(
    _ element: MarkupElement, of entity: inout EntityDefinition, at path: ModelPath, kept: inout [JSONValue]
  ) {
    for list in element.children(named: "uniquenessConstraints") {
      for item in list.children {
        guard item.name == "uniquenessConstraint", item.children.allSatisfy({ $0.name == "constraint" })
        else {
          keepUnknown(
            MarkupElement(name: list.name, children: [item], offset: item.offset), at: path, in: &kept)
          continue
        }
        guard !isDropped(item) else {
          kept.append(MarkupElement(name: list.name, children: [item]).json)
          continue
        }
        let place = path.item("uniquenessConstraints", entity.uniquenessConstraints.count)
        origin(place, fields: fields(of: item, at: place))
        entity.uniquenessConstraints.append(item.children.map { $0["value"] ?? "" })
      }
    }
  }
}
