import Foundation
import GraphStore

/// A model made from a seed, with what the oracle has to know of it.
struct RandomImportModel {
  /// An attribute.
  struct Attribute {
    let name: String
    let type: String
    let isOptional: Bool
    let minimum: Int?
    let minimumLength: Int?
    /// As the oracle writes values.
    let defaultValue: String?
    /// The code with which values are refused, for attributes that take none.
    let refusal: String?
    /// What it is computed from, if it is.
    var derivation: String?
  }

  /// One end of a relationship.
  struct Relationship {
    let name: String
    let entity: String
    let destination: String
    let inverse: String?
    let isToMany: Bool
    let isOrdered: Bool
    let isOptional: Bool
    let minimum: Int
    let maximum: Int

    /// Whether the model limits how many links there are.
    var isLimited: Bool { isToMany ? minimum > 0 || maximum > 0 : !isOptional }
  }

  /// An entity with all that it inherits.
  struct Entity {
    let name: String
    let parent: String?
    let root: String
    let isAbstract: Bool
    var attributes: [Attribute] = []
    var relationships: [Relationship] = []
    /// Unique attributes, with the entities that each binds together.
    var unique: [(attribute: String, binds: String)] = []
  }

  private(set) var entities: [Entity] = []
  private(set) var json: [String: Any] = [:]

