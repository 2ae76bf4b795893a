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
