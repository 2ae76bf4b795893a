import Foundation
import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// Random paths through a model, and constants that fit what they lead to.
extension AgreementPredicates {
  struct Path {
    var text: String
    var entity: EntityDescription
    var isOrdered = false
  }

  /// Some steps over to-ones; the text ends with a dot, or is empty for the object under test.
  private mutating func owner() -> Scope {
    var scope = random.pick(scopes + scopes.suffix(1))
    while random.chance(25) {
      let steps = scope.entity.relationships.filter { !$0.isToMany }
      guard !steps.isEmpty else { break }
      let next = random.pick(steps)
      scope = Scope(prefix: scope.prefix + next.name + ".", entity: next.destination)
    }
    return scope
  }

  mutating func attribute(_ types: Set<AttributeType>) -> (text: String, attribute: AttributeDescription)? {
    for _ in 0..<5 {
      let owner = owner()
      let entities = random.chance(80) ? [owner.entity] : owner.entity.family
      let keys = entities.flatMap(\.attributes).filter { types.contains($0.type) && !$0.isTransient }
      if !keys.isEmpty {
        let key = random.pick(keys)
        return (owner.prefix + key.name, key)
      }
    }
    return nil
  }

  mutating func toOne() -> Path? {
    let owner = owner()
    let steps = owner.entity.relationships.filter { !$0.isToMany }
    guard !steps.isEmpty else { return nil }
    let next = random.pick(steps)
    return Path(text: owner.prefix + next.name, entity: next.destination)
  }

  /// A path over at least one to-many.
  mutating func toMany(isDirect: Bool = false) -> Path? {
    for _ in 0..<5 {
      let owner = owner()
      let steps = owner.entity.relationships.filter(\.isToMany)
      guard !steps.isEmpty else { continue }
      let first = random.pick(steps)
      var path = Path(text: owner.prefix + first.name, entity: first.destination, isOrdered: first.isOrdered)
      while !isDirect, random.chance(30), !path.entity.relationships.isEmpty {
        let next = random.pick(path.entity.relationships)
        path = Path(text: path.text + "." + next.name, entity: next.destination)
      }
      return path
    }
    return nil
  }

  mutating func member(of path: Path, _ types: Set<AttributeType>) -> AttributeDescription? {
    let keys = path.entity.attributes.filter { types.contains($0.type) && !$0.isTransient }
    return keys.isEmpty ? nil : random.pick(keys)
  }

  mutating func constant(_ attribute: AttributeDescription) -> String {
    if random.chance(40), let value = random.pick(copies).value(attribute.name), fits(value, attribute) {
      return argument(value)
    }
    if Self.numbers.contains(attribute.type), random.chance(40) { return number() }
    return argument(PlannerValues.value(attribute, &random))
  }

  /// Names repeat in other trees with other types.
  private func fits(_ value: Value, _ attribute: AttributeDescription) -> Bool {
    switch (attribute.type, value) {
    case (_, .int), (_, .double), (_, .decimal), (_, .bool): Self.numbers.contains(attribute.type)
    case (.string, .string), (.date, .date), (.uuid, .uuid), (.uri, .uri), (.binary, .data): true
    default: false
    }
  }

  mutating func number() -> String {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: argument(.double(random.pick(PlannerValues.doubles)))
    case 1: argument(.decimal(PlannerValues.decimal(random.pick(PlannerValues.decimals))))
    case 2: argument(.int(random.pick(PlannerValues.integers)))
    case 3: argument(.double(.nan))
    case 4: random.pick(["0.1", "2.5", "YES", "-3", "0x10", "1e3"])
    default: "\(Int.random(in: -2...5, using: &random))"
    }
  }

  mutating func list(_ attribute: AttributeDescription) -> String {
    var members = (0..<Int.random(in: 0...9, using: &random)).map { _ in constant(attribute) }
    if random.chance(25) { members.append("nil") }
    return "{" + members.joined(separator: ", ") + "}"
  }

  mutating func object(_ entity: EntityDescription) -> String {
    let pool = copies.filter { $0.entity.rootEntity === entity.rootEntity }
    guard !pool.isEmpty, let reference = random.pick(pool)._objectReference else { return "nil" }
    return argument(.object(reference))
  }
}
