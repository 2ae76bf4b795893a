import GraphStore

/// A plain model of sets, kept beside a context (REL-392).
struct RandomGraph {
  struct Side {
    let entity: String
    let name: String
    let isToMany: Bool
    var isOrdered = false
    var rule = DeleteRule.nullify
  }

  struct Pair {
    var left: Side
    var right: Side
    var isSelfInverse = false
  }

  static let pairs: [Pair] = [
    Pair(
      left: Side(entity: "P", name: "one", isToMany: false),
      right: Side(entity: "R", name: "oneBack", isToMany: false)),
    Pair(
      left: Side(entity: "P", name: "many", isToMany: true),
      right: Side(entity: "R", name: "owner", isToMany: false)),
    Pair(
      left: Side(entity: "P", name: "tags", isToMany: true),
      right: Side(entity: "R", name: "tagged", isToMany: true)),
    Pair(
      left: Side(entity: "P", name: "children", isToMany: true),
      right: Side(entity: "P", name: "parent", isToMany: false)),
    Pair(
      left: Side(entity: "P", name: "reports", isToMany: true),
      right: Side(entity: "P", name: "managers", isToMany: true)),
    Pair(
      left: Side(entity: "P", name: "friends", isToMany: true),
      right: Side(entity: "P", name: "friends", isToMany: true), isSelfInverse: true),
    Pair(
      left: Side(entity: "P", name: "spouse", isToMany: false),
      right: Side(entity: "P", name: "spouse", isToMany: false), isSelfInverse: true),
    Pair(
      left: Side(entity: "P", name: "list", isToMany: true, isOrdered: true),
      right: Side(entity: "R", name: "listOwner", isToMany: false)),
    Pair(
      left: Side(entity: "P", name: "steps", isToMany: true, isOrdered: true),
      right: Side(entity: "R", name: "stepOf", isToMany: true)),
  ]

  struct Link: Hashable {
    let left: Int
    let right: Int
  }

  var pairs = Self.pairs
  var entities: [Int: String] = [:]
  var saved: Set<Int> = []
  var deleted: Set<Int> = []
  /// By pair, in the order in which right ones joined.
  var links: [[Link]] = Self.pairs.map { _ in [] }

  init(rules random: inout SeededGenerator) {
    for index in pairs.indices {
      pairs[index].left.rule = Self.rule(&random)
      pairs[index].right.rule = pairs[index].isSelfInverse ? pairs[index].left.rule : Self.rule(&random)
    }
  }

