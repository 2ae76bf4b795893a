import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// Versions of a model that random edits make of each other, with the objects of a store beside them as plain
/// dictionaries that the same edits change.
struct RandomVersions {
  struct Attribute {
    var name: String
    var type: AttributeType
    var isOptional = true
    var defaultValue: Value = .null
    var identifier: String?
  }

  struct Entity {
    var name: String
    var parent: String?
    var isAbstract = false
    var attributes: [Attribute] = []
    var identifier: String?
    var modifier: String?
  }

  struct Side {
    var entity: String
    var name: String
    var isToMany: Bool
    var isOrdered = false
    var identifier: String?
  }

  /// A relationship with its inverse, or without one; then the right side tells the destination alone.
  struct Pair {
    var left: Side
    var right: Side
    var hasInverse = true
    /// The members of each owner and the owners of each member, by keys of objects, in their order.
    var members: [Object: [Object]] = [:]
    var owners: [Object: [Object]] = [:]

    /// Whether a new store keeps one owner of a member.
    var hasOneOwner: Bool { hasInverse ? !right.isToMany : left.isToMany }
  }

  /// What an object is known by, whatever becomes of its entity.
  struct Object: Hashable {
    let number: Int
  }

  struct Record {
    var entity: String
    let key: Int64
    var values: [String: Value] = [:]
  }

  var random: SeededGenerator
  var entities: [Entity] = []
  var pairs: [Pair] = []
  var records: [Object: Record] = [:]
  private var names = 0
  /// What this version has changed already: an edit leaves it alone.
  var touched: Set<String> = []

  mutating func name(_ prefix: String) -> String {
    names += 1
    return "\(prefix)\(names)"
  }

  mutating func index(below count: Int) -> Int? {
    count == 0 ? nil : Int.random(in: 0..<count, using: &random)
  }

  // MARK: Model

  var definition: ModelDefinition {
    ModelDefinition(
      name: "Random",
      entities: entities.map { entity in
        EntityDefinition(
          entity.name, parent: entity.parent, isAbstract: entity.isAbstract,
          attributes: entity.attributes.map { attribute in
            AttributeDefinition(
              attribute.name, attribute.type, isOptional: attribute.isOptional,
              defaultValue: Self.json(attribute.defaultValue), renamingIdentifier: attribute.identifier)
          }, relationships: relationships(of: entity.name), renamingIdentifier: entity.identifier,
          versionHashModifier: entity.modifier)
      })
  }

  private func relationships(of entity: String) -> [RelationshipDefinition] {
    pairs.flatMap { pair in
      var found: [RelationshipDefinition] = []
      func add(_ side: Side, to other: Side) {
        found.append(
          RelationshipDefinition(
            side.name, to: other.entity, inverse: pair.hasInverse ? other.name : nil, isToMany: side.isToMany,
            isOrdered: side.isOrdered, renamingIdentifier: side.identifier))
      }
      if pair.left.entity == entity { add(pair.left, to: pair.right) }
      if pair.hasInverse, pair.right.entity == entity { add(pair.right, to: pair.left) }
      return found
    }
  }

  private static func json(_ value: Value) -> JSONValue? {
    switch value {
    case .int(let number): .number("\(number)")
    case .double(let number): .number("\(number)")
    case .decimal(let number): .number("\(number)")
    case .string(let text): .string(text)
    case .bool(let flag): .bool(flag)
    default: nil
    }
  }

  func entity(_ name: String) -> Entity { entities.first { $0.name == name }! }

  /// An entity and those above it, itself first.
  func line(of name: String) -> [Entity] {
    let entity = entity(name)
    return [entity] + (entity.parent.map { line(of: $0) } ?? [])
  }

  func isKind(_ name: String, of other: String) -> Bool { line(of: name).contains { $0.name == other } }

  func children(of name: String) -> [Entity] { entities.filter { $0.parent == name } }

  func attributes(of name: String) -> [Attribute] { line(of: name).flatMap(\.attributes) }

  func objects(of name: String) -> [Object] {
    records.filter { isKind($0.value.entity, of: name) }.map(\.key).sorted { $0.number < $1.number }
  }

  // MARK: Content

  /// What a store holds, in the lines of ``RecordLines``.
  var lines: [String] {
    records.sorted { ($0.value.entity, $0.value.key) < ($1.value.entity, $1.value.key) }.map {
      object, record in
      var values = attributes(of: record.entity).map {
        ($0.name, RecordLines.text(record.values[$0.name] ?? .null))
      }
      for pair in pairs {
        if isKind(record.entity, of: pair.left.entity) {
          values.append((pair.left.name, text(pair.members[object] ?? [], pair.left)))
        }
        if pair.hasInverse, isKind(record.entity, of: pair.right.entity) {
          values.append((pair.right.name, text(pair.owners[object] ?? [], pair.right)))
        }
      }
      return (["\(record.entity)/p\(record.key)"] + values.sorted { $0.0 < $1.0 }.map { "\($0)=\($1)" })
        .joined(separator: " ")
    }
  }

  private func text(_ members: [Object], _ side: Side) -> String {
    let list = side.isOrdered ? members : sorted(members)
    let names = list.compactMap { records[$0] }.map { "\($0.entity)/p\($0.key)" }
    if !side.isToMany { return names.first ?? "nil" }
    return side.isOrdered ? "[\(names.joined(separator: ","))]" : "{\(names.joined(separator: ","))}"
  }

