/// One token of predicate text: its kind and its range.
struct PredicateToken {
  enum Kind: UInt8 {
    case end, invalid
    case identifier, escapedIdentifier, selector, variable, collectionOperator, string, number
    case argument, keyArgument, scalarArgument
    case and, or, not, any, all, some, none
    case `in`, between, like, matches, contains, beginsWith, endsWith, typeConformsTo, typeEquals
    case null, evaluatedObject, boolean, truePredicate, falsePredicate
    case anyKey, caseWord
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case plus, minus, star, slash, power, ampersand, bar, caret, tilde, shiftLeft, shiftRight
    case exclamation, openParenthesis, closeParenthesis, openBrace, closeBrace
    case openBracket, closeBracket, comma, dot, assign, strictEqual, percent
  }

  let kind: Kind
  let offset: UInt32
  var length: UInt32
  /// For an opening parenthesis the index of the closing one; 0 when there is none.
  var partner: UInt32 = 0
  /// For a string whether it holds escapes.
  var hasEscapes = false
  /// Line and column; 0 in a text of one line of ASCII, where they follow from the offset.
  var line: UInt32 = 0
  var column: UInt32 = 0

  var start: Int { Int(offset) }
  var end: Int { Int(offset) + Int(length) }
  var range: SourceRange { range(length: Int(length)) }

  /// A range of another length from where the token begins.
  func range(length: Int) -> SourceRange {
    line == 0
      ? SourceRange(offset: start, length: length, line: 1, column: start + 1)
      : SourceRange(offset: start, length: length, line: Int(line), column: Int(column))
  }
}

extension PredicateToken.Kind {
  /// Whether the token is a word, which is a key after a dot.
  var isWord: Bool {
    switch self {
    case .and, .or, .not, .any, .all, .some, .none, .in, .between, .like, .matches, .contains, .beginsWith,
      .endsWith, .null, .evaluatedObject, .boolean, .truePredicate, .falsePredicate, .anyKey, .caseWord,
      .identifier, .escapedIdentifier:
      true
    default: false
    }
  }

  /// The comparison operator of the token.
  var comparator: QueryComparison.Operator? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    default: wordComparator
    }
  }

  /// The comparison operator of the token, when it is one of those written as words.
  var wordComparator: QueryComparison.Operator? {
    switch self {
    case .in: .in
    case .between: .between
    case .like: .like
    case .matches: .matches
    case .contains: .contains
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .typeConformsTo: .typeConformsTo
    case .typeEquals: .typeEquals
    default: nil
    }
  }
}
