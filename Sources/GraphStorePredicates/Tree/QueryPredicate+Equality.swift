extension QueryPredicate {
  /// The predicate in place of a compound of one member, and the constant in place of one of none (PRD-008).
  var unwrapped: QueryPredicate {
    var predicate = self
    while true {
      switch predicate {
      case .and(let members) where members.count < 2:
        guard let only = members.first else { return .constant(true) }
        predicate = only
      case .or(let members) where members.count < 2:
        guard let only = members.first else { return .constant(false) }
        predicate = only
      default: return predicate
      }
    }
  }

  /// The operand under all negations at the top, and how many there are.
  var withoutNegations: (operand: QueryPredicate, count: Int) {
    var operand = unwrapped
    var count = 0
    while case .not(let inner) = operand {
      operand = inner.unwrapped
      count += 1
    }
    return (operand, count)
  }

  /// Whether both are the same tree; a compound of one member is that member, one of none a constant.
  public static func == (left: QueryPredicate, right: QueryPredicate) -> Bool {
    let (first, firstNegations) = left.withoutNegations
    let (second, secondNegations) = right.withoutNegations
    guard firstNegations == secondNegations else { return false }
    switch (first, second) {
    case (.constant(let left), .constant(let right)): return left == right
    case (.comparison(let left), .comparison(let right)): return left == right
    case (.and(let left), .and(let right)): return left == right
    case (.or(let left), .or(let right)): return left == right
    case (.block(let left), .block(let right)): return left == right
    default: return false
    }
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    let (operand, negations) = withoutNegations
    hasher.combine(negations)
    switch operand {
    case .constant(let value): hasher.combine(value)
    case .comparison(let comparison): hasher.combine(comparison)
    case .and(let members):
      hasher.combine(0)
      hasher.combine(members)
    case .or(let members):
      hasher.combine(1)
      hasher.combine(members)
    case .block(let block): hasher.combine(block)
    case .not: break
    }
  }
}