  static func rule(_ random: inout SeededGenerator) -> DeleteRule {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<2: .cascade
    case 2..<4: .deny
    default: .nullify
    }
  }

  var model: ModelDefinition {
    func relationships(_ entity: String) -> [RelationshipDefinition] {
      pairs.flatMap { pair -> [RelationshipDefinition] in
        let sides =
          pair.isSelfInverse ? [(pair.left, pair.right)] : [(pair.left, pair.right), (pair.right, pair.left)]
        return sides.filter { $0.0.entity == entity }.map { side, other in
          RelationshipDefinition(
            side.name, to: other.entity, inverse: other.name, isToMany: side.isToMany,
            isOrdered: side.isOrdered, deleteRule: side.rule)
        }
      }
    }
    let number = AttributeDefinition("n", .int64)
    return ModelDefinition(
      name: "Random",
      entities: [
        EntityDefinition("P", attributes: [number], relationships: relationships("P")),
        EntityDefinition(
          "Q", parent: "P", attributes: [AttributeDefinition("q", .string)], relationships: relationships("Q")
        ),
        EntityDefinition("R", attributes: [number], relationships: relationships("R")),
        EntityDefinition(
          "S", parent: "R", attributes: [AttributeDefinition("s", .decimal)],
          relationships: relationships("S")),
      ])
  }

  static func root(_ entity: String) -> String { ["P", "Q"].contains(entity) ? "P" : "R" }

  /// The objects of an entity, and of that below it.
  func live(_ entity: String) -> [Int] {
    entities.filter { number, own in
      (own == entity || Self.root(own) == entity) && !deleted.contains(number)
    }.keys.sorted()
  }

  // MARK: Changing

  mutating func link(_ pair: Int, _ left: Int, _ right: Int) {
    guard !links[pair].contains(Link(left: left, right: right)) else { return }
    let shape = pairs[pair]
    if shape.isSelfInverse, !shape.left.isToMany {
      links[pair].removeAll { [$0.left, $0.right].contains { $0 == left || $0 == right } }
    } else {
      if !shape.left.isToMany { links[pair].removeAll { $0.left == left } }
      if !shape.right.isToMany { links[pair].removeAll { $0.right == right } }
    }
    links[pair].append(Link(left: left, right: right))
    if shape.isSelfInverse, left != right { links[pair].append(Link(left: right, right: left)) }
  }

  mutating func unlink(_ pair: Int, _ left: Int, _ right: Int) {
    links[pair].removeAll { $0 == Link(left: left, right: right) }
    if pairs[pair].isSelfInverse { links[pair].removeAll { $0 == Link(left: right, right: left) } }
  }

  /// Deletes objects and applies the rules.
  mutating func delete(_ seeds: [Int]) {
    var wave = seeds.filter { !deleted.contains($0) }
    var found = Set(wave)
    while !wave.isEmpty {
      deleted.formUnion(wave)
      var next: [Int] = []
      for object in wave {
        for (_, side, other, _) in ends(object) where side.rule == .cascade && !deleted.contains(other) {
          if found.insert(other).inserted { next.append(other) }
        }
      }
      wave = next
    }
    for object in found {
      for (pair, side, _, link) in ends(object) {
        if side.rule == .deny, saved.contains(object) { continue }
        links[pair].removeAll { $0 == link }
        if pairs[pair].isSelfInverse {
          links[pair].removeAll { $0 == Link(left: link.right, right: link.left) }
        }
      }
      if !saved.contains(object) { forget(object) }
    }
  }

  /// Every link of an object with the side that it stands on.
  private func ends(_ object: Int) -> [(pair: Int, side: Side, other: Int, link: Link)] {
    var result: [(pair: Int, side: Side, other: Int, link: Link)] = []
    for (index, pair) in pairs.enumerated() {
      for link in links[index] {
        if link.left == object { result.append((index, pair.left, link.right, link)) }
        if link.right == object, !pair.isSelfInverse { result.append((index, pair.right, link.left, link)) }
      }
    }
    return result
  }

  mutating func forget(_ object: Int) {
    entities[object] = nil
    deleted.remove(object)
    saved.remove(object)
    for pair in links.indices { links[pair].removeAll { $0.left == object || $0.right == object } }
  }

  var isDenied: Bool {
    deleted.contains { object in
      ends(object).contains { $0.side.rule == .deny && !deleted.contains($0.other) }
    }
  }

  mutating func save() {
    for object in deleted { forget(object) }
    // An object that another writer has deleted is let go of, with the links to it.
    for pair in links.indices {
      links[pair].removeAll { entities[$0.left] == nil || entities[$0.right] == nil }
    }
    saved = Set(entities.keys)
  }

  // MARK: Comparing

  /// What an object's side of a pair holds, in order.
  func members(_ pair: Int, isLeft: Bool, _ object: Int) -> [Int] {
    links[pair].filter { (isLeft ? $0.left : $0.right) == object }.map { isLeft ? $0.right : $0.left }
      .filter { !deleted.contains($0) }
  }

  /// The differences between the model of sets and objects.
  ///
  /// - Parameter comparesOrder: Whether the members of ordered relationships have to be in the same order.
  func differences(_ objects: [Int: ManagedObject], comparesOrder: Bool = true) throws -> [String] {
    var found: [String] = []
    for (index, pair) in pairs.enumerated() {
      for (side, isLeft) in pair.isSelfInverse
        ? [(pair.left, true)] : [(pair.left, true), (pair.right, false)]
      {
        for number in live(side.entity) {
          guard let object = objects[number] else {
            found.append("\(number) is missing")
            continue
          }
          let wanted = members(index, isLeft: isLeft, number)
          let there = try Self.destinations(object, side).filter { !$0.isDeleted && !$0.isDeletedAbove }
            .map { Int(try $0.queryValue(forKey: "n").number) }
          if side.isOrdered && comparesOrder ? wanted != there : wanted.sorted() != there.sorted() {
            found.append("\(number).\(side.name) is \(there), not \(wanted)")
          }
        }
      }
    }
    return found
  }

  private static func destinations(_ object: ManagedObject, _ side: Side) throws -> [ManagedObject] {
    side.isToMany
      ? try object.objects(forKey: side.name) : try object.object(forKey: side.name).map { [$0] } ?? []
  }
}

extension ManagedObject {
  /// Whether a context above has deleted the object; links that Deny has to judge lead to it until the save.
  fileprivate var isDeletedAbove: Bool {
    var above = managedObjectContext?.parent
    while let context = above {
      if context.registeredObject(for: objectID)?.isDeleted == true { return true }
      above = context.parent
    }
    return false
  }
}

extension Value {
  /// The whole number; -1 for anything else.
  var number: Int64 {
    if case .int(let number) = self { return number }
    return -1
  }
}