  var byName: [String: Entity] { Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) }) }

  static let types = [
    "int16", "int32", "int64", "decimal", "double", "float", "string", "boolean", "date", "uuid", "uri",
    "binary",
  ]

  init(using random: inout SeededGenerator) {
    var parts: [(name: String, parent: Int?, isAbstract: Bool, own: [Attribute], isUnique: Bool)] = []
    for index in 0..<Int.random(in: 2...4, using: &random) {
      let parent =
        index > 0 && Int.random(in: 0..<2, using: &random) == 0
        ? Int.random(in: 0..<index, using: &random) : nil
      let isAbstract = index == 0 && Int.random(in: 0..<3, using: &random) == 0
      var own: [Attribute] = []
      if parent == nil {
        own.append(
          Attribute(
            name: "k", type: "int16", isOptional: true, minimum: nil, minimumLength: nil, defaultValue: nil,
            refusal: nil))
      }
      for type in Self.types.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random)) {
        own.append(Self.attribute("\(type)\(index)", type: type, &random))
      }
      if Int.random(in: 0..<3, using: &random) == 0 {
        let (type, refusal, derivation) = [
          ("transformable", "value-type", nil), ("composite", "value-type", nil),
          ("string", "read-only-property", nil), ("int16", "read-only-property", "k"),
        ].randomElement(using: &random)!
        own.append(
          Attribute(
            name: "no\(index)", type: type, isOptional: true, minimum: nil, minimumLength: nil,
            defaultValue: nil,
            refusal: refusal, derivation: derivation))
      }
      parts.append(("E\(index)", parent, isAbstract, own, parent == nil && Bool.random(using: &random)))
    }
    var declared = [[Relationship]](repeating: [], count: parts.count)
    for number in 0..<Int.random(in: 1...5, using: &random) {
      Self.addRelationship(number, names: parts.map(\.name), to: &declared, &random)
    }
    for (index, part) in parts.enumerated() {
      let parent = part.parent.map { entities[$0] }
      var entity = Entity(
        name: part.name, parent: parent?.name, root: parent?.root ?? part.name, isAbstract: part.isAbstract,
        attributes: (parent?.attributes ?? []) + part.own,
        relationships: (parent?.relationships ?? []) + declared[index], unique: parent?.unique ?? [])
      if part.isUnique { entity.unique.append(("k", part.name)) }
      entities.append(entity)
    }
    json = [
      "name": "Random",
      "entities": parts.enumerated().map { index, part in
        var entity: [String: Any] = ["name": part.name]
        if let parent = part.parent { entity["parent"] = parts[parent].name }
        if part.isAbstract { entity["abstract"] = true }
        entity["attributes"] = part.own.map(Self.json)
        entity["relationships"] = declared[index].map(Self.json)
        if part.isUnique { entity["uniquenessConstraints"] = [["k"]] }
        return entity
      },
    ]
  }

  private static func attribute(_ name: String, type: String, _ random: inout SeededGenerator) -> Attribute {
    let isOptional = Int.random(in: 0..<4, using: &random) > 0
    let hasLimit = Int.random(in: 0..<3, using: &random) == 0
    let isNumber = ["int16", "int32", "int64"].contains(type)
    let hasDefault = type == "int16" && Bool.random(using: &random)
    return Attribute(
      name: name, type: type, isOptional: isOptional, minimum: isNumber && hasLimit ? 0 : nil,
      minimumLength: type == "string" && hasLimit ? 2 : nil, defaultValue: hasDefault ? "7" : nil,
      refusal: nil)
  }

  private static func addRelationship(
    _ number: Int, names: [String], to declared: inout [[Relationship]], _ random: inout SeededGenerator
  ) {
    let source = Int.random(in: 0..<names.count, using: &random)
    let destination = Int.random(in: 0..<names.count, using: &random)
    let isOneWay = Int.random(in: 0..<4, using: &random) == 0
    let isSelfInverse = !isOneWay && source == destination && Int.random(in: 0..<3, using: &random) == 0
    let (name, inverse) = ("r\(number)", isSelfInverse ? "r\(number)" : "i\(number)")
    func end(_ name: String, from source: Int, to destination: Int, inverse: String?) -> Relationship {
      // A member of a to-many without inverse has one owner, which the values of a record do not tell.
      let isToMany = Bool.random(using: &random) && !isOneWay
      let isOrdered = isToMany && !isSelfInverse && Int.random(in: 0..<3, using: &random) == 0
      let isLimited = !isSelfInverse && Int.random(in: 0..<6, using: &random) == 0
      return Relationship(
        name: name, entity: names[source], destination: names[destination], inverse: inverse,
        isToMany: isToMany,
        isOrdered: isOrdered, isOptional: !isLimited || Bool.random(using: &random),
        minimum: isLimited && isToMany ? 1 : 0,
        maximum: isToMany && !isSelfInverse && Int.random(in: 0..<6, using: &random) == 0 ? 2 : 0)
    }
    declared[source].append(end(name, from: source, to: destination, inverse: isOneWay ? nil : inverse))
    if !isOneWay, !isSelfInverse {
      declared[destination].append(end(inverse, from: destination, to: source, inverse: name))
    }
  }

  private static func json(_ attribute: Attribute) -> [String: Any] {
    var json: [String: Any] = ["name": attribute.name, "type": attribute.type]
    if !attribute.isOptional { json["optional"] = false }
    if let minimum = attribute.minimum { json["min"] = minimum }
    if let length = attribute.minimumLength { json["minLength"] = length }
    if let value = attribute.defaultValue { json["default"] = Int(value) }
    if let derivation = attribute.derivation {
      json["derivation"] = derivation
    } else if attribute.refusal == "read-only-property" {
      json["transient"] = true
    }
    if attribute.type == "composite" { json["attributes"] = [["name": "x", "type": "string"]] }
    return json
  }

  private static func json(_ relationship: Relationship) -> [String: Any] {
    var json: [String: Any] = ["name": relationship.name, "destination": relationship.destination]
    if let inverse = relationship.inverse { json["inverse"] = inverse }
    if relationship.isToMany { json["toMany"] = true }
    if relationship.isOrdered { json["ordered"] = true }
    if !relationship.isOptional { json["optional"] = false }
    if relationship.minimum > 0 { json["minCount"] = relationship.minimum }
    if relationship.maximum > 0 { json["maxCount"] = relationship.maximum }
    json["deleteRule"] =
      ["cascade", "deny", "nullify", "noAction"][relationship.name.utf8.last.map { Int($0) % 4 } ?? 0]
    return json
  }

  /// Whether an entity is another one or below it.
  func isKind(_ name: String, of other: String) -> Bool {
    var current: String? = name
    while let entity = current {
      if entity == other { return true }
      current = byName[entity]?.parent
    }
    return false
  }

  /// The concrete entities of a family.
  func family(_ name: String) -> [String] {
    entities.filter { !$0.isAbstract && isKind($0.name, of: name) }.map(\.name)
  }

  func relationship(_ name: String, of entity: String) -> Relationship? {
    byName[entity]?.relationships.first { $0.name == name }
  }
}
