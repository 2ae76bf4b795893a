import GraphStorePredicates

/// Decoder of archived predicates and expressions into trees.
struct ArchivedPredicateReader {
  /// The deepest nesting that is read.
  private static let maximumDepth = 120

  let archive: KeyedArchive

  /// The predicate at a node; nil where there is none.
  func predicate(at node: PropertyListNode?) throws(KeyedArchiveError) -> QueryPredicate? {
    if case .null = try archive.value(at: node) { return nil }
    return try predicate(node, depth: 0)
  }

  /// The expression at a node; nil where there is none.
  func expression(at node: PropertyListNode?) throws(KeyedArchiveError) -> QueryExpression? {
    if case .null = try archive.value(at: node) { return nil }
    return try expression(node, depth: 0)
  }

  // MARK: Predicates

  func predicate(_ node: PropertyListNode?, depth: Int) throws(KeyedArchiveError) -> QueryPredicate {
    let object = try object(node, depth: depth, "a predicate")
    switch object.className {
    case "NSTruePredicate": return .constant(true)
    case "NSFalsePredicate": return .constant(false)
    case "NSCompoundPredicate": return try compound(object, depth)
    case "NSComparisonPredicate": return try comparison(object, depth)
    default: throw .unknown("Predicates of class \(object.className) are not known.")
    }
  }

  private func compound(_ object: ArchivedObject, _ depth: Int) throws(KeyedArchiveError) -> QueryPredicate {
    guard case .list(let nodes) = try archive.value(at: object.fields["NSSubpredicates"]) else {
      throw .unknown("A compound predicate lacks its members.")
    }
    var members: [QueryPredicate] = []
    for node in nodes { members.append(try predicate(node, depth: depth + 1)) }
    switch try integer(object.fields["NSCompoundPredicateType"]) {
    case 0:
      guard let member = members.first, members.count == 1 else {
        throw .unknown("A negation has \(members.count) members.")
      }
      return .not(member)
    case 1: return .and(members)
    case 2: return .or(members)
    case let type: throw .unknown("Compound predicates of type \(type) are not known.")
    }
  }

  private func comparison(_ object: ArchivedObject, _ depth: Int) throws(KeyedArchiveError) -> QueryPredicate
  {
    let sign = try self.object(object.fields["NSPredicateOperator"], depth: depth, "an operator")
    let type = try integer(sign.fields["NSOperatorType"])
    guard let comparator = Self.comparators[type] else {
      throw .unknown("Comparisons with an operator of type \(type) are not known.")
    }
    let modifier: QueryComparison.Modifier =
      switch try integer(sign.fields["NSModifier"]) {
      case 1: .all
      case 2: .any
      default: .direct
      }
    let bits = try integer(sign.fields["NSOptions"] ?? sign.fields["NSFlags"])
    return .compare(
      try expression(object.fields["NSLeftExpression"], depth: depth + 1), comparator,
      try expression(object.fields["NSRightExpression"], depth: depth + 1),
      options: QueryComparison.Options(rawValue: UInt8(truncatingIfNeeded: bits & 0x0F)), modifier: modifier)
  }

  private static let comparators: [Int: QueryComparison.Operator] = [
    0: .less, 1: .lessOrEqual, 2: .greater, 3: .greaterOrEqual, 4: .equal, 5: .notEqual, 6: .matches,
    7: .like, 8: .beginsWith, 9: .endsWith, 10: .in, 99: .contains, 100: .between,
  ]

  // MARK: Parts

  func object(
    _ node: PropertyListNode?, depth: Int, _ what: String
  ) throws(KeyedArchiveError) -> ArchivedObject {
    guard depth < Self.maximumDepth else {
      throw .unknown("Predicates nest at most \(Self.maximumDepth) levels.")
    }
    guard case .object(let object) = try archive.value(at: node) else {
      throw .unknown("Where \(what) is expected stands something else.")
    }
    return object
  }

  /// The whole number at a node; 0 where there is none, as keyed archives have it.
  func integer(_ node: PropertyListNode?) throws(KeyedArchiveError) -> Int {
    switch try archive.value(at: node) {
    case .value(.int(let number)): return Int(clamping: number)
    case .value(.bool(let flag)): return flag ? 1 : 0
    default: return 0
    }
  }

  func text(_ node: PropertyListNode?) throws(KeyedArchiveError) -> String? {
    if case .value(.string(let text)) = try archive.value(at: node) { text } else { nil }
  }
}
