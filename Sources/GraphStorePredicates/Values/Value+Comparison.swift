import Foundation

extension Value {
  /// Whether the value is one of the numbers: Boolean, integer, double or decimal.
  public var isNumber: Bool {
    switch self {
    case .bool, .int, .double, .decimal: true
    default: false
    }
  }

  /// Whether the value is a NaN, or a date made of one, which counts as missing in three-valued logic.
  public var isNaN: Bool {
    switch self {
    case .double(let value): value.isNaN
    case .decimal(let value): value.isNaN
    case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }

  /// Whether two values are equal by the rules of predicates: numbers by exact value across their kinds,
  /// strings by scalars, objects by record; a string is read as the UUID or URI it is compared with. Nil
  /// equals nil.
  public func isEqual(to other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null): return true
    case (.object(let left), .object(let right)): return left.namesSameRecord(as: right)
    case (.list(let left), .list(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isEqual(to: $1) }
    case (.dictionary(let left), .dictionary(let right)):
      return left.count == right.count
        && left.allSatisfy { key, value in right[key].map { value.isEqual(to: $0) } ?? false }
    default: return order(to: other) == .orderedSame
    }
  }

  /// The order of two values by the rules of predicates; nil when they have none: nil values, values of kinds
  /// that do not compare, objects, collections, NaN.
  public func order(to other: Value) -> ComparisonResult? {
    switch (self, other) {
    case (.int(let left), .int(let right)): ComparisonResult(left, right)
    case (.string(let left), .string(let right)):
      ComparisonResult(TextFolding.none.order(left, right), 0)
    case (.double(let left), .double(let right)): ExactNumber.order(left, right)
    case (.date(let left), .date(let right)):
      ExactNumber.order(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
    case (.bool(let left), _) where other.isNumber: Value.int(left ? 1 : 0).order(to: other)
    case (_, .bool(let right)) where isNumber: order(to: .int(right ? 1 : 0))
    case (.int(let left), .double(let right)): ExactNumber.order(left, right)
    case (.double(let left), .int(let right)): ExactNumber.order(right, left)?.reversed
    case (.decimal(let left), .decimal(let right)): Self.order(left, right)
    case (.decimal(let left), .int(let right)): Self.order(left, Decimal(right))
    case (.int(let left), .decimal(let right)): Self.order(Decimal(left), right)
    case (.decimal(let left), .double(let right)): ExactNumber.order(left, right)
    case (.double(let left), .decimal(let right)): ExactNumber.order(right, left)?.reversed
    case (.uuid(let left), .uuid(let right)):
      unsafe withUnsafeBytes(of: left.uuid) { left in
        unsafe withUnsafeBytes(of: right.uuid) { unsafe Self.order(left, $0) }
      }
    case (.uri(let left), .uri(let right)):
      ComparisonResult(TextFolding.none.order(left.absoluteString, right.absoluteString), 0)
    case (.data(let left), .data(let right)): Self.order(left, right)
    case (.string(let text), .uuid): UUID(uuidString: text).flatMap { Value.uuid($0).order(to: other) }
    case (.uuid, .string(let text)): UUID(uuidString: text).flatMap { order(to: .uuid($0)) }
    case (.string(let left), .uri(let right)):
      ComparisonResult(TextFolding.none.order(left, right.absoluteString), 0)
    case (.uri(let left), .string(let right)):
      ComparisonResult(TextFolding.none.order(left.absoluteString, right), 0)
    default: nil
    }
  }

  private static func order(_ left: Decimal, _ right: Decimal) -> ComparisonResult? {
    left.isNaN || right.isNaN ? nil : ComparisonResult(left, right)
  }

  private static func order(
    _ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>
  ) -> ComparisonResult {
    if left.lexicographicallyPrecedes(right) { return .orderedAscending }
    return right.lexicographicallyPrecedes(left) ? .orderedDescending : .orderedSame
  }
}

extension ComparisonResult {
  /// The order of two values of one type.
  init<Compared: Comparable>(_ left: Compared, _ right: Compared) {
    self = left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  var reversed: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedDescending: .orderedAscending
    case .orderedSame: .orderedSame
    }
  }
}
