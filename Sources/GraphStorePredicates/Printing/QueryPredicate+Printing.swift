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

  /// A longer form for reading: one member of a compound a line, indented by two spaces a level. It parses to the
  /// same tree.
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
