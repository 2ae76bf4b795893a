import Foundation

/// The version hashes of entities and properties: SHA-256 over a canonical text.
///
/// The text has one line an item, `key value`, in the order below. Strings are JSON strings, hashes lower-case
/// hexadecimal, an absent value is `-`; every line ends with a line feed.
///
/// An entity: `entity NAME`, `abstract true|false`, `parent HASH`, `property HASH` for each own stored property by
/// the bytes of their names, `constraint ["NAME",…]` for each own constraint with sorted names, in sorted order,
/// `modifier TEXT`.
///
/// An attribute: `attribute NAME`, `optional true|false`, `modifier TEXT`, `type WORD`, `derivation TEXT`, `element HASH`
/// for each element of a composite by the bytes of their names.
///
/// A relationship: `relationship NAME`, `optional true|false`, `modifier TEXT`, `destination NAME`, `inverse NAME`,
/// `many true|false`, `ordered true|false`, `minimum N`, `maximum N`.
///
/// A fetched property: `fetched NAME`; it enters no entity's hash.
enum VersionHash {
  /// Gives an entity and its own properties their hashes; the parent's must be there already.
  static func assign(to entity: EntityDescription) {
    for property in entity.ownProperties { assign(to: property) }
    entity.versionHash = digest(text(of: entity))
  }

  private static func assign(to property: PropertyDescription) {
    if let attribute = property as? AttributeDescription { attribute.elements.forEach { assign(to: $0) } }
    property.versionHash = digest(text(of: property))
  }

  static func text(of entity: EntityDescription) -> String {
    var text = CanonicalText()
    text.add("entity", string: entity.name)
    text.add("abstract", entity.isAbstract)
    text.add("parent", hash: entity.superentity?.versionHash)
    for property in byName(entity.ownProperties)
    where !property.isTransient && !(property is FetchedPropertyDescription) {
      text.add("property", hash: property.versionHash)
    }
    let constraints = Set(
      entity.ownUniquenessConstraints.map { constraint in
        constraint.map { JSONWriter.quoted($0.name) }.sorted(by: precedes).joined(separator: ",")
      })
    for constraint in constraints.sorted(by: precedes) { text.add("constraint", raw: "[\(constraint)]") }
    text.add("modifier", string: entity.versionHashModifier)
    return text.value
  }

  static func text(of property: PropertyDescription) -> String {
    var text = CanonicalText()
    switch property {
    case let attribute as AttributeDescription:
      text.add("attribute", string: attribute.name)
      text.add("optional", attribute.isOptional)
      text.add("modifier", string: attribute.versionHashModifier)
      text.add("type", raw: attribute.type.rawValue)
      text.add("derivation", string: attribute.derivation)
      for element in byName(attribute.elements) { text.add("element", hash: element.versionHash) }
    case let relationship as RelationshipDescription:
      text.add("relationship", string: relationship.name)
      text.add("optional", relationship.isOptional)
      text.add("modifier", string: relationship.versionHashModifier)
      text.add("destination", string: relationship.destination.name)
      text.add("inverse", string: relationship.inverse?.name)
      text.add("many", relationship.isToMany)
      text.add("ordered", relationship.isOrdered)
      text.add("minimum", raw: String(relationship.minCount))
      text.add("maximum", raw: String(relationship.maxCount))
    default: text.add("fetched", string: property.name)
    }
    return text.value
  }

  static func digest(_ text: String) -> Data { Data(SHA256.hash(text.utf8)) }

  static func precedes(_ left: String, _ right: String) -> Bool {
    left.utf8.lexicographicallyPrecedes(right.utf8)
  }

  private static func byName<Property: PropertyDescription>(
    _ properties: some Sequence<Property>
  ) -> [Property] {
    properties.sorted { precedes($0.name, $1.name) }
  }
}

/// Lines of `key value`.
private struct CanonicalText {
  var value = ""

  mutating func add(_ key: String, raw: String) {
    value += key
    value += " "
    value += raw
    value += "\n"
  }

  mutating func add(_ key: String, string: String?) {
    add(key, raw: string.map(JSONWriter.quoted) ?? "-")
  }

  mutating func add(_ key: String, _ flag: Bool) { add(key, raw: flag ? "true" : "false") }

  mutating func add(_ key: String, hash: Data?) {
    add(key, raw: hash.map(\.hexadecimal) ?? "-")
  }
}
