extension QueryFunction {
  /// How the function prints as an operator on some arguments; nil when it prints as a call.
  func operatorForm(_ arguments: [QueryExpression]) -> (symbol: String, precedence: Int)? {
    let unary = arguments.count == 1
    guard unary || arguments.count == 2 else { return nil }
    switch self {
    case .negate where unary:
      if let value = arguments[0].constantValue, NumberLiteral.negated(value) != nil { return nil }
      return ("-", 8)
    case .onesComplement where unary: return ("~", 8)
    case .bitwiseOr where !unary: return ("|", 2)
    case .bitwiseXor where !unary: return ("^", 3)
    case .bitwiseAnd where !unary: return ("&", 4)
    case .shiftLeft where !unary: return ("<<", 5)
    case .shiftRight where !unary: return (">>", 5)
    case .add where !unary: return ("+", 6)
    case .subtract where !unary: return ("-", 6)
    case .multiply where !unary: return ("*", 7)
    case .divide where !unary: return ("/", 7)
    case .power where !unary: return ("**", 9)
    default: return nil
    }
  }
}
