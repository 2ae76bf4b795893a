import Foundation
import GraphStoreModel
import GraphStorePredicates

extension SQLiteDialect {
  func compareText(
    _ comparator: QueryComparison.Operator, options: QueryComparison.Options, left: SQLOperand,
    right: SQLOperand
  ) -> SQLAnswer {
    if left.type == .data, right.type == .data { return compareData(comparator, left: left, right: right) }
    guard left.type == .string, right.type == .string, left.constant == nil || right.constant == nil else {
      return .no(.differentKinds, "values that are no texts have no parts")
    }
    // Without [c] a locale changes nothing here, and in MATCHES nothing ever (PRD-114, PRD-117).
    var options = options
    if comparator == .matches || !options.contains(.caseInsensitive) { options.remove(.localized) }
    if options.isPlain, left.constant == nil, case .string(let text)? = right.constant {
      if comparator == .beginsWith { return prefix(left.expression, text) }
      if comparator == .like, let pattern = LiteralPattern(text) {
        return like(left.expression, pattern)
      }
    }
    return search(comparator, options: options, left: left, right: right)
  }

  private func compareData(
    _ comparator: QueryComparison.Operator, left: SQLOperand, right: SQLOperand
  ) -> SQLAnswer {
    if comparator == .beginsWith, left.constant == nil, case .data(let part)? = right.constant {
      let column = left.expression
      guard !part.isEmpty else { return .exact(.infix("<>", column, column)) }
      let lower = SQLExpression.infix(">=", column, .binding(.blob(Array(part))))
      guard let end = DataRange.end(of: part) else { return .exact(lower) }
      return .exact(.and([lower, .infix("<", column, .binding(.blob(end)))]), note: Self.range)
    }
    guard let first = argument(left), let second = argument(right) else {
      return .no(.differentKinds, "the bytes cannot be compared in the store")
    }
    let name: String
    switch comparator {
    case .contains: name = SQLiteDataFunctions.containsName
    case .beginsWith: name = SQLiteDataFunctions.beginsName
    case .endsWith: name = SQLiteDataFunctions.endsName
    default: return .no(.differentKinds, "\(comparator.rawValue) is no operator of bytes")
    }
    return .exact(.call(name, [first.expression, second.expression]), note: "reads every row")
  }

  static let range = "a range that an index can serve"
  static let readsEveryRow = "reads every row; a normalised copy of the text and [n] would use an index"

  /// The collation of `[l]` with the other options.
  func collation(_ options: QueryComparison.Options) -> String {
    let form: SQLiteLocaleFunctions.Form =
      switch (options.contains(.caseInsensitive), options.contains(.diacriticInsensitive)) {
      case (false, false): .full
      case (true, false): .c
      case (false, true): .d
      case (true, true): .cd
      }
    return SQLiteLocaleFunctions.collation(form, locale)
  }

  /// BEGINSWITH as a range, which an index can serve (PRD-245).
  private func prefix(_ column: SQLExpression, _ prefix: String) -> SQLAnswer {
    guard !prefix.isEmpty else {
      // False for every text and unknown for a missing one: nothing begins with the empty text (PRD-102).
      return .exact(.infix("<>", column, column))
    }
    return .exact(range(column, prefix), note: Self.range)
  }

  private func range(_ column: SQLExpression, _ prefix: String) -> SQLExpression {
    let lower = SQLExpression.infix(">=", column, .binding(.text(prefix)))
    guard let end = TextRange.end(of: prefix) else { return lower }
    return .and([lower, .infix("<", column, .binding(.text(end)))])
  }

  private func like(_ column: SQLExpression, _ pattern: LiteralPattern) -> SQLAnswer {
    guard pattern.isPrefix else { return .exact(.infix("=", column, .binding(.text(pattern.text)))) }
    guard !pattern.text.isEmpty else { return .exact(.infix(">=", column, .binding(.text("")))) }
    return .exact(range(column, pattern.text), note: Self.range)
  }

  /// `==`, `<` and so on between texts whose case or accents do not count.
  func compareFolded(
    _ sign: String, options: QueryComparison.Options, left: SQLOperand, right: SQLOperand
  ) -> SQLAnswer {
    if options.contains(.localized) {
      return .exact(
        .infix(sign, .collated(text(left), collation(options)), text(right)), note: Self.readsEveryRow)
    }
    return .exact(
      .infix(sign, folded(left, options), folded(right, options)),
      note: Self.readsEveryRow)
  }

  private func folded(_ side: SQLOperand, _ options: QueryComparison.Options) -> SQLExpression {
    if case .string(let text)? = side.constant {
      return .binding(.text(TextFolding(options).key(of: text)))
    }
    return .call(SQLiteTextFunctions.foldName, [side.expression, .number(options.code)])
  }

  private func search(
    _ comparator: QueryComparison.Operator, options: QueryComparison.Options, left: SQLOperand,
    right: SQLOperand
  ) -> SQLAnswer {
    let name: String
    switch comparator {
    case .contains: name = SQLiteTextFunctions.containsName
    case .beginsWith: name = SQLiteTextFunctions.beginsName
    case .endsWith: name = SQLiteTextFunctions.endsName
    case .like: name = SQLiteTextFunctions.likeName
    case .matches:
      guard right.constant != nil else {
        return .no(.regularExpression, "a regular expression taken from a key is matched in memory")
      }
      name = SQLiteTextFunctions.matchesName
    default: return .no(.differentKinds, "\(comparator.rawValue) is no text operator")
    }
    var arguments = [text(left), text(right), .number(options.code)]
    if options.contains(.localized), !options.isPlain {
      arguments.append(.binding(.text(locale.identifier)))
    }
    return .exact(.call(name, arguments), note: note(comparator))
  }

  private func note(_ comparator: QueryComparison.Operator) -> String {
    switch comparator {
    case .matches: "reads every row; a normalised copy of what is looked for and == would use an index"
    case .beginsWith: "reads every row; a normalised copy of the text and BEGINSWITH[n] would use an index"
    default:
      "reads every row; a normalised copy of the text and BEGINSWITH[n] would use an index, for what it begins with"
    }
  }

  private func text(_ side: SQLOperand) -> SQLExpression {
    if case .string(let text)? = side.constant { return .binding(.text(text)) }
    return side.expression
  }
}
