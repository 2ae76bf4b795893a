import GraphStoreModel
import GraphStorePredicates

extension SQLiteDialect {
  /// An operand as an argument of a registered function.
  func argument(_ operand: SQLOperand) -> (expression: SQLExpression, kind: SQLiteValueKind)? {
    guard let constant = operand.constant else {
      guard !operand.isOpaque, let kind = SQLiteValueKind(operand.type) else { return nil }
      return (operand.expression, kind == .boolean ? .number : kind)
    }
    switch constant {
    case .null: return (.null, .number)
    case .double(let number):
      let kind = operand.isLiteral ? SQLiteValueKind.fractionalConstant : .number
      return (.binding(number.isNaN ? .null : .double(number)), kind)
    case .decimal(let number) where operand.isLiteral:
      return (.binding(.blob(Array(StoredDecimal.text(number).utf8))), .fractionalConstant)
    case .decimal(let number): return (.binding(StoredDecimal.binding(number)), .decimal)
    default:
      guard let kind = SQLiteValueKind(operand.type), let binding = binding(constant, as: operand.type) else {
        return nil
      }
      return (.binding(binding), kind == .boolean ? .number : kind)
    }
  }

  func cast(_ operand: SQLOperand, to type: QueryCastType) -> SQLValueAnswer {
    let value = operand.expression
    switch (operand.type, type) {
    case (.decimal, .number), (.decimal, .decimal), (.boolean, .boolean), (.string, .string), (.date, .date),
      (.uuid, .uuid), (.uri, .uri), (.data, .data):
      return .exact(operand)
    case (.date, .number), (.date, .double): return .exact(SQLOperand(value.asReal, .double))
    case (.integer, .number), (.boolean, .number), (.double, .number), (.float, .number):
      return .exact(SQLOperand(value, operand.type == .boolean ? .integer : operand.type, form: operand.form))
    case (.integer, .integer) where operand.form == .whole: return .exact(operand)
    case (_, .double) where operand.isPlainNumber: return .exact(SQLOperand(value.asReal, .double))
    case (_, .date) where operand.isPlainNumber: return .exact(SQLOperand(value.asReal, .date))
    case (_, .objectID): return .no(.notInRow, "an identifier is read from the object")
    case (_, .string) where operand.mayBeNaN:
      return .no(.missingValues, "a computed number that is none has a text in memory and no value here")
    default: break
    }
    guard let kind = SQLiteValueKind(operand.type), !operand.isOpaque else {
      return .no(.function, "a value of this type is cast in memory")
    }
    let outcome = outcome(of: type)
    guard let outcomeKind = SQLiteValueKind(outcome.type) else {
      return .no(.function, "a value is cast to this type in memory")
    }
    let number = QueryCastType.allCases.firstIndex(of: type) ?? 0
    let code = SQLiteValueFunctions.code([outcomeKind, kind])
    return .exact(
      SQLOperand(
        .call(SQLiteValueFunctions.castName, [value, .number(Int64(number)), .number(code)]), outcome.type,
        form: outcome.form))
  }

  private func outcome(of type: QueryCastType) -> (type: ExpressionType, form: SQLOperand.NumberForm?) {
    switch type {
    case .number: (.double, .mixed)
    case .decimal: (.decimal, nil)
    case .string: (.string, nil)
    case .date: (.date, nil)
    case .uuid: (.uuid, nil)
    case .uri: (.uri, nil)
    case .data: (.data, nil)
    case .objectID: (.object(nil), nil)
    case .integer: (.integer, .whole)
    case .double: (.double, .real)
    case .boolean: (.boolean, .whole)
    }
  }

  func conditional(
    _ condition: SQLExpression, then: SQLOperand, otherwise: SQLOperand
  ) -> SQLValueAnswer {
    if then.constant?.isNull == true, otherwise.constant == nil {
      return branch(condition, then: nil, otherwise: otherwise, of: otherwise)
    }
    if otherwise.constant?.isNull == true, then.constant == nil {
      return branch(condition, then: then, otherwise: nil, of: then)
    }
    guard let first = result(then), let second = result(otherwise) else {
      return .no(.differentKinds, "a result of TERNARY is read in memory")
    }
    if then.type == otherwise.type || then.isPlainNumber && otherwise.isPlainNumber {
      var joined = SQLOperand(
        .conditional(condition, then: first, otherwise: second),
        then.type == otherwise.type ? then.type : .double, form: then.form.joined(otherwise.form))
      if joined.form == .plain, joined.type == .boolean { joined.type = .integer }
      joined.isForComparisonOnly = then.isForComparisonOnly || otherwise.isForComparisonOnly
      return .exact(joined)
    }
    if then.type == .decimal && otherwise.form == .whole || otherwise.type == .decimal && then.form == .whole
    {
      var joined = SQLOperand(.conditional(condition, then: first, otherwise: second), .decimal)
      joined.isForComparisonOnly = true
      return .exact(joined)
    }
    return .no(.differentKinds, "the two results of TERNARY differ in kind")
  }

  private func branch(
    _ condition: SQLExpression, then: SQLOperand?, otherwise: SQLOperand?, of model: SQLOperand
  ) -> SQLValueAnswer {
    var joined = model
    joined.unchecked = nil
    joined.expression = .conditional(
      condition, then: then?.expression ?? .null, otherwise: otherwise?.expression ?? .null)
    return .exact(joined)
  }

  /// A branch as written in the statement; nil where it cannot.
  private func result(_ operand: SQLOperand) -> SQLExpression? {
    switch operand.type {
    case .object, .entity, .anything, .collection, .composite, .dictionary, .transformable: return nil
    default: break
    }
    guard !operand.isOpaque else { return nil }
    guard let constant = operand.constant else { return operand.expression }
    if case .decimal(let number) = constant { return .binding(StoredDecimal.binding(number)) }
    return binding(constant, as: operand.type).map(SQLExpression.binding)
  }
}
