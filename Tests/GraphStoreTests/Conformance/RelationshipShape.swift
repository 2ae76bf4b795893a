import GraphStore
import Testing

/// A kind of relationship between two entities, or of one with itself, from `Source.link` to its inverse
/// `back`.
struct RelationshipShape: CustomTestStringConvertible, Sendable {
  let name: String
  var isToMany = false
  var isOrdered = false
  var isBackToMany = false
  var hasInverse = true
  var isReflexive = false
  /// The relationship is its own inverse.
  var isSelfInverse = false

  static let all: [Self] = [
    Self(name: "1-1"),
    Self(name: "1-n", isToMany: true),
    Self(name: "1-n ordered", isToMany: true, isOrdered: true),
    Self(name: "n-1", isBackToMany: true),
    Self(name: "n-n", isToMany: true, isBackToMany: true),
    Self(name: "n-n ordered", isToMany: true, isOrdered: true, isBackToMany: true),
    Self(name: "reflexive 1-1", isReflexive: true),
    Self(name: "reflexive 1-n", isToMany: true, isReflexive: true),
    Self(name: "reflexive n-1", isBackToMany: true, isReflexive: true),
    Self(name: "reflexive n-n", isToMany: true, isBackToMany: true, isReflexive: true),
    Self(name: "self-inverse 1-1", isReflexive: true, isSelfInverse: true),
    Self(
      name: "self-inverse n-n", isToMany: true, isBackToMany: true, isReflexive: true, isSelfInverse: true),
    Self(name: "one-way to-one", hasInverse: false),
    Self(name: "one-way to-many", isToMany: true, isBackToMany: true, hasInverse: false),
  ]

  var testDescription: String { name }
  var destination: String { isReflexive ? "Source" : "Destination" }
  var back: String { isSelfInverse ? "link" : "back" }
  /// Whether a destination may belong to one source only, and its row, or nobody's, names it.
  var hasToOneBack: Bool { hasInverse && !isBackToMany }

  func model(_ rule: DeleteRule) -> ModelDefinition {
    let link = RelationshipDefinition(
      "link", to: destination, inverse: hasInverse ? back : nil, isToMany: isToMany, isOrdered: isOrdered,
      deleteRule: rule)
    let inverse = RelationshipDefinition("back", to: "Source", inverse: "link", isToMany: isBackToMany)
    let name = AttributeDefinition("name", .string)
    let hasBack = hasInverse && !isSelfInverse
    let source = EntityDefinition(
      "Source", attributes: [name], relationships: isReflexive && hasBack ? [link, inverse] : [link])
    let other = EntityDefinition(
      "Destination", attributes: [name], relationships: !isReflexive && hasBack ? [inverse] : [])
    return ModelDefinition(name: "Shape", entities: [source, other])
  }

  func link(_ source: ManagedObject, _ destination: ManagedObject) throws {
    if isToMany {
      try source.addObjects([destination], forKey: "link")
    } else {
      try source.setValue(destination, forKey: "link")
    }
  }

  func unlink(_ source: ManagedObject, _ destination: ManagedObject) throws {
    if isToMany {
      try source.removeObjects([destination], forKey: "link")
    } else {
      try source.setValue(nil, forKey: "link")
    }
  }

  func linkBack(_ destination: ManagedObject, _ source: ManagedObject) throws {
    if isBackToMany {
      try destination.addObjects([source], forKey: back)
    } else {
      try destination.setValue(source, forKey: back)
    }
  }

  func links(_ source: ManagedObject) throws -> [ManagedObject] {
    try isToMany ? source.objects(forKey: "link") : source.object(forKey: "link").map { [$0] } ?? []
  }

  func backs(_ destination: ManagedObject) throws -> [ManagedObject] {
    guard hasInverse else { return [] }
    return try isBackToMany
      ? destination.objects(forKey: back) : destination.object(forKey: back).map { [$0] } ?? []
  }
}
