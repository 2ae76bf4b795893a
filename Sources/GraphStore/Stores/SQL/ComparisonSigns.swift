import GraphStoreModel
import GraphStorePredicates

extension QueryComparison.Options {
  /// Whether text is compared byte by byte.
  package var isPlain: Bool { isEmpty || contains(.normalized) }
}

extension QueryComparison.Operator {
  /// The operator in SQL.
  package var sign: String? {
    switch self {
    case .equal: "="
    case .notEqual: "<>"
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    default: nil
    }
  }

  /// The operator that means the same with the sides exchanged.
  package var mirrored: QueryComparison.Operator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }
}

extension ExpressionType {
  /// Whether values of both types are stored in one form, so that an engine compares them exactly.
  package func isStoredLike(_ other: ExpressionType) -> Bool {
    switch self {
    case .string, .date, .uuid, .uri, .data: self == other
    default: false
    }
  }
}
