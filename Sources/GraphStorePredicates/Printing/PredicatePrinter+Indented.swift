extension PredicatePrinter {
  /// Prints one member of a compound a line, indented by two spaces a level.
  mutating func printIndented(_ predicate: QueryPredicate, level: Int) {
    let (operand, negations) = predicate.withoutNegations
    for _ in 0..<negations { text += "NOT " }
    if negations > 0 { return printIndentedMember(operand, level: level) }
    switch operand {
    case .and(let members): printLines(members, "AND ", level: level)
    case .or(let members): printLines(members, "OR ", level: level)
    default: print(operand)
    }
  }

  private mutating func printLines(_ members: [QueryPredicate], _ connective: String, level: Int) {
    var isFirst = true
    for member in members {
      if !isFirst {
        startLine(level)
        text += connective
      }
      isFirst = false
      printIndentedMember(member, level: level)
    }
  }

  private mutating func printIndentedMember(_ predicate: QueryPredicate, level: Int) {
    let member = predicate.unwrapped
    switch member {
    case .and, .or:
      text += "("
      startLine(level + 1)
      printIndented(member, level: level + 1)
      startLine(level)
      text += ")"
    default: printIndented(member, level: level)
    }
  }

  private mutating func startLine(_ level: Int) {
    text += "\n" + String(repeating: "  ", count: level)
  }
}
