@testable import GraphStoreModel

/// Makes models that are right, with everything a model can have, the same for the same seed.
struct RandomModel {
  private var generator: SeededGenerator

  init(_ seed: TestSeed) { generator = seed.generator }

  mutating func definition() -> ModelDefinition {
    let count = Int.random(in: 1...7, using: &generator)
    var entities: [EntityDefinition] = []
    for position in 0..<count {
      var entity = EntityDefinition("E\(position)", isAbstract: chance(4))
      if position > 0, chance(2) { entity.parent = "E\(Int.random(in: 0..<position, using: &generator))" }
      let attributes = Int.random(in: 0...4, using: &generator)
      entity.attributes = (0..<attributes).map { attribute("a\(position)x\($0)") }
      let plain = entity.attributes.filter { !$0.isTransient && $0.type == .string && $0.derivation == nil }
      if let name = plain.first?.name, chance(2) { entity.uniquenessConstraints = [[name]] }
      entities.append(entity)
    }
    for number in 0..<Int.random(in: 0...6, using: &generator) { link(&entities, number) }
    return ModelDefinition(name: "Random", entities: entities)
  }

  private mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &generator) == 0 }

  private mutating func attribute(_ name: String) -> AttributeDefinition {
    let types = AttributeType.allCases
    let type = types.randomElement(using: &generator) ?? .string
    var attribute = AttributeDefinition(name, type, isOptional: chance(2), isTransient: chance(5))
    switch type {
    case .undefined: attribute.isTransient = true
    case .composite:
      attribute.isTransient = false
      attribute.elements = [.init("city", .string), .init("zip", .int32, isOptional: chance(2))]
    case .int16, .int32, .int64, .decimal: if chance(2) { attribute.defaultValue = 7 }
    case .string:
      if chance(4) { attribute.defaultValue = "a \"<b>\" & {c} | \\n #35; % é 漢字" }
    default: break
    }
    return attribute
  }

  private mutating func link(_ entities: inout [EntityDefinition], _ number: Int) {
    let from = Int.random(in: 0..<entities.count, using: &generator)
    let to = Int.random(in: 0..<entities.count, using: &generator)
    var relationship = RelationshipDefinition("r\(number)", to: entities[to].name)
    fill(&relationship)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: break
    case 1 where from == to: relationship.inverse = relationship.name
    default:
      relationship.inverse = "s\(number)"
      var inverse = RelationshipDefinition(
        "s\(number)", to: entities[from].name, inverse: relationship.name)
      fill(&inverse)
      inverse.isTransient = relationship.isTransient
      entities[to].relationships.append(inverse)
    }
    entities[from].relationships.append(relationship)
  }

  private mutating func fill(_ relationship: inout RelationshipDefinition) {
    relationship.isToMany = chance(2)
    relationship.isOptional = !chance(3)
    relationship.isTransient = chance(6)
    relationship.deleteRule = DeleteRule.allCases.randomElement(using: &generator) ?? .nullify
    guard relationship.isToMany else { return }
    relationship.isOrdered = chance(3)
    if chance(3) { relationship.minCount = 2 }
    if chance(3) { relationship.maxCount = 40 }
  }
}
