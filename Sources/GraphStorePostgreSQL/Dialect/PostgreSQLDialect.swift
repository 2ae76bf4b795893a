#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

/// Dialect of PostgreSQL: the predicates and sorts that a server evaluates exactly.
///
/// What it would answer otherwise, however rarely, is refused: regular expressions, texts whose case, accents
/// or locale do not count as they stand, sums of doubles. ``PostgreSQLFunction`` has what it lacks.
///
/// The parameters of a statement have the types of their bindings: `bigint`, `double precision`, `text` and
/// `bytea`; other types are cast from texts in the statement.
struct PostgreSQLDialect: SQLDialect {
  /// The schema of the database that holds the store.
  let schema: String

  init(schema: String) { self.schema = schema }

  /// The server's stack holds expressions of some thousands of levels, and a statement 65,535 values.
  var limits: (openSymbols: Int, bindings: Int) { (2_000, 60_000) }

  /// An expression that no index is over, and that the server does not simplify.
  func withoutIndex(_ expression: SQLExpression) -> SQLExpression {
    .call("COALESCE", [expression, expression])
  }

  /// Values of several types have no first one.
  func anyValue(of expressions: [SQLExpression]) -> SQLExpression {
    .call("NULLIF", [.call("num_nonnulls", expressions), .number(0)])
  }

  /// The server knows of no column that follows from another one.
  func valueInGroup(_ expression: SQLExpression) -> SQLExpression {
    if case .null = expression { expression } else { .call("MAX", [expression]) }
  }

  /// Two parameters of one value are two expressions to the server, and so are two selects.
  func canGroup(by expression: SQLExpression) -> Bool { !expression.hasBinding && !expression.hasSelect }

  var ordersDistinctRowsByAnything: Bool { false }

  func compare(
    _ comparator: QueryComparison.Operator, options: QueryComparison.Options, left: SQLOperand,
    right: SQLOperand
  ) -> SQLAnswer {
    guard left.constant == nil else {
      guard right.constant == nil else { return .no(.function, "two constants are compared in memory") }
      return compare(comparator.mirrored, options: options, left: right, right: left)
    }
    guard let sign = comparator.sign else {
      return .no(.differentKinds, "the operator is no plain comparison")
    }
    if left.type == .string, right.type == .string, !options.isPlain { return Self.foldedTexts(options) }
    if left.type.isNumber, right.type.isNumber {
      return compareNumbers(comparator, sign: sign, left: left, right: right)
    }
    guard right.constant != nil else {
      guard left.type.isStoredLike(right.type) else {
        return .no(.differentKinds, "keys of two types are compared in memory")
      }
      return .exact(.infix(sign, left.expression, right.expression))
    }
    guard let value = expression(right, as: left.type) else {
      return .no(.differentKinds, "the value cannot be compared in the store")
    }
    return .exact(.infix(sign, left.expression, value))
  }

  func order(by operand: SQLOperand, _ comparator: QuerySortDescriptor.Comparator) -> SQLAnswer {
    guard operand.constant == nil else {
      return .no(.function, "a constant orders nothing, and the server takes none")
    }
    switch operand.type {
    case .string where comparator == .caseInsensitive:
      return .no(.function, "the server folds case in another way")
    case .string where comparator != .compare:
      return .no(.localizedComparison, "the server's collations are others")
    case .entity: return .no(.differentKinds, "names of entities are ordered in memory")
    case .data where operand.isOpaque: return .no(.notInRow, "the values may be kept in files of their own")
    case .anything, .composite, .dictionary, .collection, .transformable:
      return .no(.differentKinds, "values of this type are ordered in memory")
    default: return .exact(operand.expression)
    }
  }

  func conditional(
    _ condition: SQLExpression, then: SQLOperand, otherwise: SQLOperand
  ) -> SQLValueAnswer {
    let model = then.constant?.isNull == true ? otherwise : then
    guard model.constant?.isNull != true, Self.isResult(then), Self.isResult(otherwise) else {
      return .no(.differentKinds, "a result of TERNARY is read in memory")
    }
    let sides = [then, otherwise].filter { $0.constant?.isNull != true }
    guard sides.allSatisfy({ $0.type == model.type && $0.form == model.form }) else {
      return .no(.differentKinds, "the two results of TERNARY differ in kind")
    }
    guard let first = branch(then, model), let second = branch(otherwise, model) else {
      return .no(.differentKinds, "a result of TERNARY cannot be written in the statement")
    }
    var joined = SQLOperand(
      texts(.conditional(condition, then: first, otherwise: second), model.type), model.type,
      form: model.form)
    joined.isForComparisonOnly = then.isForComparisonOnly || otherwise.isForComparisonOnly
    return .exact(joined)
  }

  private static func isResult(_ operand: SQLOperand) -> Bool {
    switch operand.type {
    case .object, .entity, .anything, .collection, .composite, .dictionary, .transformable:
      operand.constant?.isNull == true
    default: !operand.isOpaque
    }
  }

  private func branch(_ operand: SQLOperand, _ model: SQLOperand) -> SQLExpression? {
    operand.constant?.isNull == true ? .null : expression(operand, as: model.type)
  }

  func call(_ function: RegisteredFunction, _ arguments: [SQLOperand]) -> SQLValueAnswer {
    .no(.customFunction, "the server has no functions of the application")
  }

  /// Why texts are compared in memory.
  static func foldedTexts(_ options: QueryComparison.Options) -> SQLAnswer {
    options.contains(.localized)
      ? .no(.localizedComparison, "the server's collations are others")
      : .no(.function, "the server folds case and accents in another way")
  }
}
#endif
