import Foundation

extension Sequence where Element: _PropertySource {
  /// The objects in the order of sort descriptors. The sort is stable.
  public func sorted(
    using descriptors: [QuerySortDescriptor], locale: Locale = ProcessLocale.current
  ) throws -> [Element] {
    try sorted(using: SortEvaluator(descriptors, locale: locale))
  }

  /// The objects in the order of prepared sort descriptors. The sort is stable.
  public func sorted(using evaluator: SortEvaluator) throws -> [Element] {
    let objects = Array(self)
    return try evaluator.sortedPositions(of: objects.map { .source($0) }).map { objects[$0] }
  }
}

extension Sequence where Element == Value {
  /// The values in the order of sort descriptors. The sort is stable.
  public func sorted(
    using descriptors: [QuerySortDescriptor], locale: Locale = ProcessLocale.current
  ) throws -> [Element] {
    let values = Array(self)
    let evaluator = try SortEvaluator(descriptors, locale: locale)
    return try evaluator.sortedPositions(of: values.map { .value($0) }).map { values[$0] }
  }
}

extension Sequence where Element == [String: Value] {
  /// The rows in the order of sort descriptors. The sort is stable.
  public func sorted(
    using descriptors: [QuerySortDescriptor], locale: Locale = ProcessLocale.current
  ) throws -> [Element] {
    let rows = Array(self)
    let evaluator = try SortEvaluator(descriptors, locale: locale)
    return try evaluator.sortedPositions(of: rows.map { .value(.dictionary($0)) }).map { rows[$0] }
  }
}
