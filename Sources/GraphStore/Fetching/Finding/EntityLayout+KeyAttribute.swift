import GraphStoreModel
import GraphStorePredicates

extension EntityLayout {
  /// An attribute by which objects can be found.
  ///
  /// - Throws: `unknown-key`; `wrong-property-kind` for what is no stored attribute with a single value.
  func keyAttribute(named key: String) throws -> PropertyLayout {
    guard let property = property(named: key) else { throw unknownKey(key) }
    guard let attribute = property.attribute, attribute.type != .composite, property.isPersistent else {
      throw GraphStoreError(
        .wrongPropertyKind, "\(entity.name).\(key) is no attribute by which objects can be found.",
        remedy: "Name a stored attribute with a single value.", entity: entity.name, property: key)
    }
    return property
  }

  /// An attribute or a to-one relationship by which objects can be found.
  ///
  /// - Throws: as ``keyAttribute(named:)``.
  func keyProperty(named key: String) throws -> PropertyLayout {
    guard let property = property(named: key), property.kind == .toOne, property.isPersistent else {
      return try keyAttribute(named: key)
    }
    return property
  }

  /// The error of a name that the entity does not have.
  func unknownKey(_ key: String) -> GraphStoreError {
    var error = GraphStoreError(
      .unknownKey, "\(entity.name) has no attribute or relationship \"\(key)\".",
      remedy: "Known: \(entity.properties.map(\.name).joined(separator: ", ")).", entity: entity.name,
      property: key)
    error.suggestions = NearestNames.names(near: key, among: entity.properties.map(\.name))
    return error
  }
}
