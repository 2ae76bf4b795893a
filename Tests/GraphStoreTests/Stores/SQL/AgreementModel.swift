import GraphStoreModel

/// Random models for the comparison of store and memory: a few trees of entities, attributes of every type,
/// and relationships of every shape, mandatory and optional.
struct AgreementModel {
  private(set) var entities: [EntityDefinition] = []
  private var random: SeededGenerator

  static let types: [AttributeType] = [
    .int16, .int32, .int64, .double, .float, .decimal, .boolean, .date, .uuid, .uri, .binary, .string,
  ]
  private static let words = ["name", "size", "first", "limit", "_x", "count", "value", "last", "now"]

  static func definition(_ random: inout SeededGenerator) -> ModelDefinition {
    var model = AgreementModel(random: SeededGenerator(seed: random.next()))
    for tree in 0..<Int.random(in: 1...3, using: &random) { model.addTree(tree) }
    for number in 0..<Int.random(in: 4...8, using: &random) { model.addRelationship(number) }
    return ModelDefinition(name: "Agreement", entities: model.entities)
  }

  private init(random: SeededGenerator) {
    self.random = random
  }

  private mutating func addTree(_ tree: Int) {
    var root = EntityDefinition("E\(tree)")
    let kept = Self.types.shuffled(using: &random).prefix(Int.random(in: 6...12, using: &random))
    root.attributes = kept.enumerated().map { attribute($0, $1) }
    root.attributes.append(attribute(20, .string))
    root.attributes.append(attribute(21, .int32))
    root.attributes.append(AttributeDefinition("passing", .string, isTransient: true))
    var names = [root.name]
    var members = [root]
    for number in 0..<Int.random(in: 0...4, using: &random) {
      var entity = EntityDefinition("E\(tree)S\(number)", parent: random.pick(names))
      for position in 0..<Int.random(in: 0...3, using: &random) {
        // Siblings may have a property of one name, which then is one key; a line of descent may not.
        let shared = members.first { $0.parent == entity.parent && !$0.attributes.isEmpty }?.attributes.first
        if let shared, random.chance(40), !entity.attributes.contains(where: { $0.name == shared.name }) {
          entity.attributes.append(shared)
        } else {
          entity.attributes.append(attribute(100 + number * 10 + position, random.pick(Self.types)))
        }
      }
      names.append(entity.name)
      members.append(entity)
    }
    for index in members.indices where members.contains(where: { $0.parent == members[index].name }) {
      members[index].isAbstract = random.chance(25)
    }
    entities += members
  }

  private mutating func attribute(_ number: Int, _ type: AttributeType) -> AttributeDefinition {
    let word = number < Self.words.count ? Self.words[number] : "a\(number)"
    return AttributeDefinition(word, type, isOptional: random.chance(75))
  }

  private mutating func addRelationship(_ number: Int) {
    let (name, back) = ("r\(number)", "b\(number)")
    let from = Int.random(in: 0..<entities.count, using: &random)
    let to = Int.random(in: 0..<entities.count, using: &random)
    var there = RelationshipDefinition(name, to: entities[to].name, inverse: back)
    var here = RelationshipDefinition(back, to: entities[from].name, inverse: name)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: there.isToMany = true
    case 1: (there.isToMany, there.isOrdered) = (true, true)
    case 2: (there.isToMany, here.isToMany) = (true, true)
    case 3: (there.isToMany, there.isOrdered, here.isToMany) = (true, true, true)
    case 4: break
    case 5:
      there.inverse = nil
      there.isOptional = random.chance(50)
    case 6:
      there.inverse = nil
      there.isToMany = true
    case 7, 8:
      there.inverse = name
      there.destination = entities[from].name
      there.isToMany = random.chance(50)
    default:
      there.isOptional = false
      here.isToMany = true
      here.isOrdered = random.chance(30)
    }
    entities[from].relationships.append(there)
    if there.inverse == back { entities[to].relationships.append(here) }
  }
}
