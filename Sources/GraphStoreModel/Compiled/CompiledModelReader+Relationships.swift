import GraphStorePredicates

extension CompiledModelReader {
  private static let relationshipKeys = propertyKeys.union([
    "NSDestinationEntity", "_NSDestinationEntityName", "NSInverseRelationship", "_NSInverseRelationshipName",
    "NSMinCount", "NSMaxCount", "NSDeleteRule", "NSIsOrdered",
  ])

  private static let deleteRules: [DeleteRule] = [.noAction, .nullify, .cascade, .deny]

  mutating func relationship(
    _ name: String, object: ArchivedObject, at place: Place
  ) throws(KeyedArchiveError) -> RelationshipDefinition? {
    let fields = object.fields
    findings.addUnknownKeys(of: object, besides: Self.relationshipKeys, place)
    guard let destination = try entityName(fields["_NSDestinationEntityName"], fields["NSDestinationEntity"])
    else {
      findings.add("compiled-no-destination", at: place, message: "It leads to no entity and is left out.")
      return nil
    }
    var relationship = RelationshipDefinition(
      name, to: destination, isOptional: try flag(fields["NSIsOptional"]),
      isTransient: try flag(fields["NSIsTransient"]))
    relationship.inverse = try filledText(fields["_NSInverseRelationshipName"])
    if relationship.inverse == nil,
      case .object(let inverse) = try archive.value(at: fields["NSInverseRelationship"])
    {
      relationship.inverse = try filledText(inverse.fields["NSPropertyName"])
    }
    let greatest = max(0, try integer(fields["NSMaxCount"]))
    relationship.isToMany = greatest != 1
    let least = max(0, try integer(fields["NSMinCount"]))
    relationship.minCount = relationship.isToMany ? least : min(least, 1)
    if relationship.isToMany {
      relationship.maxCount = greatest
      relationship.isOrdered = try flag(fields["NSIsOrdered"])
    }
    relationship.deleteRule = try deleteRule(fields["NSDeleteRule"], place)
    relationship.renamingIdentifier = try renamingIdentifier(fields, of: name)
    relationship.versionHashModifier = try filledText(fields["NSVersionHashModifier"])
    relationship.userInfo = try userInfo(fields["NSUserInfo"], place)
    relationship.validations = try validations(fields, place).map(\.definition)
    return relationship
  }

  private mutating func deleteRule(
    _ node: PropertyListNode?, _ place: Place
  ) throws(KeyedArchiveError) -> DeleteRule {
    let number = try integer(node)
    if Self.deleteRules.indices.contains(number) { return Self.deleteRules[number] }
    findings.add(
      "compiled-bad-value", at: place, message: "The delete rule \(number) is not known; nullify is taken.")
    return .nullify
  }

  mutating func fetchedProperty(
    _ name: String, object: ArchivedObject, at place: Place
  ) throws(KeyedArchiveError) -> FetchedPropertyDefinition? {
    let fields = object.fields
    findings.addUnknownKeys(of: object, besides: Self.propertyKeys.union(["NSFetchRequest"]), place)
    guard let request = try fetchRequest(fields["NSFetchRequest"], named: name, place) else { return nil }
    return FetchedPropertyDefinition(
      name, entity: request.entity, predicate: request.predicate, sort: request.sort, limit: request.limit,
      isOptional: try flag(fields["NSIsOptional"]),
      renamingIdentifier: try renamingIdentifier(fields, of: name),
      versionHashModifier: try filledText(fields["NSVersionHashModifier"]),
      userInfo: try userInfo(fields["NSUserInfo"], place))
  }
}
