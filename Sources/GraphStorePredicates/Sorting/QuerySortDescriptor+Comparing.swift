import Foundation

extension QuerySortDescriptor: CustomStringConvertible {
  /// The descriptor in its text form.
  public var description: String {
    (ascending ? "" : "-") + keyPath.description + (comparator == .compare ? "" : ":\(comparator.rawValue)")
  }

  /// The order of two values of the key, direction included: nil before every value when ascending.
  public func order(_ left: Value, _ right: Value, locale: Locale = .current) -> ComparisonResult {
    let order = ascendingOrder(left, right, locale)
    return ascending ? order : order.reversed
  }

  private func ascendingOrder(_ left: Value, _ right: Value, _ locale: Locale) -> ComparisonResult {
    switch (left.isNull, right.isNull) {
    case (true, true): return .orderedSame
    case (true, false): return .orderedAscending
    case (false, true): return .orderedDescending
    default: break
    }
    guard case .string(let first) = left, case .string(let second) = right else {
      return left.order(to: right) ?? .orderedSame
    }
    switch comparator {
    case .compare: return left.order(to: right) ?? .orderedSame
    case .caseInsensitive:
      let order = TextFolding.caseInsensitive.order(first, second)
      return order < 0 ? .orderedAscending : order == 0 ? .orderedSame : .orderedDescending
    case .localized: return Collation(locale: locale).order(first, second)
    case .localizedCaseInsensitive: return Collation(locale: locale, ignoresCase: true).order(first, second)
    case .localizedStandard:
      let order = Collation.standard(locale: locale).order(first, second)
      return order == .orderedSame ? left.order(to: right) ?? .orderedSame : order
    }
  }
}

/// Sort descriptors prepared for comparing many objects.
public final class SortEvaluator {
  private let descriptors: [QuerySortDescriptor]
  private let keys: [ExpressionEvaluator]
  private let locale: Locale

  /// Prepares descriptors. Throws ``QueryPredicateError``.
  public init(_ descriptors: [QuerySortDescriptor], locale: Locale = .current) throws {
    self.descriptors = descriptors
    self.locale = locale
    keys = try descriptors.map { try ExpressionEvaluator(QueryExpression(.keyPath($0.keyPath))) }
  }

  /// The values of the sort keys of one object, in the order of the descriptors.
  public func values(of object: Operand) throws -> [Value] {
    try keys.map { try $0.value(for: object) }
  }

  /// The order of two objects by the values of their sort keys.
  public func order(_ left: [Value], _ right: [Value]) -> ComparisonResult {
    for (index, descriptor) in descriptors.enumerated() {
      let order = descriptor.order(left[index], right[index], locale: locale)
      if order != .orderedSame { return order }
    }
    return .orderedSame
  }

  /// The positions of objects in sorted order; the sort is stable and reads each key once an object.
  public func sortedPositions(of objects: [Operand]) throws -> [Int] {
    let values = try objects.map { try self.values(of: $0) }
    return values.indices.sorted { first, second in
      switch order(values[first], values[second]) {
      case .orderedAscending: true
      case .orderedDescending: false
      case .orderedSame: first < second
      }
    }
  }
}

extension Sequence where Element: PropertySource {
  /// The objects in the order of sort descriptors. The sort is stable.
  public func sorted(
    using descriptors: [QuerySortDescriptor], locale: Locale = .current
  ) throws -> [Element] {
    let objects = Array(self)
    let evaluator = try SortEvaluator(descriptors, locale: locale)
    return try evaluator.sortedPositions(of: objects.map { .source($0) }).map { objects[$0] }
  }
}

extension Sequence where Element == Value {
  /// The values in the order of sort descriptors. The sort is stable.
  public func sorted(
    using descriptors: [QuerySortDescriptor], locale: Locale = .current
  ) throws -> [Element] {
    let values = Array(self)
    let evaluator = try SortEvaluator(descriptors, locale: locale)
    return try evaluator.sortedPositions(of: values.map { .value($0) }).map { values[$0] }
  }
}
