import Foundation

/// Comparer of the values on both sides of a comparison.
struct ValueComparer {
  let folding: TextFolding
  let collation: Collation?
  let leftIsConstant: Bool
  let rightIsConstant: Bool

  init(
    options: QueryComparison.Options, locale: Locale, leftIsConstant: Bool = false,
    rightIsConstant: Bool = false
  ) {
    folding = TextFolding(options)
    let isLocalized = options.contains(.localized) && !options.contains(.normalized)
    collation =
      isLocalized
      ? Collation(
        locale: locale, ignoresCase: folding.foldsCase, ignoresDiacritics: folding.foldsDiacritics) : nil
    self.leftIsConstant = leftIsConstant
    self.rightIsConstant = rightIsConstant
  }

  /// The comparison with the sides exchanged.
  var exchanged: ValueComparer {
    ValueComparer(
      folding: folding, collation: collation, leftIsConstant: rightIsConstant,
      rightIsConstant: leftIsConstant)
  }

  /// The comparison with a right side that is a constant, or is none.
  func comparingConstant(_ rightIsConstant: Bool) -> ValueComparer {
    ValueComparer(
      folding: folding, collation: collation, leftIsConstant: leftIsConstant,
      rightIsConstant: rightIsConstant)
  }

  private init(folding: TextFolding, collation: Collation?, leftIsConstant: Bool, rightIsConstant: Bool) {
    self.folding = folding
    self.collation = collation
    self.leftIsConstant = leftIsConstant
    self.rightIsConstant = rightIsConstant
  }

  func areEqual(_ left: QueryOperand, _ right: QueryOperand) -> Bool {
    switch (left, right) {
    case (.value(let left), .value(let right)): return areEqual(left, right)
    case (.source(let left), .source(let right)):
      if left === right { return true }
      if let first = left._objectReference, let second = right._objectReference {
        return first.namesSameRecord(as: second)
      }
      guard let first = left._dictionary, let second = right._dictionary else { return false }
      return Value.dictionary(first).isEqual(to: .dictionary(second))
    case (.collection(let members, let isOrdered), _):
      return right.members.map { areEqual(members, $0, inOrder: isOrdered) } ?? false
    case (_, .collection(let members, let isOrdered)):
      return left.members.map { areEqual($0, members, inOrder: isOrdered) } ?? false
    case (.source(let source), .value(let value)), (.value(let value), .source(let source)):
      return source._objectReference.map { Value.object($0).isEqual(to: value) }
        ?? source._dictionary.map { Value.dictionary($0).isEqual(to: value) } ?? false
    }
  }

  private func areEqual(_ left: [QueryOperand], _ right: [QueryOperand], inOrder: Bool) -> Bool {
    guard left.count == right.count else { return false }
    if inOrder { return zip(left, right).allSatisfy { areEqual($0, $1) } }
    var rest = right
    for member in left {
      guard let index = rest.firstIndex(where: { areEqual(member, $0) }) else { return false }
      rest.remove(at: index)
    }
    return true
  }

  func areEqual(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    case (.int(let left), .int(let right)): left == right
    case (.string(let left), .string(let right)) where collation == nil && folding.isNone:
      left.utf8.count == right.utf8.count && TextFolding.none.order(left, right) == 0
    case (.string, .string), (.decimal, .double), (.double, .decimal): order(left, right) == .orderedSame
    default: left.isEqual(to: right)
    }
  }

  func order(_ left: Value, _ right: Value) -> ComparisonResult? {
    switch (left, right) {
    case (.string(let left), .string(let right)):
      if let collation { return collation.order(left, right) }
      return ComparisonResult(folding.order(left, right), 0)
    // A constant takes the kind of what it meets: a fraction the decimal that names it, a decimal its nearest
    // double.
    case (.decimal, .double) where rightIsConstant:
      return left.order(to: right.shortestDecimal)
    case (.double, .decimal) where leftIsConstant:
      return left.shortestDecimal.order(to: right)
    case (.decimal, .double) where leftIsConstant:
      return left.nearestDouble.order(to: right)
    case (.double, .decimal) where rightIsConstant:
      return left.order(to: right.nearestDouble)
    default:
      return left.order(to: right)
    }
  }
}

extension Value {
  /// A decimal as the double that is nearest to it, every other value as it is.
  var nearestDouble: Value {
    guard case .decimal = self, let double = doubleNumber else { return self }
    return .double(double)
  }

  /// A double as the decimal with the fewest digits that names it, every other value as it is.
  var shortestDecimal: Value {
    guard case .double = self, let decimal = decimalNumber else { return self }
    return .decimal(decimal)
  }
}
