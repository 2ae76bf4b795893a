import Foundation

/// One key of an order: a key path, a direction and a comparator.
///
/// ```swift
/// var request = Employee.fetchRequest()
/// request.sortDescriptors = [
///   try QuerySortDescriptor(key: "department.name"),
///   try QuerySortDescriptor(key: "name", ascending: false, comparator: .localizedStandard),
/// ]
/// let same = try QuerySortDescriptor.list(parsing: "department.name,-name:localizedStandard")
/// print(request.sortDescriptors == same)  // true
/// ```
public struct QuerySortDescriptor: Hashable, Sendable {
  /// Comparison of two values of the key; the raw value is the name in text.
  public enum Comparator: String, Hashable, Sendable, CaseIterable {
    /// Strings by their UTF-8 bytes, everything else as `<` does.
    case compare
    /// Strings by the bytes of their `[c]` keys.
    case caseInsensitive
    /// By the locale's collation, with all differences.
    case localized
    /// By the locale's collation, without case.
    case localizedCaseInsensitive
    /// As file browsers do, with runs of digits by value.
    case localizedStandard
  }

  /// The key path that is compared.
  public let keyPath: QueryKeyPath
  /// Whether small values are first.
  public let ascending: Bool
  /// The comparison of values.
  public let comparator: Comparator
  /// The range of the descriptor in its text, when there was one.
  public let sourceRange: SourceRange?

  /// Makes a descriptor of a key path.
  public init(
    keyPath: QueryKeyPath, ascending: Bool = true, comparator: Comparator = .compare,
    sourceRange: SourceRange? = nil
  ) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.comparator = comparator
    self.sourceRange = sourceRange
  }

  /// The descriptor of the reverse order.
  public var reversed: QuerySortDescriptor {
    QuerySortDescriptor(keyPath: keyPath, ascending: !ascending, comparator: comparator)
  }
}

extension QuerySortDescriptor {
  /// Whether both are the same order; their ranges in a text do not count.
  public static func == (left: QuerySortDescriptor, right: QuerySortDescriptor) -> Bool {
    left.ascending == right.ascending && left.comparator == right.comparator && left.keyPath == right.keyPath
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(keyPath)
    hasher.combine(ascending)
    hasher.combine(comparator)
  }
}

extension QuerySortDescriptor {
  /// Makes a descriptor of a key path's text, such as `department.name`. Throws `invalid-key-path`.
  public init(
    key: String, ascending: Bool = true, comparator: Comparator = .compare
  ) throws(QueryPredicateError) {
    self.init(keyPath: try QueryKeyPath(parsing: key), ascending: ascending, comparator: comparator)
  }

  /// Reads one descriptor, `[-|+]keypath[:modifier…]`. Throws ``QueryPredicateError`` with the position.
  public init(parsing text: String) throws(QueryPredicateError) {
    var reader = SortReader(text)
    self = try reader.descriptor(from: 0, to: text.utf8.count)
  }

  /// Reads descriptors separated by commas, such as `-salary,department.name:localizedStandard`.
  public static func list(parsing text: String) throws(QueryPredicateError) -> [QuerySortDescriptor] {
    var reader = SortReader(text)
    return try reader.list()
  }
}

extension QuerySortDescriptor.Comparator {
  /// Finds a comparator by its name here or by its customary name, such as `localizedStandardCompare:`.
  /// Throws `unsupported-sort` for any other.
  public init(selector name: String) throws(QueryPredicateError) {
    let customary: [String: Self] = [
      "compare:": .compare, "caseInsensitiveCompare:": .caseInsensitive, "localizedCompare:": .localized,
      "localizedCaseInsensitiveCompare:": .localizedCaseInsensitive,
      "localizedStandardCompare:": .localizedStandard,
    ]
    guard let comparator = Self(rawValue: name) ?? customary[name] else {
      throw QueryPredicateError(
        .unsupportedSort, "unsupported NSSortDescriptor selector: \(name)",
        hint: "Sort the result in memory with a comparison of your own.",
        suggestions: NearestNames.names(near: name, among: customary.keys.sorted()))
    }
    self = comparator
  }
}

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
