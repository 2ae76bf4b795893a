/// The words that are not keys unless escaped.
enum ReservedWords {
  /// The words by their number of letters.
  private static let words: [[(letters: UInt128, kind: PredicateToken.Kind)]] = {
    let words: [(String, PredicateToken.Kind)] = [
      ("AND", .and), ("OR", .or), ("NOT", .not), ("IN", .in), ("ANY", .any), ("ALL", .all), ("SOME", .some),
      ("NONE", .none), ("BETWEEN", .between), ("LIKE", .like), ("MATCHES", .matches),
      ("CONTAINS", .contains), ("BEGINSWITH", .beginsWith), ("ENDSWITH", .endsWith), ("NULL", .null),
      ("NIL", .null), ("SELF", .evaluatedObject), ("TRUE", .boolean), ("FALSE", .boolean),
      ("YES", .boolean), ("NO", .boolean), ("TRUEPREDICATE", .truePredicate),
      ("FALSEPREDICATE", .falsePredicate), ("ANYKEY", .anyKey), ("CASEINSENSITIVE", .caseWord),
      ("CI", .caseWord),
    ]
    var byLength = Array(repeating: [(letters: UInt128, kind: PredicateToken.Kind)](), count: longest + 1)
    for (word, kind) in words {
      if let letters = packed(word.utf8) { byLength[word.utf8.count].append((letters, kind)) }
    }
    return byLength
  }()
  private static let longest = 15

  /// The kind of a reserved word in any letter case; nil for every other word.
  static func kind(of word: some Collection<UInt8>) -> PredicateToken.Kind? {
    guard let letters = packed(word) else { return nil }
    return words[word.count].first { $0.letters == letters }?.kind
  }

  /// Whether a key must be escaped where it begins a path.
  static func contains(_ word: String) -> Bool {
    kind(of: word.utf8) != nil
  }

  /// The letters of a word as one number, without regard to case; nil for what cannot be a reserved word.
  private static func packed(_ word: some Collection<UInt8>) -> UInt128? {
    guard word.count >= 2, word.count <= longest else { return nil }
    var packed: UInt128 = 0
    for byte in word {
      let lower = ASCII.lower(byte)
      guard lower &- 97 < 26 else { return nil }
      packed = packed << 8 | UInt128(lower)
    }
    return packed
  }
}
