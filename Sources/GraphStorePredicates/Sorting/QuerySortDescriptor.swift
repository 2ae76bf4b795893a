import Foundation

/// One key of an order: a key path or an expression, a direction, a comparator, and where objects without a
/// value stand.
///
/// ```swift
/// var request = Employee.fetchRequest()
/// request.sortDescriptors = [
///   try QuerySortDescriptor(key: "department.name", nilPlacement: .last),
///   try QuerySortDescriptor(key: "name", ascending: false, comparator: .localizedStandard),
///   QuerySortDescriptor(expression: try QueryExpression(parsing: "month:(birthday)")),
/// ]
/// let same = try QuerySortDescriptor.list(
///   parsing: "department.name:nulls-last, -name:localizedStandard, month:(birthday)")
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

  /// Place of the objects that have no value of the key; the raw value is the modifier in text.
  public enum NilPlacement: String, Hashable, Sendable, CaseIterable {
    /// Before all others.
    case first = "nulls-first"
    /// Behind all others.
    case last = "nulls-last"
  }

  /// The key path that is compared; one of no steps that begins at the expression, where it is an expression.
  public let keyPath: QueryKeyPath
  /// Whether small values are first.
  public let ascending: Bool
  /// The comparison of values.
  public let comparator: Comparator
  /// The place of objects without a value.
  public let nilPlacement: NilPlacement
  /// The range of the descriptor in its text, when there was one.
  public let sourceRange: SourceRange?

  /// Makes a descriptor of a key path.
  ///
  /// - Parameters:
  ///   - keyPath: The key path that is compared.
  ///   - ascending: Whether small values are first.
  ///   - comparator: The comparison of values.
  ///   - nilPlacement: The place of objects without a value; nil for before small values.
  ///   - sourceRange: The range of the descriptor in its text.
  public init(
    keyPath: QueryKeyPath, ascending: Bool = true, comparator: Comparator = .compare,
    nilPlacement: NilPlacement? = nil, sourceRange: SourceRange? = nil
  ) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.comparator = comparator
    self.nilPlacement = nilPlacement ?? .usual(ascending: ascending)
    self.sourceRange = sourceRange
  }

  /// Makes a descriptor of an expression that is computed of each object, such as `salary * 12`.
  public init(
    expression: QueryExpression, ascending: Bool = true, comparator: Comparator = .compare,
    nilPlacement: NilPlacement? = nil, sourceRange: SourceRange? = nil
  ) {
    let path: QueryKeyPath
    switch expression.kind {
    case .keyPath(let written): path = written
    case .evaluatedObject: path = QueryKeyPath(steps: [.key("self")])
    default: path = QueryKeyPath(base: expression, steps: [])
    }
    self.init(
      keyPath: path, ascending: ascending, comparator: comparator, nilPlacement: nilPlacement,
      sourceRange: sourceRange)
  }

  /// What is compared, as an expression.
  public var expression: QueryExpression {
    if isComputed, let base = keyPath.base { return base }
    return QueryExpression(.keyPath(keyPath), sourceRange: sourceRange)
  }

  /// Whether an expression is compared that is no key path.
  package var isComputed: Bool { keyPath.base != nil && keyPath.steps.isEmpty }

  /// The descriptor of the reverse order.
  public var reversed: QuerySortDescriptor {
    QuerySortDescriptor(
      keyPath: keyPath, ascending: !ascending, comparator: comparator,
      nilPlacement: nilPlacement == .first ? .last : .first)
  }

  /// The same order, with objects that have no value at another place.
  ///
  /// ```swift
  /// let order = try QuerySortDescriptor(parsing: "-salary").placingNils(.first)
  /// print(order)  // -salary:nulls-first
  /// ```
  public func placingNils(_ placement: NilPlacement) -> QuerySortDescriptor {
    QuerySortDescriptor(
      keyPath: keyPath, ascending: ascending, comparator: comparator, nilPlacement: placement,
      sourceRange: sourceRange)
  }

  /// The descriptor with the variables of its expression replaced by their values, as `substituting` of a
  /// predicate.
  public func substituting(_ values: [String: Value]) throws(QueryPredicateError) -> QuerySortDescriptor {
    guard isComputed else { return self }
    return QuerySortDescriptor(
      expression: try expression.substituting(values), ascending: ascending, comparator: comparator,
      nilPlacement: nilPlacement, sourceRange: sourceRange)
  }
}

