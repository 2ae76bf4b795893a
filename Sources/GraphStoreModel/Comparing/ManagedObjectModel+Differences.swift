extension ManagedObjectModel {
  /// What differs in an entity of both models and enters its own part of the version hash, in words; `parent's hash` where
  /// only an ancestor differs.
  package func differencesInHash(of name: String, from other: ManagedObjectModel) -> [String] {
    guard let entity = entitiesByName[name], let counterpart = other.entitiesByName[name],
      entity.versionHash != counterpart.versionHash
    else { return [] }
    let words = EntityDifference.inHash(
      other.definition.entities[counterpart.index], definition.entities[entity.index])
    return words.isEmpty ? ["parent's hash"] : words
  }
}
