/// Difference of two definitions of one entity, in words for a message.
enum EntityDifference {
  /// The differences that enter the version hash; empty where the entities merge.
  static func inHash(_ left: EntityDefinition, _ right: EntityDefinition) -> [String] {
    let (left, right) = (left.hashedPart, right.hashedPart)
    guard left != right else { return [] }
    return words(left, right)
  }

  /// Everything that differs but for what means nothing to a store.
  static func inAll(_ left: EntityDefinition, _ right: EntityDefinition) -> [String] {
    left == right ? [] : words(left, right)
  }

  private static func words(_ left: EntityDefinition, _ right: EntityDefinition) -> [String] {
    let parts: [(isDifferent: Bool, word: String)] = [
      (left.parent != right.parent, "parent"), (left.isAbstract != right.isAbstract, "abstract"),
      (left.className != right.className, "class name"),
      (left.renamingIdentifier != right.renamingIdentifier, "renaming identifier"),
      (left.versionHashModifier != right.versionHashModifier, "hash modifier"),
      (left.uniquenessConstraints != right.uniquenessConstraints, "uniqueness constraints"),
      (left.indexes != right.indexes, "indexes"), (left.userInfo != right.userInfo, "user info"),
    ]
    return parts.filter(\.isDifferent).map(\.word)
      + names(left.attributes, right.attributes, name: \.name, xcode: \.xcode)
      + names(left.relationships, right.relationships, name: \.name, xcode: \.xcode)
      + names(left.fetchedProperties, right.fetchedProperties, name: \.name, xcode: \.xcode)
  }

  /// The names of the properties that one side lacks or has otherwise; the order counts for nothing.
  private static func names<Property: Equatable>(
    _ left: [Property], _ right: [Property], name: KeyPath<Property, String>,
    xcode: WritableKeyPath<Property, [String: JSONValue]>
  ) -> [String] {
    func byName(_ properties: [Property]) -> [String: Property] {
      var table: [String: Property] = [:]
      for var property in properties {
        property[keyPath: xcode] = [:]
        table[property[keyPath: name]] = property
      }
      return table
    }
    let (first, second) = (byName(left), byName(right))
    return left.map { $0[keyPath: name] }.filter { second[$0] != first[$0] }
      + right.map { $0[keyPath: name] }.filter { first[$0] == nil }
  }
}

extension ManagedObjectModel {
  /// The differences of an entity of both models that enter its own part of the version hash, in words;
  /// `parent's hash` where only an ancestor differs.
  package func differencesInHash(of name: String, from other: ManagedObjectModel) -> [String] {
    guard let entity = entitiesByName[name], let counterpart = other.entitiesByName[name],
      entity.versionHash != counterpart.versionHash
    else { return [] }
    let words = EntityDifference.inHash(
      other.definition.entities[counterpart.index], definition.entities[entity.index])
    return words.isEmpty ? ["parent's hash"] : words
  }
}
