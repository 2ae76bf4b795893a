import Foundation
import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// Another dialect than SQLite's, as text alone: what PostgreSQL would be told. It answers `.no` to what
/// PostgreSQL cannot say by an operator or function of its own.
struct SecondDialect: SQLDialect {
  var limits: (openSymbols: Int, bindings: Int) { (10_000, 65_535) }

  func compare(
    _ comparator: QueryComparison.Operator, options: QueryComparison.Options, left: SQLOperand,
    right: SQLOperand
  ) -> SQLAnswer {
    if left.constant != nil {
      guard right.constant == nil else { return .no(.function, "two constants") }
      return compare(comparator.mirrored, options: options, left: right, right: left)
    }
    guard let sign = comparator.sign, options.isPlain,
      left.type == right.type || left.type.isNumber && right.type.isNumber || right.constant != nil
    else { return .no(.differentKinds, "no plain comparison") }
    guard let value = expression(right, as: left.type) else { return .no(.differentKinds, "a constant") }
    return .exact(.infix(sign, bytewise(left), value))
  }

  func compareText(
    _ comparator: QueryComparison.Operator, options: QueryComparison.Options, left: SQLOperand,
    right: SQLOperand
  ) -> SQLAnswer {
    guard options.isPlain, left.type == .string, right.type == .string,
      let whole = expression(left, as: .string), let part = expression(right, as: .string)
    else { return .no(.differentKinds, "no plain texts") }
    switch comparator {
    case .contains: return .exact(.infix(">", .call("strpos", [whole, part]), .number(0)))
    case .beginsWith: return .exact(.call("starts_with", [whole, part]))
    default: return .no(.function, "\(comparator.rawValue) is evaluated in memory")
    }
  }

  func isMember(
    _ left: SQLOperand, of constants: [Value], _ options: QueryComparison.Options
  ) -> SQLAnswer {
    let bindings = constants.compactMap { binding($0, as: left.type) }
    guard options.isPlain, bindings.count == constants.count else {
      return .no(.differentKinds, "the list is looked up in memory")
    }
    let type = "::\(elementType(left.type))[])"
    let text = "{" + bindings.map { "\($0)" }.joined(separator: ",") + "}"
    return .exact(
      .isMember(
        left.expression, SQLList(value: .binding(.text(text)), opening: "SELECT unnest(", closing: type)))
  }

  func call(_ function: QueryFunction, _ arguments: [SQLOperand]) -> SQLValueAnswer {
    let signs: [QueryFunction: String] = [.add: "+", .subtract: "-", .multiply: "*"]
    guard arguments.allSatisfy({ $0.type.isNumber && $0.constant == nil }), let first = arguments.first
    else { return .no(.function, "\(function.rawValue) is computed in memory") }
    if function == .absolute { return .exact(SQLOperand(.call("abs", [first.expression]), first.type)) }
    guard let sign = signs[function], arguments.count == 2 else {
      return .no(.function, "\(function.rawValue) is computed in memory")
    }
    return .exact(
      SQLOperand(.infix(sign, first.expression, arguments[1].expression), first.type, form: .mixed))
  }

  func call(_ function: RegisteredFunction, _ arguments: [SQLOperand]) -> SQLValueAnswer {
    .no(.function, "functions of the application run in memory")
  }

  func cast(_ operand: SQLOperand, to type: QueryCastType) -> SQLValueAnswer {
    .no(.function, "casts run in memory")
  }

  func conditional(
    _ condition: SQLExpression, then: SQLOperand, otherwise: SQLOperand
  ) -> SQLValueAnswer {
    guard then.type == otherwise.type, let first = expression(then, as: then.type),
      let second = expression(otherwise, as: then.type)
    else { return .no(.differentKinds, "two kinds of values") }
    return .exact(SQLOperand(.conditional(condition, then: first, otherwise: second), then.type))
  }

  func aggregate(_ aggregate: AggregateFunction, over operand: SQLOperand) -> SQLValueAnswer {
    let function = aggregate.function
    return switch function {
    case .count: .exact(SQLOperand(.call("count", [operand.expression]), .integer))
    case .min, .max: .exact(SQLOperand(.call(function.rawValue, [operand.expression]), operand.type))
    default: .no(.function, "\(function.rawValue) is computed in memory")
    }
  }

  func aggregate(_ aggregate: AggregateFunction, overDistinct operand: SQLOperand) -> SQLValueAnswer {
    .no(.function, "\(aggregate.function.rawValue) of different values is computed in memory")
  }

