extension QueryPredicate: CustomStringConvertible {
  /// The predicate as text that parses to an equal tree; closures print as `BLOCKPREDICATE`.
  public var predicateFormat: String {
    DeepStack.run(nesting: TreeDepth.depth(of: self)) {
      var printer = PredicatePrinter()
      printer.print(self)
      return printer.text
    }
  }

  /// The predicate as text.
  public var description: String { predicateFormat }

  /// A longer form for reading: one member of a compound a line, indented by two spaces a level. It parses to the
  /// same tree.
  public var indentedFormat: String {
    indented(level: 0)
  }

  private func indented(level: Int) -> String {
    switch self {
    case .and(let members) where !members.isEmpty: lines(members, "AND", level)
    case .or(let members) where !members.isEmpty: lines(members, "OR", level)
    case .not(let operand): "NOT " + operand.indentedMember(level: level)
    default: predicateFormat
    }
  }

  private func lines(_ members: [QueryPredicate], _ connective: String, _ level: Int) -> String {
    let indent = String(repeating: "  ", count: level)
    return members.map { $0.indentedMember(level: level) }.joined(separator: "\n\(indent)\(connective) ")
  }

  private func indentedMember(level: Int) -> String {
    switch self {
    case .and, .or:
      let inner = String(repeating: "  ", count: level + 1)
      let outer = String(repeating: "  ", count: level)
      return "(\n\(inner)\(indented(level: level + 1))\n\(outer))"
    default:
      return indented(level: level)
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
    DeepStack.run(nesting: TreeDepth.depth(of: self)) {
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