  /// In the order of their keys.
  func sorted(_ objects: [Object]) -> [Object] {
    objects.sorted { (records[$0]?.key ?? 0) < (records[$1]?.key ?? 0) }
  }

  // MARK: Start

  private static let types: [AttributeType] = [
    .int16, .int32, .int64, .decimal, .double, .float, .string, .boolean,
  ]

  mutating func newAttribute() -> Attribute {
    var attribute = Attribute(name: name("a"), type: random.pick(Self.types))
    attribute.isOptional = random.chance(70)
    if !attribute.isOptional || random.chance(40) { attribute.defaultValue = value(attribute.type) }
    return attribute
  }

  /// A value of a type: small, or one of the greatest.
  mutating func value(_ type: AttributeType) -> Value {
    switch type {
    case .int16: .int(random.pick([0, 1, -1, 300, 32_767, -32_768]))
    case .int32: .int(random.pick([0, 5, -7, 70_000, Int64(Int32.min)]))
    case .int64: .int(random.pick([0, 5, 300, 70_000, Int64.max, Int64.min]))
    case .decimal: .decimal(random.pick([0, 5, -3, 70_000, 1.5]))
    case .double: .double(random.pick([0, 2, -4, 70_000, 0.5, 1e300]))
    case .float: .double(random.pick([0, 2, -4, 70_000, 0.5]))
    case .boolean: .bool(random.chance(50))
    default: .string(random.pick(texts))
    }
  }

  /// Values of text attributes.
  private let texts: [String]

  /// - Parameter hasNulCharacters: Whether texts may have characters that a PostgreSQL server does not store.
  init(_ seed: TestSeed, hasNulCharacters: Bool = true) {
    random = seed.generator
    texts = ["", "a", hasNulCharacters ? "Ä\u{0}b" : "Ä b", "long \(String(repeating: "x", count: 300))"]
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      var entity = Entity(name: name("E"))
      if let index = index(below: entities.count), random.chance(60) { entity.parent = entities[index].name }
      for _ in 0..<Int.random(in: 0...3, using: &random) { entity.attributes.append(newAttribute()) }
      entities.append(entity)
    }
    for _ in 0..<Int.random(in: 1...3, using: &random) { addPair() }
  }

  mutating func addPair() {
    let left = Side(
      entity: random.pick(entities).name, name: name("r"), isToMany: random.chance(60),
      isOrdered: random.chance(50))
    let right = Side(
      entity: random.pick(entities).name, name: name("b"), isToMany: random.chance(60),
      isOrdered: random.chance(50))
    var pair = Pair(left: left, right: right, hasInverse: random.chance(75))
    pair.left.isOrdered = left.isOrdered && left.isToMany
    pair.right.isOrdered = right.isOrdered && right.isToMany
    pairs.append(pair)
    touched.insert(left.name)
  }

  // MARK: Objects

  /// Fills a store, and takes down what is in it.
  mutating func fill(_ context: ManagedObjectContext) throws {
    var made: [Object: ManagedObject] = [:]
    for number in 0..<Int.random(in: 4...10, using: &random) {
      let entity = random.pick(entities.filter { !$0.isAbstract })
      let object = try context.insert(entityNamed: entity.name)
      var values: [String: Value] = [:]
      for attribute in attributes(of: entity.name) {
        let value = attribute.isOptional && random.chance(30) ? .null : value(attribute.type)
        values[attribute.name] = value
        try object.setQueryValue(value, forKey: attribute.name)
      }
      try context.save()
      made[Object(number: number)] = object
      records[Object(number: number)] = Record(
        entity: entity.name, key: object.objectID.key, values: values)
    }
    for index in pairs.indices { link(index) }
    try set(made)
    try context.save()
  }

  /// Links of a pair, as many as its sides allow.
  private mutating func link(_ index: Int) {
    let (lefts, rights) = (objects(of: pairs[index].left.entity), objects(of: pairs[index].right.entity))
    guard !lefts.isEmpty, !rights.isEmpty else { return }
    for _ in 0..<8 {
      let (owner, member) = (random.pick(lefts), random.pick(rights))
      let pair = pairs[index]
      let isTaken =
        pair.members[owner]?.contains(member) == true
        || !pair.left.isToMany && pair.members[owner]?.isEmpty == false
        || pair.hasOneOwner && pair.owners[member]?.isEmpty == false
      if isTaken { continue }
      pairs[index].members[owner, default: []].append(member)
      pairs[index].owners[member, default: []].insert(owner, at: 0)
    }
    if !pairs[index].left.isOrdered { pairs[index].members = pairs[index].members.mapValues { sorted($0) } }
    if !pairs[index].hasInverse || !pairs[index].right.isOrdered {
      pairs[index].owners = pairs[index].owners.mapValues { sorted($0) }
    }
  }

  private func set(_ made: [Object: ManagedObject]) throws {
    for pair in pairs {
      for (owner, members) in pair.members {
        try set(members.compactMap { made[$0] }, of: made[owner]!, pair.left)
      }
      guard pair.hasInverse, pair.right.isOrdered else { continue }
      for (member, owners) in pair.owners {
        try set(owners.compactMap { made[$0] }, of: made[member]!, pair.right)
      }
    }
  }

  private func set(_ members: [ManagedObject], of owner: ManagedObject, _ side: Side) throws {
    if !side.isToMany {
      try owner.setValue(members.first, forKey: side.name)
    } else if side.isOrdered {
      try owner.setValue(members, forKey: side.name)
    } else {
      try owner.setValue(Set(members), forKey: side.name)
    }
  }
}
