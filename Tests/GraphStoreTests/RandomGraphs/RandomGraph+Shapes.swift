extension RandomGraph {
  /// A graph whose model is drawn as a whole: how many pairs there are, between which entities, and of which
  /// kinds.
  init(shapes random: inout SeededGenerator) {
    self.init(rules: &random)
    pairs = (0..<Int.random(in: 2...7, using: &random)).map { Self.pair($0, &random) }
    links = pairs.map { _ in [] }
  }

  private static func pair(_ number: Int, _ random: inout SeededGenerator) -> Pair {
    let left = side("left\(number)", &random)
    guard Int.random(in: 0..<6, using: &random) == 0 else {
      return Pair(left: left, right: side("right\(number)", &random))
    }
    var own = left
    own.isOrdered = false
    return Pair(left: own, right: own, isSelfInverse: true)
  }

  private static func side(_ name: String, _ random: inout SeededGenerator) -> Side {
    let entity = ["P", "P", "Q", "R", "R", "S"].randomElement(using: &random) ?? "P"
    let isToMany = Bool.random(using: &random)
    let isOrdered = isToMany && Int.random(in: 0..<3, using: &random) == 0
    return Side(entity: entity, name: name, isToMany: isToMany, isOrdered: isOrdered, rule: rule(&random))
  }
}
