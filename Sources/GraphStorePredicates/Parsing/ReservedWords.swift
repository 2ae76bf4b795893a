/// The words that are not keys unless escaped.
enum ReservedWords {
  private static let kinds: [UInt128: PredicateToken.Kind] = {
    let words: [(String, PredicateToken.Kind)] = [
      ("AND", .and), ("OR", .or), ("NOT", .not), ("IN", .in), ("ANY", .any), ("ALL", .all), ("SOME", .some),
      ("NONE", .none), ("BETWEEN", .between), ("LIKE", .like), ("MATCHES", .matches),
      ("CONTAINS", .contains), ("BEGINSWITH", .beginsWith), ("ENDSWITH", .endsWith), ("NULL", .null),
      ("NIL", .null), ("SELF", .evaluatedObject), ("TRUE", .boolean), ("FALSE", .boolean),
      ("YES", .boolean), ("NO", .boolean), ("TRUEPREDICATE", .truePredicate),
      ("FALSEPREDICATE", .falsePredicate), ("ANYKEY", .anyKey), ("CASEINSENSITIVE", .caseWord),
      ("CI", .caseWord),
    ]
    var kinds: [UInt128: PredicateToken.Kind] = [:]
    for (word, kind) in words {
      if let packed = packed(word.utf8) { kinds[packed] = kind }
    }
    return kinds
  }()
  private static let longest = 15

  /// The kind of a reserved word in any letter case; nil for every other word.
  static func kind(of word: some Collection<UInt8>) -> PredicateToken.Kind? {
    packed(word).flatMap { kinds[$0] }
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
