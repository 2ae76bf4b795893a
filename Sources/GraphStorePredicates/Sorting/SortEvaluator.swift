import Foundation

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
