extension SQLExpression {
  /// The expression with each of its direct parts changed; selects stay as they are.
  package func mappingParts(_ change: (SQLExpression) -> SQLExpression) -> SQLExpression {
    switch self {
    case .column, .binding, .parameter, .number, .literal, .null, .exists, .scalar: self
    case .prefix(let text, let operand): .prefix(text, change(operand))
    case .infix(let text, let left, let right): .infix(text, change(left), change(right))
    case .call(let name, let parts): .call(name, parts.map(change))
    case .and(let parts): .and(parts.map(change))
    case .or(let parts): .or(parts.map(change))
    case .not(let operand): .not(change(operand))
    case .isNull(let operand): .isNull(change(operand))
    case .isNotNull(let operand): .isNotNull(change(operand))
    case .isNotTrue(let operand): .isNotTrue(change(operand))
    case .isMember(let operand, let list): .isMember(change(operand), list)
    case .isAmong(let operand, let numbers): .isAmong(change(operand), numbers)
    case .conditional(let condition, then: let then, otherwise: let otherwise):
      .conditional(change(condition), then: change(then), otherwise: change(otherwise))
    case .isTrue(let operand): .isTrue(change(operand))
    case .collated(let operand, let name): .collated(change(operand), name)
    case .rank(let operand, let groups): .rank(change(operand), groups)
    }
  }

  /// The conjuncts of the expression.
  package var conjuncts: [SQLExpression] {
    if case .and(let parts) = self { parts.flatMap(\.conjuncts) } else { [self] }
  }

  /// Whether a bound constant is part of it.
  package var hasBinding: Bool {
    contains { if case .binding = $0 { true } else { false } }
  }

  /// Whether there is a select in it.
  package var hasSelect: Bool {
    contains {
      switch $0 {
      case .exists, .scalar: true
      default: false
      }
    }
  }

  private func contains(_ isWanted: (SQLExpression) -> Bool) -> Bool {
    var found = false
    visit { found = found || isWanted($0) }
    return found
  }

  /// The alias of all its columns; nil where there are none, or several.
  package var onlyAlias: SQLAlias? {
    var aliases: Set<SQLAlias> = []
    visit { if case .column(let alias, _) = $0 { aliases.insert(alias) } }
    return aliases.count == 1 ? aliases.first : nil
  }

  /// The expression over another alias of the same table.
  package func replacing(_ alias: SQLAlias, by other: SQLAlias) -> SQLExpression {
    if case .column(alias, let name) = self { return .column(other, name) }
    return mappingParts { $0.replacing(alias, by: other) }
  }

  /// The expression with its constants in the text; nil where one cannot be written.
  package func writingConstants(_ literal: (SQLBinding) -> String?) -> SQLExpression? {
    var isWritten = true
    func write(_ expression: SQLExpression) -> SQLExpression {
      guard case .binding(let binding) = expression else { return expression.mappingParts(write) }
      guard let text = literal(binding) else {
        isWritten = false
        return expression
      }
      return .literal(text)
    }
    let written = write(self)
    return isWritten ? written : nil
  }
}
