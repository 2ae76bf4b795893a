extension PredicateToken.Kind {
  /// The function of arithmetic of the token between two operands, and how tightly it binds.
  var binaryFunction: (function: QueryFunction, precedence: Int)? {
    switch self {
    case .bar: (.bitwiseOr, 2)
    case .caret: (.bitwiseXor, 3)
    case .ampersand: (.bitwiseAnd, 4)
    case .shiftLeft: (.shiftLeft, 5)
    case .shiftRight: (.shiftRight, 5)
    case .plus: (.add, 6)
    case .minus: (.subtract, 6)
    case .star: (.multiply, 7)
    case .slash: (.divide, 7)
    default: nil
    }
  }
}
