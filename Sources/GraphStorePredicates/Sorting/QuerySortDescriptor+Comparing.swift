import Foundation

extension QuerySortDescriptor: CustomStringConvertible {
  /// The descriptor in its text form.
  public var description: String {
    (ascending ? "" : "-") + keyPath.description + (comparator == .compare ? "" : ":\(comparator.rawValue)")
  }

  /// The order of two values of the key, direction included: nil before every value when ascending.
  public func order(_ left: Value, _ right: Value, locale: Locale = ProcessLocale.current) -> ComparisonResult
  {
    let order = ascendingOrder(left, right, locale: locale)
    return ascending ? order : order.reversed
  }

  private func ascendingOrder(_ left: Value, _ right: Value, locale: Locale) -> ComparisonResult {
    let collation = comparator.collation(for: locale)
    if let collation, case .string(let first) = left, case .string(let second) = right {
      return collation.order(first, second)
    }
    return SortValue(left, comparator: comparator, collation: collation).order(
      to: SortValue(right, comparator: comparator, collation: collation))
  }
}