extension QuerySortDescriptor.NilPlacement {
  /// The place where nothing is said of it: that of the smallest value.
  package static func usual(ascending: Bool) -> Self { ascending ? .first : .last }
}

extension QuerySortDescriptor {
  /// Whether both are the same order; their ranges in a text do not count.
  public static func == (left: QuerySortDescriptor, right: QuerySortDescriptor) -> Bool {
    left.ascending == right.ascending && left.comparator == right.comparator
      && left.nilPlacement == right.nilPlacement && left.keyPath == right.keyPath
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(keyPath)
    hasher.combine(ascending)
    hasher.combine(comparator)
    hasher.combine(nilPlacement)
  }
}

extension QuerySortDescriptor {
  /// Makes a descriptor of a key path's text, such as `department.name`. Throws `invalid-key-path`.
  public init(
    key: String, ascending: Bool = true, comparator: Comparator = .compare, nilPlacement: NilPlacement? = nil
  ) throws(QueryPredicateError) {
    self.init(
      keyPath: try QueryKeyPath(parsing: key), ascending: ascending, comparator: comparator,
      nilPlacement: nilPlacement)
  }

  /// Reads one descriptor, `[-|+]key[:modifier…]`, where the key is a key path or an expression and the
  /// modifiers are a direction, a comparator and a place of missing values: `-salary:nulls-last`.
  ///
  /// Throws ``QueryPredicateError`` with the position.
  public init(parsing text: String) throws(QueryPredicateError) {
    self = try SortReader(text).descriptor(in: 0..<text.utf8.count)
  }

  /// Reads descriptors separated by commas, such as `-salary,department.name:localizedStandard`.
  public static func list(parsing text: String) throws(QueryPredicateError) -> [QuerySortDescriptor] {
    try SortReader(text).list()
  }

  /// Reads descriptors separated by commas, whose keys are names of results where results are called so.
  package static func list(
    parsing text: String, results: [String]
  ) throws(QueryPredicateError) -> [QuerySortDescriptor] {
    try SortReader(text, results: Set(results)).list()
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
    let key = keyText
    // A sign that belongs to the expression stands behind that of the direction.
    let sign = !ascending ? "-" : key.hasPrefix("-") || key.hasPrefix("+") ? "+" : ""
    return sign + key + modifiers
  }

  /// The key path or the expression in its text form, in parentheses where it would be read as another key.
  package var keyText: String {
    guard keyPath.base != nil else { return keyPath.description }
    let text = expression.description
    return SortReader.isReadAsOtherKey(text) ? "(\(text))" : text
  }

  /// The modifiers of the text form, each behind a colon; the direction is a sign before it.
  package var modifiers: String {
    (comparator == .compare ? "" : ":\(comparator.rawValue)")
      + (nilPlacement == .usual(ascending: ascending) ? "" : ":\(nilPlacement.rawValue)")
  }

  /// The order of two values of the key, direction and place of nil included.
  public func order(_ left: Value, _ right: Value, locale: Locale = ProcessLocale.current) -> ComparisonResult
  {
    let collation = comparator.collation(for: locale)
    if let collation, case .string(let first) = left, case .string(let second) = right {
      let order = collation.order(first, second)
      return ascending ? order : order.reversed
    }
    return SortValue(left, comparator: comparator, collation: collation).order(
      to: SortValue(right, comparator: comparator, collation: collation), ascending: ascending,
      nilPlacement: nilPlacement)
  }
}
