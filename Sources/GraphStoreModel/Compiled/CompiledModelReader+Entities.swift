extension CompiledModelReader {
  /// An entity of the archive, before its properties are read.
  struct ArchivedEntity {
    let name: String
    let object: ArchivedObject
    let parent: String?
    /// The properties by the bytes of their names, inherited ones among them.
    let properties: [(name: String, node: PropertyListNode)]
    let propertyNames: Set<String>
    let place: Place
  }

  private static let entityKeys: Set = [
    "NSEntityName", "NSClassNameForEntity", "NSIsAbstract", "NSSuperentity", "NSSubentities", "NSProperties",
    "NSRenamingIdentifier", "NSVersionHashModifier", "NSUserInfo", "NSUniqueTuples", "NSCompoundIndexes",
    "NSFetchIndexDescriptions", "NSManagedObjectModel", "NSCoreSpotlightDisplayName",
  ]

  /// Longer names, which no table could have, would be repeated in every message about a part of the entity.
  private static let maximumNameLength = 1000

  /// The entities by the bytes of their names.
  mutating func archivedEntities(
    _ node: PropertyListNode?, _ place: Place
  ) throws(KeyedArchiveError) -> [ArchivedEntity] {
    guard case .dictionary = try archive.value(at: node) else {
      throw .damaged("It has no list of entities.")
    }
    var entities: [ArchivedEntity] = []
    for (name, node) in try members(node) {
      guard case .object(let object) = try archive.value(at: node), object.isKind(of: "NSEntityDescription"),
        name.utf8.count <= Self.maximumNameLength
      else {
        findings.add(
          "compiled-unknown-class", at: place, message: "\"\(name.prefix(80))\" is no entity and is left out."
        )
        continue
      }
      let properties = try members(object.fields["NSProperties"])
      entities.append(
        ArchivedEntity(
          name: name, object: object, parent: try entityName(object.fields["NSSuperentity"]),
          properties: properties, propertyNames: Set(properties.map(\.name)),
          place: Place(path: ModelPath().item("entities", entities.count), name: name)))
    }
    return entities
  }

  mutating func entity(
    _ archived: ArchivedEntity, among entities: [ArchivedEntity]
  ) throws(KeyedArchiveError) -> EntityDefinition {
    let fields = archived.object.fields
    let place = archived.place
    findings.addUnknownKeys(of: archived.object, besides: Self.entityKeys, place)
    var entity = EntityDefinition(archived.name)
    entity.isAbstract = try flag(fields["NSIsAbstract"])
    let className = try filledText(fields["NSClassNameForEntity"])
    entity.className = className.flatMap(XcodeText.className)
    if let className, className != "NSManagedObject", className != entity.className {
      entity.xcode["representedClassName"] = .string(className)
    }
    entity.renamingIdentifier = try renamingIdentifier(fields, of: archived.name)
    entity.versionHashModifier = try filledText(fields["NSVersionHashModifier"])
    entity.userInfo = try userInfo(fields["NSUserInfo"], place)
    if let text = try filledText(fields["NSCoreSpotlightDisplayName"]) {
      entity.xcode["coreSpotlightDisplayNameExpression"] = .string(text)
    }
    var ancestors: [ArchivedEntity] = []
    if let parent = archived.parent {
      entity.parent = parent
      ancestors = try self.ancestors(of: archived, among: entities)
    }
    for (name, node) in archived.properties {
      try archive.spend(ancestors.count)
      guard !ancestors.contains(where: { $0.propertyNames.contains(name) }) else { continue }
      try addProperty(name, node: node, to: &entity, at: place)
    }
    entity.uniquenessConstraints = try lists(fields["NSUniqueTuples"])
    try readIndexes(of: archived, into: &entity)
    return entity
  }

  /// The entities above one, nearest first; a chain that returns to itself ends there.
  private func ancestors(
    of entity: ArchivedEntity, among entities: [ArchivedEntity]
  ) throws(KeyedArchiveError) -> [ArchivedEntity] {
    var ancestors: [ArchivedEntity] = []
    var name = entity.parent
    while let current = name, current != entity.name, ancestors.count < ModelValidator.maximumLevels,
      let position = Self.position(of: current, in: entities)
    {
      try archive.spend(1)
      ancestors.append(entities[position])
      name = entities[position].parent
      if ancestors.contains(where: { $0.name == name }) { break }
    }
    return ancestors
  }

  /// The position of a name in a list that is sorted by the bytes of names.
  private static func position(of name: String, in entities: [ArchivedEntity]) -> Int? {
    var low = 0
    var high = entities.count
    while low < high {
      let middle = (low + high) / 2
      if VersionHash.precedes(entities[middle].name, name) { low = middle + 1 } else { high = middle }
    }
    return low < entities.count && entities[low].name == name ? low : nil
  }

  private mutating func addProperty(
    _ name: String, node: PropertyListNode, to entity: inout EntityDefinition, at place: Place
  ) throws(KeyedArchiveError) {
    let propertyPlace = Place(path: place.path, name: "\(place.name).\(name)")
    guard case .object(let object) = try archive.value(at: node) else {
      findings.add("compiled-unknown-class", at: propertyPlace, message: "It is no property and is left out.")
      return
    }
    if object.isKind(of: "NSAttributeDescription") {
      if let attribute = try attribute(name, object: object, at: propertyPlace) {
        entity.attributes.append(attribute)
      }
    } else if object.isKind(of: "NSRelationshipDescription") {
      if let relationship = try relationship(name, object: object, at: propertyPlace) {
        entity.relationships.append(relationship)
      }
    } else if object.isKind(of: "NSFetchedPropertyDescription") {
      if let property = try fetchedProperty(name, object: object, at: propertyPlace) {
        entity.fetchedProperties.append(property)
      }
    } else {
      findings.add(
        "compiled-unknown-class", at: propertyPlace,
        message: "Properties of class \(object.className.prefix(80)) are not known; it is left out.")
    }
  }

  /// The lists of names in a list.
  func lists(_ node: PropertyListNode?) throws(KeyedArchiveError) -> [[String]] {
    guard case .list(let nodes) = try archive.value(at: node) else { return [] }
    var lists: [[String]] = []
    for node in nodes {
      let names = try names(node)
      if !names.isEmpty { lists.append(names) }
    }
    return lists
  }

  /// The identifier for migration; archives repeat the name where there is none.
  func renamingIdentifier(
    _ fields: [String: PropertyListNode], of name: String
  ) throws(KeyedArchiveError) -> String? {
    let identifier = try filledText(fields["NSRenamingIdentifier"])
    return identifier == name ? nil : identifier
  }
}
