extension QueryPredicate: CustomStringConvertible {
  /// The predicate as text that parses to an equal tree; closures print as `BLOCKPREDICATE`.
  public var predicateFormat: String {
    withLargeStack(nesting: TreeDepth.depth(of: self)) {
      var printer = PredicatePrinter()
      printer.print(self)
      return printer.text
    }
  }

  /// The predicate as text.
  public var description: String { predicateFormat }

  /// A longer form for reading: one member of a compound a line, indented by two spaces a level. It parses to
  /// the same tree.
  public var indentedFormat: String {
    withLargeStack(nesting: TreeDepth.depth(of: self)) {
      var printer = PredicatePrinter()
      printer.printIndented(self, level: 0)
      return printer.text
    }
  }
}

extension QueryComparison: CustomStringConvertible {
  /// The comparison as text.
  public var description: String { QueryPredicate.comparison(self).predicateFormat }
}

extension QueryExpression: CustomStringConvertible {
  /// The expression as text that parses to an equal tree; closures print as `BLOCK`.
  public var expressionFormat: String {
    withLargeStack(nesting: TreeDepth.depth(of: self)) {
      var printer = PredicatePrinter()
      printer.print(self)
      return printer.text
    }
  }

  /// The expression as text.
  public var description: String { expressionFormat }
}

extension QueryKeyPath: CustomStringConvertible {
  /// The key path as text.
  public var description: String {
    var printer = PredicatePrinter()
    printer.print(self)
    return printer.text
  }
}

extension QueryComparison.Options {
  /// The options in brackets as they print; empty for none.
  public var text: String {
    if isEmpty { return "" }
    if contains(.normalized) { return "[n]" }
    var letters = ""
    if contains(.caseInsensitive) { letters += "c" }
    if contains(.diacriticInsensitive) { letters += "d" }
    if contains(.localized) { letters += "l" }
    return "[\(letters)]"
  }
}

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