  func order(by operand: SQLOperand, _ comparator: QuerySortDescriptor.Comparator) -> SQLAnswer {
    comparator == .compare
      ? .exact(bytewise(operand)) : .no(.function, "localized orders are made in memory")
  }

  func literal(_ binding: SQLBinding) -> String? { nil }

  // MARK: Values

  /// Texts in the order of their bytes, whatever the database's own collation is.
  private func bytewise(_ operand: SQLOperand) -> SQLExpression {
    operand.type == .string ? .collated(operand.expression, "C") : operand.expression
  }

  private func expression(_ operand: SQLOperand, as type: ExpressionType) -> SQLExpression? {
    guard let constant = operand.constant else { return operand.expression }
    return binding(constant, as: type).map(SQLExpression.binding)
  }

  private func binding(_ value: Value, as type: ExpressionType) -> SQLBinding? {
    switch (type, value) {
    case (_, .int(let number)) where type.isNumber: .integer(number)
    case (_, .double(let number)) where type.isNumber: .double(number)
    case (.string, .string(let text)): .text(text)
    case (.date, .date(let date)): .double(date.timeIntervalSinceReferenceDate)
    default: nil
    }
  }

  private func elementType(_ type: ExpressionType) -> String {
    switch type {
    case .string: "text"
    case .double, .float, .date: "float8"
    case .decimal: "numeric"
    default: "bigint"
    }
  }
}

extension SecondDialect {
  var engineName: String { "PostgreSQL" }
  func parameter(_ number: Int) -> String { "$\(number)" }
  func constant(_ isTrue: Bool) -> String { isTrue ? "TRUE" : "FALSE" }
  var noLimit: SQLBinding { .null }
  func direction(_ key: SQLSelect.Order) -> String {
    (key.ascending ? "" : " DESC") + (key.nilPlacement == .first ? " NULLS FIRST" : " NULLS LAST")
  }

  func joinOperator(_ kind: SQLSelect.Join.Kind) -> String { kind == .outer ? "LEFT JOIN" : "JOIN" }

  var isDistinct: String { "IS DISTINCT FROM" }

  func insertion(_ conflict: SQLInsert.Conflict) -> (opening: String, closing: String) {
    ("INSERT INTO ", conflict == .ignore ? " ON CONFLICT DO NOTHING" : "")
  }

  func keyList(_ parameter: SQLExpression) -> SQLList {
    SQLList(value: parameter, opening: "SELECT value FROM unnest(", closing: "::bigint[]) AS value")
  }

  func binding(ofKeys keys: [Int64]) -> SQLBinding {
    .text("{" + keys.map(String.init).joined(separator: ",") + "}")
  }

  func declaredType(_ kind: SQLColumn.Kind) -> String {
    switch kind {
    case .integer, .boolean, .toOneKey, .toOneEntity, .orderKey, .ownerKey: "bigint"
    case .float, .double, .date: "double precision"
    case .decimal: "numeric"
    case .string, .uri: "text"
    case .uuid: "uuid"
    case .transformable, .binary: "bytea"
    }
  }

  func createStatement(_ table: SQLTable) -> String {
    let columns = table.columns.map { "\($0.quotedName) \(declaredType($0.kind))" }
    let all = ["Z_PK bigint PRIMARY KEY", "Z_ENT bigint", "Z_OPT bigint"] + columns
    return "CREATE TABLE \(table.quotedName) (\(all.joined(separator: ", ")))"
  }

  func createStatement(_ table: SQLJoinTable) -> String {
    let columns = table.columns.map { SQLName.quoted($0) + " bigint" }.joined(separator: ", ")
    let key = [table.source, table.destination].map(SQLName.quoted).joined(separator: ", ")
    return "CREATE TABLE \(table.quotedName) (\(columns), PRIMARY KEY (\(key)))"
  }

  func createStatement(_ index: SQLIndex) -> String {
    let parts = index.elements.map { element -> String in
      switch element.subject {
      case .column(let name): SQLName.quoted(name)
      case .expression(let text): "(\(text))"
      }
    }
    let head = index.isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX"
    let condition = index.condition.map { " WHERE " + $0 } ?? ""
    return "\(head) \(SQLName.quoted(index.name)) ON \(SQLName.quoted(index.table)) "
      + "(\(parts.joined(separator: ", ")))\(condition)"
  }
}
