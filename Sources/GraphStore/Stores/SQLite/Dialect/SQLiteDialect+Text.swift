import Foundation
import GraphStoreModel
import GraphStorePredicates

extension SQLiteDialect {
  func compareText(
    _ comparator: QueryComparison.Operator, _ options: QueryComparison.Options, _ left: SQLOperand,
    _ right: SQLOperand
  ) -> SQLAnswer {
    guard left.type == .string, right.type == .string, left.constant == nil else {
      return .no("bytes are searched in memory")
    }
    guard !options.contains(.localized) || options.isPlain else {
      return .no("the comparisons of a locale run in memory")
    }
    if options.isPlain, case .string(let text)? = right.constant {
      if comparator == .beginsWith { return prefix(left.expression, text) }
      if comparator == .like, let pattern = LiteralPattern(text) {
        return like(left.expression, pattern)
      }
    }
    return search(comparator, options, left, right)
  }

  /// BEGINSWITH as a range, which an index can serve (PRD-245).
  private func prefix(_ column: SQLExpression, _ prefix: String) -> SQLAnswer {
    guard !prefix.isEmpty else {
      // False for every text and unknown for a missing one: nothing begins with the empty text (PRD-102).
      return .exact(.infix("<>", column, column))
    }
    return .exact(range(column, prefix), note: "a range that an index can serve")
  }

  private func range(_ column: SQLExpression, _ prefix: String) -> SQLExpression {
    let lower = SQLExpression.infix(">=", column, .binding(.text(prefix)))
    guard let end = TextRange.end(of: prefix) else { return lower }
    return .and([lower, .infix("<", column, .binding(.text(end)))])
  }

  private func like(_ column: SQLExpression, _ pattern: LiteralPattern) -> SQLAnswer {
    guard pattern.isPrefix else { return .exact(.infix("=", column, .binding(.text(pattern.text)))) }
    guard !pattern.text.isEmpty else { return .exact(.infix(">=", column, .binding(.text("")))) }
    return .exact(range(column, pattern.text), note: "a range that an index can serve")
  }

  /// `==`, `<` and so on between texts whose case or accents do not count.
  func compareFolded(
    _ sign: String, _ options: QueryComparison.Options, _ left: SQLOperand, _ right: SQLOperand
  ) -> SQLAnswer {
    guard !options.contains(.localized) else { return .no("the comparisons of a locale run in memory") }
    return .exact(
      .infix(sign, folded(left, options), folded(right, options)),
      note: "reads every row; a normalised copy of the text and [n] would use an index")
  }

  private func folded(_ side: SQLOperand, _ options: QueryComparison.Options) -> SQLExpression {
    if case .string(let text)? = side.constant {
      return .binding(.text(TextFolding(options).key(of: text)))
    }
    return .call(SQLiteTextFunctions.foldName, [side.expression, .number(options.code)])
  }

  private func search(
    _ comparator: QueryComparison.Operator, _ options: QueryComparison.Options, _ left: SQLOperand,
    _ right: SQLOperand
  ) -> SQLAnswer {
    let name: String
    switch comparator {
    case .contains: name = SQLiteTextFunctions.containsName
    case .beginsWith: name = SQLiteTextFunctions.beginsName
    case .endsWith: name = SQLiteTextFunctions.endsName
    case .like: name = SQLiteTextFunctions.likeName
    case .matches:
      guard right.constant != nil else {
        return .no("a regular expression taken from a key is matched in memory")
      }
      name = SQLiteTextFunctions.matchesName
    default: return .no("\(comparator.rawValue) is no text operator")
    }
    return .exact(
      .call(name, [left.expression, pattern(right), .number(options.code)]),
      note: "reads every row; a normalised copy of the text and BEGINSWITH[n] would use an index")
  }

  private func pattern(_ side: SQLOperand) -> SQLExpression {
    if case .string(let text)? = side.constant { return .binding(.text(text)) }
    return side.expression
  }
}

/// A LIKE pattern that is a text, or a text followed by `*`.
struct LiteralPattern {
  var text = ""
  var isPrefix = false

  init?(_ pattern: String) {
    var scalars = pattern.unicodeScalars.makeIterator()
    var result = String.UnicodeScalarView()
    while let scalar = scalars.next() {
      switch scalar {
      case "?": return nil
      case "*":
        while let rest = scalars.next() { if rest != "*" { return nil } }
        isPrefix = true
      case "\\":
        guard let escaped = scalars.next() else { return nil }
        guard escaped == "?" || escaped == "*" || escaped == "\\" else { return nil }
        result.append(escaped)
      default: result.append(scalar)
      }
    }
    text = String(result)
  }
}

/// Ranges of texts in scalar order.
enum TextRange {
  /// The least text that is greater than all that begin with the prefix; nil where there is none.
  static func end(of prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while scalars.last == "\u{10FFFF}" { scalars.removeLast() }
    guard let last = scalars.popLast() else { return nil }
    let code = last.value == 0xD7FF ? 0xE000 : last.value + 1
    guard let next = Unicode.Scalar(code) else { return nil }
    scalars.append(next)
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }
}
