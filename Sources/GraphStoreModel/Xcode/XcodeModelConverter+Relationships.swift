extension XcodeModelConverter {
  mutating func readRelationship(_ element: MarkupElement, at path: ModelPath) -> RelationshipDefinition {
    var fields = fields(of: element, at: path)
    var relationship = RelationshipDefinition(
      fields.consume("name") ?? "", to: fields.consume("destinationEntity") ?? "")
    origin(path, fields: fields)
    origin(path.key("name"), fields: fields, attribute: "name")
    origin(path.key("destination"), fields: fields)
    relationship.isOptional = flag("optional", in: &fields)
    relationship.isTransient = flag("transient", in: &fields)
    relationship.isToMany = flag("toMany", in: &fields)
    relationship.isOrdered = flag("ordered", in: &fields)
    relationship.renamingIdentifier = text("elementID", in: &fields)
    relationship.versionHashModifier = text("versionHashModifier", in: &fields)
    relationship.inverse = text("inverseName", in: &fields)
    origin(path.key("inverse"), fields: fields, attribute: "inverseName")
    if let word = fields.consume("deletionRule") {
      if let rule = XcodeText.deleteRules[word] {
        relationship.deleteRule = rule
      } else {
        refuse(word, of: "deletionRule", in: &fields, "is no delete rule; Nullify is taken")
      }
    }
    readCounts(of: &relationship, in: &fields)
    var kept: [JSONValue] = []
    for child in element.children {
      if child.name == "userInfo" {
        readUserInfo(child, at: path, into: &relationship.userInfo)
      } else {
        keepUnknown(child, at: path, in: &kept)
      }
    }
    relationship.xcode = finish(fields, XMLAttributeNames.relationship)
    if !kept.isEmpty { relationship.xcode[XcodeKey.droppedElements] = .array(kept) }
    return relationship
  }

  /// Reads the counts; they make a relationship a to-many one where they can be meant for such a one only.
  private mutating func readCounts(
    of relationship: inout RelationshipDefinition, in fields: inout XcodeFields
  ) {
    relationship.minCount = count("minCount", in: &fields)
    let greatest = count("maxCount", in: &fields)
    if greatest > 1, !relationship.isToMany {
      relationship.isToMany = true
      mend("maxCount", in: fields, "A relationship to at most \(greatest) objects is read as to-many.")
    }
    relationship.maxCount = relationship.isToMany ? greatest : 0
    if !relationship.isToMany, relationship.minCount > 1 {
      refuse(
        String(relationship.minCount), of: "minCount", in: &fields, "has no meaning for a to-one relationship"
      )
      relationship.minCount = 0
    }
    if !relationship.isToMany, relationship.isOrdered {
      refuse("YES", of: "ordered", in: &fields, "has no meaning for a to-one relationship")
      relationship.isOrdered = false
    }
    origin(fields.path.key("minCount"), fields: fields, attribute: "minCount")
    origin(fields.path.key("maxCount"), fields: fields, attribute: "maxCount")
  }

  private mutating func count(_ name: String, in fields: inout XcodeFields) -> Int {
    guard let text = fields.consume(name) else { return 0 }
    guard let count = XcodeText.count(text), count >= 0 else {
      refuse(text, of: name, in: &fields, "is no count")
      return 0
    }
    fields.keep(text, of: name, unless: count == 0 ? nil : String(count))
    return count
  }
}
