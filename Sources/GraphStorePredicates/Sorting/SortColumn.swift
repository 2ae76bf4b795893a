import Foundation

/// One sort descriptor prepared for many objects.
final class SortColumn {
  private enum Key {
    /// A property of what an expression, or nil for the object itself, yields.
    case property(of: ExpressionEvaluator?, PropertyKey)
    case expression(ExpressionEvaluator)
  }

  private let isAscending: Bool
  private let nilPlacement: QuerySortDescriptor.NilPlacement
  private let comparator: QuerySortDescriptor.Comparator
  private let collation: Collation?
  private let key: Key
  private let range: SourceRange?

  init(_ descriptor: QuerySortDescriptor, options: EvaluationOptions) throws(QueryPredicateError) {
    isAscending = descriptor.ascending
    nilPlacement = descriptor.nilPlacement
    comparator = descriptor.comparator
    collation = comparator.collation(for: options.locale)
    range = descriptor.sourceRange
    let path = descriptor.keyPath
    if case .key(let name)? = path.steps.last, !path.isEntityName, path.collectionOperatorIndex == nil {
      let rest = QueryKeyPath(base: path.base, steps: Array(path.steps.dropLast()))
      var owner: ExpressionEvaluator?
      if !rest.steps.isEmpty {
        owner = try ExpressionEvaluator(QueryExpression(.keyPath(rest)), options: options, isResult: false)
      } else if let base = path.base {
        owner = try ExpressionEvaluator(base, options: options, isResult: false)
      }
      key = .property(of: owner, PropertyKey(name))
    } else {
      key = .expression(
        try ExpressionEvaluator(descriptor.expression, options: options, isResult: false))
    }
  }

  /// Forgets what sources have kept under the key, before other objects are sorted.
  func begin() {
    if case .property(_, let key) = key { key.memory = nil }
  }

  /// The value of the key for an object.
  func value(of object: QueryOperand) throws -> Value {
    switch key {
    case .expression(let evaluator): return try evaluator.value(for: object)
    case .property(let owner, let key):
      let operand = try owner?.operand(for: object) ?? object
      if case .source(let source) = operand, !key.isSelf { return try source._sortOperand(forKey: key).value }
      return try KeyWalk.operand(of: operand, key, range).value
    }
  }

  /// A value in the form in which many are compared.
  func comparable(_ value: Value) -> SortValue {
    SortValue(value, comparator: comparator, collation: collation)
  }

  /// The order of two values of the key, direction and place of nil included.
  func order(_ left: SortValue, _ right: SortValue) -> ComparisonResult {
    left.order(to: right, ascending: isAscending, nilPlacement: nilPlacement)
  }
}

extension QuerySortDescriptor.Comparator {
  /// The collation of the comparator; nil for those that do not.
  func collation(for locale: Locale) -> Collation? {
    switch self {
    case .compare, .caseInsensitive: nil
    case .localized: Collation(locale: locale)
    case .localizedCaseInsensitive: Collation(locale: locale, ignoresCase: true)
    case .localizedStandard: .standard(locale: locale)
    }
  }
}

extension QueryKeyPath {
  /// Whether the path ends in `entity.name`, which is one key.
  var isEntityName: Bool { steps.suffix(2) == [.key("entity"), .key("name")] }
}

/// The value of a sort key in the form in which many are compared.
enum SortValue {
  /// Nil, or what is no number.
  case missing
  /// A text as the bytes of its key, which are in the order of the texts.
  case bytes([UInt8])
  /// Any other value.
  case value(Value)

  /// Prepares a value for a comparator, whose collation it has where it is one that collates.
  init(_ value: Value, comparator: QuerySortDescriptor.Comparator, collation: Collation?) {
    switch value {
    case .null: self = .missing
    case .string(let text):
      if let collation {
        self = .bytes(collation.sortKey(of: text))
      } else {
        let key = comparator == .compare ? text : TextFolding.caseInsensitive.key(of: text)
        self = .bytes(Array(key.utf8))
      }
    default: self = value.isNaN ? .missing : .value(value)
    }
  }

  /// The order of two values of one key: missing values at their place, objects by their identifiers.
  func order(
    to other: SortValue, ascending: Bool, nilPlacement: QuerySortDescriptor.NilPlacement
  ) -> ComparisonResult {
    switch (self, other) {
    case (.missing, .missing): return .orderedSame
    case (.missing, _): return nilPlacement == .first ? .orderedAscending : .orderedDescending
    case (_, .missing): return nilPlacement == .first ? .orderedDescending : .orderedAscending
    default:
      let order = order(to: other)
      return ascending ? order : order.reversed
    }
  }

  /// The order of two values that are there, small ones first.
  private func order(to other: SortValue) -> ComparisonResult {
    switch (self, other) {
    case (.bytes(let left), .bytes(let right)):
      unsafe left.withUnsafeBufferPointer { left in
        unsafe right.withUnsafeBufferPointer { unsafe ComparisonResult(TextFolding.none.order(left, $0), 0) }
      }
    case (.value(.object(let left)), .value(.object(let right))): left.order(to: right)
    case (.value(let left), .value(let right)): left.order(to: right) ?? .orderedSame
    default: .orderedSame
    }
  }
}

extension ObjectReference {
  /// The order of two objects by their identifiers, for sorting; those of different types by their URIs.
  func order(to other: ObjectReference) -> ComparisonResult {
    if self == other { return .orderedSame }
    return identifier.comes(before: other.identifier) ? .orderedAscending : .orderedDescending
  }
}

extension ObjectIdentifying {
  fileprivate func comes(before other: any ObjectIdentifying) -> Bool {
    if let other = other as? Self { return precedes(other) }
    return TextFolding.none.order(uriText, other.uriText) < 0
  }
}
