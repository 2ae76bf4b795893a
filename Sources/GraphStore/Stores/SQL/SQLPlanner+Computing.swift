import GraphStoreModel
import GraphStorePredicates

/// New values that a statement computes from each record that a request selects.
package struct SQLComputation {
  /// The records; its columns are the values.
  package let select: SQLSelect
  package let bindings: [SQLBinding]
  /// The statement that finds a record of which an attribute does not hold its value; nil where there can be
  /// none.
  package let flawed: (sql: String, bindings: [SQLBinding])?
}

extension SQLPlanner {
  /// The statement that computes values of attributes exactly as memory does.
  ///
  /// - Returns: Nil where memory has to judge records or to compute values.
  package func computation(
    of values: [(attribute: AttributeDescription, expression: QueryExpression)], over request: StoreRequest
  ) -> SQLComputation? {
    guard let entity = schema.model.entitiesByName[request.entityName] else { return nil }
    var work = SelectBuilder(self, entity: entity, request: request)
    work.selectEntity()
    work.split()
    guard work.residual.isEmpty else { return nil }
    var (columns, flaws): ([SQLExpression], [SQLExpression]) = ([], [])
    for (attribute, expression) in values {
      guard let operand = try? work.translator.operand(expression),
        let value = AssignedValue(operand, attribute),
        let column = try? work.fitting(value.expression)
      else { return nil }
      columns.append(column)
      flaws += value.flaws
    }
    var select = work.scope.select
    select.columns = columns
    select = select.pruned()
    var flawed = select
    flawed.columns = []
    flawed.conditions.append(.or(flaws))
    flawed.limit = 1
    return SQLComputation(
      select: select, bindings: SQLRenderer.render(select, dialect).bindings,
      flawed: flaws.isEmpty ? nil : SQLRenderer.render(flawed, dialect))
  }
}

/// A computed value on its way into the column of an attribute of its type.
private struct AssignedValue {
  let expression: SQLExpression
  /// Conditions of records of which the attribute does not hold it, or of which memory has to say.
  private(set) var flaws: [SQLExpression] = []

  /// - Returns: Nil for a value of another type, which memory converts.
  init?(_ operand: SQLOperand, _ attribute: AttributeDescription) {
    guard operand.constant == nil, !operand.isOpaque, !operand.isForComparisonOnly else { return nil }
    switch (attribute.type, operand.type) {
    case (.int16, .integer): self.init(operand, within: Int64(Int16.min)...Int64(Int16.max))
    case (.int32, .integer): self.init(operand, within: Int64(Int32.min)...Int64(Int32.max))
    case (.int64, .integer): self.init(operand, within: .min ... .max)
    case (.boolean, .boolean) where operand.form == .whole, (.string, .string):
      self.init(expression: operand.expression)
    case (.double, .double) where operand.form == .real, (.date, .date): self.init(real: operand.expression)
    default: return nil
    }
    if !attribute.isOptional { flaws.append(.isNull(expression)) }
  }

  private init(expression: SQLExpression) { self.expression = expression }

  /// An integer; one that overflows on the way is a double at the end.
  private init?(_ operand: SQLOperand, within range: ClosedRange<Int64>) {
    if let unchecked = operand.unchecked {
      expression = unchecked.expression
      flaws = [unchecked.overflows]
    } else if operand.form == .whole {
      expression = operand.expression
    } else {
      return nil
    }
    if range.contains(operand.integers.lowerBound), range.contains(operand.integers.upperBound) { return }
    flaws += [
      .infix("<", expression, .number(range.lowerBound)), .infix(">", expression, .number(range.upperBound)),
    ]
  }

  /// A number with a fraction: engines make no value of what is no number, as of a division by zero.
  private init(real expression: SQLExpression) {
    self.expression = expression
    guard !expression.isColumn else { return }
    // The columns within a select are out of reach here; what it returns is a value like that of a column.
    var sources: [SQLExpression] = []
    expression.visit(intoSelects: false) { part in
      if part.isColumn { sources.append(part) }
      if case .scalar = part { sources.append(part) }
    }
    flaws = [
      .and([.isNull(expression)] + sources.map(SQLExpression.isNotNull)),
      .infix(">", .call("ABS", [expression]), .binding(.double(.greatestFiniteMagnitude))),
    ]
  }
}
