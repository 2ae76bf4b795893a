import Foundation

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

  /// The order of two values of one key: missing values first, objects by their identifiers.
  func order(to other: SortValue) -> ComparisonResult {
    switch (self, other) {
    case (.missing, .missing): .orderedSame
    case (.missing, _): .orderedAscending
    case (_, .missing): .orderedDescending
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
