#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

extension PostgreSQLDialect {
  /// A value of a type in the statement; nil for a constant that no column of it holds.
  func expression(_ operand: SQLOperand, as type: ExpressionType) -> SQLExpression? {
    guard let constant = operand.constant else { return operand.expression }
    return self.constant(constant, as: type)
  }

  /// A constant as a column of a type holds it.
  func constant(_ value: Value, as type: ExpressionType) -> SQLExpression? {
    switch (type, value) {
    case (.boolean, .bool(let flag)): return boolean(flag)
    case (.boolean, .int(let number)) where number == 0 || number == 1: return boolean(number == 1)
    case (.integer, .int(let number)): return .binding(.integer(number))
    case (.integer, .bool(let flag)): return .binding(.integer(flag ? 1 : 0))
    case (.double, .double(let number)), (.float, .double(let number)):
      return .binding(number.isNaN ? .null : .double(number))
    case (.decimal, .decimal(let number)): return decimal(number)
    case (.string, .string(let text)): return self.text(text)
    case (.uri, .uri(let uri)): return self.text(uri.absoluteString)
    case (.date, .date(let date)):
      let seconds = date.timeIntervalSinceReferenceDate
      return .binding(seconds.isNaN ? .null : .timestamp(seconds))
    case (.uuid, .uuid(let uuid)): return cast(.binding(.text(uuid.uuidString)), .uuid)
    case (.data, .data(let data)): return .binding(.blob(Array(data)))
    default: return nil
    }
  }

  /// A text; nil where it has the character zero, which none in the server has.
  func text(_ text: String) -> SQLExpression? {
    text.utf8.contains(0) ? nil : .binding(.text(text))
  }

  func boolean(_ flag: Bool) -> SQLExpression { cast(.binding(.text(flag ? "true" : "false")), .boolean) }

  func decimal(_ number: Decimal) -> SQLExpression {
    cast(.binding(number.isNaN ? .null : .text(number.description)), .numeric)
  }

  func cast(_ expression: SQLExpression, _ type: PostgreSQLType) -> SQLExpression {
    .infix("::", expression, .literal(type.rawValue))
  }

  /// A computed value of a type, in the order of texts in columns.
  func texts(_ expression: SQLExpression, _ type: ExpressionType) -> SQLExpression {
    type == .string || type == .uri ? .infix("COLLATE", expression, .literal("\"C\"")) : expression
  }

  /// False for every value, and unknown for a missing one.
  func never(_ column: SQLExpression) -> SQLExpression { .infix("<>", column, column) }

  /// True for every value, and unknown for a missing one.
  func always(_ column: SQLExpression) -> SQLExpression { .infix("=", column, column) }
}
#endif
