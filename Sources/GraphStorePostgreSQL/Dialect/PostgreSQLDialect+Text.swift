#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

extension PostgreSQLDialect {
  func compareText(
    _ comparator: QueryComparison.Operator, options: QueryComparison.Options, left: SQLOperand,
    right: SQLOperand
  ) -> SQLAnswer {
    guard left.constant == nil || right.constant == nil else {
      return .no(.function, "two constants are compared in memory")
    }
    if left.type == .data, right.type == .data { return compareParts(comparator, left, right, of: .data) }
    guard left.type == .string, right.type == .string else {
      return .no(.differentKinds, "values that are no texts have no parts")
    }
    // Without [c] a locale changes nothing here, and in MATCHES nothing ever (PRD-114, PRD-117).
    var options = options
    if comparator == .matches || !options.contains(.caseInsensitive) { options.remove(.localized) }
    if comparator == .matches {
      return .no(.function, "the server's regular expressions are others")
    }
    guard options.isPlain else { return Self.foldedTexts(options) }
    if comparator == .like { return like(left, right) }
    return compareParts(comparator, left, right, of: .string)
  }

  static let range = "a range that an index can serve"
  static let readsEveryRow = "reads every row"

  // MARK: Parts

  private func compareParts(
    _ comparator: QueryComparison.Operator, _ left: SQLOperand, _ right: SQLOperand, of type: ExpressionType
  ) -> SQLAnswer {
    guard let whole = expression(left, as: type), let part = expression(right, as: type) else {
      return .no(.differentKinds, "a text with the character zero is compared in memory")
    }
    // Nothing has the empty part in it (PRD-102).
    switch right.constant {
    case .string("")?: return .exact(never(whole))
    case .data(let data)? where data.isEmpty: return .exact(never(whole))
    default: break
    }
    if comparator == .beginsWith, left.constant == nil, let range = range(whole, of: right.constant) {
      return .exact(range, note: Self.range)
    }
    guard let test = test(comparator, whole, part, of: type) else {
      return .no(.differentKinds, "\(comparator.rawValue) is no operator of such values")
    }
    guard right.constant == nil else { return .exact(test, note: Self.readsEveryRow) }
    let empty: SQLExpression = type == .data ? .binding(.blob([])) : .binding(.text(""))
    return .exact(
      .conditional(.infix("=", part, empty), then: never(whole), otherwise: test), note: Self.readsEveryRow)
  }

  /// The test for a part that is not empty.
  func test(
    _ comparator: QueryComparison.Operator, _ whole: SQLExpression, _ part: SQLExpression,
    of type: ExpressionType
  ) -> SQLExpression? {
    let isData = type == .data
    switch comparator {
    case .contains:
      return .infix(">", .call(isData ? "pg_catalog.\"position\"" : "strpos", [whole, part]), .number(0))
    case .beginsWith:
      let length = SQLExpression.call(isData ? "octet_length" : "char_length", [part])
      return isData
        ? .infix("=", .call("substr", [whole, .number(1), length]), part)
        : .call("starts_with", [whole, part])
    case .endsWith where isData:
      let start = SQLExpression.infix(
        "+", .infix("-", .call("octet_length", [whole]), .call("octet_length", [part])), .number(1))
      return .infix("=", .call("substr", [whole, start]), part)
    case .endsWith: return .infix("=", .call("right", [whole, .call("char_length", [part])]), part)
    default: return nil
    }
  }

  /// What begins with a constant, as a range, which an index can serve (PRD-245).
  private func range(_ column: SQLExpression, of prefix: Value?) -> SQLExpression? {
    switch prefix {
    case .string(let text)?:
      return range(column, text)
    case .data(let data)?:
      let lower = SQLExpression.infix(">=", column, .binding(.blob(Array(data))))
      guard let end = DataRange.end(of: data) else { return lower }
      return .and([lower, .infix("<", column, .binding(.blob(end)))])
    default: return nil
    }
  }

  private func range(_ column: SQLExpression, _ prefix: String) -> SQLExpression {
    let lower = SQLExpression.infix(">=", column, .binding(.text(prefix)))
    guard let end = TextRange.end(of: prefix) else { return lower }
    return .and([lower, .infix("<", column, .binding(.text(end)))])
  }

  // MARK: LIKE

  private func like(_ left: SQLOperand, _ right: SQLOperand) -> SQLAnswer {
    guard case .string(let pattern)? = right.constant, !pattern.utf8.contains(0) else {
      return .no(.regularExpression, "a pattern taken from a key is matched in memory")
    }
    let column = left.expression
    if let literal = LiteralPattern(pattern) {
      guard literal.isPrefix else { return .exact(.infix("=", column, .binding(.text(literal.text)))) }
      guard !literal.text.isEmpty else { return .exact(always(column)) }
      return .exact(range(column, literal.text), note: Self.range)
    }
    guard let translated = Self.pattern(pattern) else {
      return .no(.function, "the pattern has an unusual escape")
    }
    return .exact(.infix("LIKE", column, .binding(.text(translated))), note: Self.readsEveryRow)
  }

  /// A pattern of `?` and `*` as one of `_` and `%`; nil for one with an escape that only memory reads.
  static func pattern(_ pattern: String) -> String? {
    var result = ""
    var scalars = pattern.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      switch scalar {
      case "?": result += "_"
      case "*": result += "%"
      case "%", "_": result += "\\\(scalar)"
      case "\\":
        guard let escaped = scalars.next(), escaped == "?" || escaped == "*" || escaped == "\\" else {
          return nil
        }
        result += escaped == "\\" ? "\\\\" : String(escaped)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
#endif
