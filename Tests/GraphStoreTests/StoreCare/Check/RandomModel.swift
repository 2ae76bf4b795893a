import GraphStoreModel

/// Models of random shape, with names that like to clash.
enum RandomModel {
  static func definition(using random: inout some RandomNumberGenerator) -> ModelDefinition {
    let types: [AttributeType] = [
      .int16, .int32, .int64, .decimal, .double, .float, .string, .boolean, .date, .uuid, .uri, .binary,
      .transformable,
    ]
    var entities: [EntityDefinition] = []
    for number in 0..<Int.random(in: 1...8, using: &random) {
      var entity = EntityDefinition("E\(number)")
      if number > 0, Bool.random(using: &random) {
        entity.parent = "E\(Int.random(in: 0..<number, using: &random))"
      }
      // Siblings share names, a line of descent must not: the depth is part of the name.
      let depth = depth(of: entity, among: entities)
      for position in 0..<Int.random(in: 0...4, using: &random) {
        let type = types.randomElement(using: &random) ?? .string
        entity.attributes.append(AttributeDefinition("a\(depth)_\(position)", type))
      }
      if let first = entity.attributes.first(where: { $0.type != .transformable && $0.type != .binary }) {
        if Bool.random(using: &random) { entity.uniquenessConstraints = [[first.name]] }
        if Bool.random(using: &random) {
          entity.indexes = [IndexDefinition("by", elements: [.init(first.name, order: .descending)])]
        }
      }
      entities.append(entity)
    }
    for number in 0..<Int.random(in: 0...10, using: &random) {
      let from = Int.random(in: 0..<entities.count, using: &random)
      let to = Int.random(in: 0..<entities.count, using: &random)
      let isMany = (Bool.random(using: &random), Bool.random(using: &random))
      let isOrdered = (isMany.0 && Bool.random(using: &random), isMany.1 && Bool.random(using: &random))
      let (name, back) = ("r\(number)", "b\(number)")
      entities[from].relationships.append(
        RelationshipDefinition(
          name, to: entities[to].name, inverse: back, isToMany: isMany.0, isOrdered: isOrdered.0))
      entities[to].relationships.append(
        RelationshipDefinition(
          back, to: entities[from].name, inverse: name, isToMany: isMany.1, isOrdered: isOrdered.1))
    }
    return ModelDefinition(name: "Random", entities: entities)
  }

  private static func depth(of entity: EntityDefinition, among entities: [EntityDefinition]) -> Int {
    guard let parent = entities.first(where: { $0.name == entity.parent }) else { return 0 }
    return depth(of: parent, among: entities) + 1
  }
}
