#if PostgreSQL
import GraphStore
import GraphStoreModel
import GraphStorePredicates

extension PostgreSQLDialect {
  /// Whether memory may find a comparison true whose case or accents do not count: the server says it of
  /// texts of ASCII, whose keys are their small letters; others are all read.
  func narrow(
    _ comparator: QueryComparison.Operator, options: QueryComparison.Options, left: SQLOperand,
    right: SQLOperand
  ) -> SQLExpression? {
    guard left.constant == nil else {
      guard right.constant == nil, comparator.sign != nil else { return nil }
      return narrow(comparator.mirrored, options: options, left: right, right: left)
    }
    guard left.type == .string, !options.isPlain, !options.contains(.localized),
      case .string(let text)? = right.constant, !text.utf8.contains(0)
    else { return nil }
    let column = left.expression
    let folding = TextFolding(options)
    let small = options.contains(.caseInsensitive) ? SQLExpression.call("lower", [column]) : column
    guard let condition = compare(comparator, small, text, folding) else { return nil }
    let isLonger = SQLExpression.infix(
      "<>", .call("octet_length", [column]), .call("char_length", [column]))
    return .or([isLonger, condition])
  }

  /// A comparison of texts of ASCII with the key of a constant.
  private func compare(
    _ comparator: QueryComparison.Operator, _ column: SQLExpression, _ text: String, _ folding: TextFolding
  ) -> SQLExpression? {
    let key = folding.key(of: text)
    if let sign = comparator.sign { return .infix(sign, column, .binding(.text(key))) }
    switch comparator {
    case .contains, .beginsWith, .endsWith:
      guard !key.isEmpty else { return nil }
      return test(comparator, column, .binding(.text(key)), of: .string)
    case .like:
      guard text.utf8.allSatisfy({ $0 < 0x80 }), let pattern = Self.pattern(key) else { return nil }
      return .infix("LIKE", column, .binding(.text(pattern)))
    default: return nil
    }
  }
}
#endif
