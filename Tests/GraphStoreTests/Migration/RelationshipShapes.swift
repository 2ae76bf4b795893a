import GraphStoreModel

@testable import GraphStore

/// A relationship from `L` to `R` in each of its shapes, and what a migration makes of its links: plain
/// lists.
struct RelationshipShapes {
  enum Side: String, CaseIterable {
    case none, one, many, ordered

    var isToMany: Bool { self == .many || self == .ordered }
  }

  struct Shape: Hashable, CustomStringConvertible {
    let left: Side
    let right: Side

    var description: String { "\(left)-\(right)" }

    /// Whether it is to-many and a new store keeps the owner in the row of the member, which has one only.
    var isInMembers: Bool { left.isToMany && right == .none }

    /// Whether a member may have several owners.
    var sharesMembers: Bool { right.isToMany || right == .none && left == .one }
  }

  /// The relationships of a migrated store that keep a table of pairs where a new store has none.
  static func pairs(from old: [Shape], to new: [Shape]) -> [String] {
    old.indices.filter { old[$0].sharesMembers && new[$0].isInMembers }.map { "L\($0)" }
  }

  /// Every shape; the right side may be missing.
  static let shapes = Side.allCases.filter { $0 != .none }.flatMap { left in
    Side.allCases.map { Shape(left: left, right: $0) }
  }

  /// Links by the number of the shape; in the order in which members joined.
  struct Links {
    /// The members of each owner, in their order.
    var left: [[Int]]
    /// The owners of each member, in their order.
    var right: [[Int]]

    /// What a new store of a shape holds and other shapes allow: of the links the first.
    init(storedAs stored: Shape, fitting others: Shape...) {
      let shapes = [stored] + others
      left = [[], [], []]
      right = [[], [], []]
      for (owner, member) in [(0, 1), (0, 0), (1, 2), (1, 1), (2, 1)] {
        let isTaken = !right[member].isEmpty
        let isFull =
          shapes.contains { $0.left == .one && !left[owner].isEmpty || $0.right == .one && isTaken }
          || stored.isInMembers && isTaken
        if !isFull { left[owner].append(member) }
        if !isFull { right[member].insert(owner, at: 0) }
      }
    }

    /// Lists that have no order stand in that of their keys.
    mutating func forgetOrder(of shape: Shape) {
      if shape.left != .ordered { left = left.map { $0.sorted() } }
      if shape.right != .ordered { right = right.map { $0.sorted() } }
    }
  }

  /// A model with a pair of entities for each shape of a list.
  static func model(_ shapes: [Shape]) -> ModelDefinition {
    var entities: [EntityDefinition] = []
    for (number, shape) in shapes.enumerated() {
      let hasInverse = shape.right != .none
      var left = EntityDefinition("L\(number)")
      left.relationships = [
        RelationshipDefinition(
          "r", to: "R\(number)", inverse: hasInverse ? "b" : nil, isToMany: shape.left.isToMany,
          isOrdered: shape.left == .ordered)
      ]
      var right = EntityDefinition("R\(number)")
      if hasInverse {
        right.relationships = [
          RelationshipDefinition(
            "b", to: "L\(number)", inverse: "r", isToMany: shape.right.isToMany,
            isOrdered: shape.right == .ordered)
        ]
      }
      entities += [left, right]
    }
    return ModelDefinition(name: "Shapes", entities: entities)
  }

  /// Makes the objects of each pair of entities, with their links.
  static func fill(_ context: ManagedObjectContext, _ shapes: [Shape], _ links: [Links]) throws {
    for (number, shape) in shapes.enumerated() {
      let rights = try (0..<3).map { _ in try context.insert(entityNamed: "R\(number)") }
      try context.save()
      let lefts = try (0..<3).map { _ in try context.insert(entityNamed: "L\(number)") }
      try context.save()
      for (owner, members) in links[number].left.enumerated() {
        let list = members.map { rights[$0] }
        switch shape.left {
        case .one: try lefts[owner].setValue(list.first, forKey: "r")
        case .ordered: try lefts[owner].setValue(list, forKey: "r")
        default: try lefts[owner].setValue(Set(list), forKey: "r")
        }
      }
      if shape.right == .ordered {
        for (member, owners) in links[number].right.enumerated() {
          try rights[member].setValue(owners.map { lefts[$0] }, forKey: "b")
        }
      }
    }
    try context.save()
  }

  /// The lines of objects of a pair of entities.
  static func lines(_ number: Int, _ shape: Shape, _ links: Links) -> [String] {
    func text(_ members: [Int], _ entity: String, _ side: Side) -> String {
      let names = members.map { "\(entity)\(number)/p\($0 + 1)" }
      switch side {
      case .none, .one: return names.first ?? "nil"
      case .many: return "{\(names.joined(separator: ","))}"
      case .ordered: return "[\(names.joined(separator: ","))]"
      }
    }
    return (0..<3).map { "L\(number)/p\($0 + 1) r=\(text(links.left[$0], "R", shape.left))" }
      + (0..<3).map {
        "R\(number)/p\($0 + 1)"
          + (shape.right == .none ? "" : " b=\(text(links.right[$0], "L", shape.right))")
      }
  }
}
