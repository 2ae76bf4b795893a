/// The words that are not keys unless escaped.
enum ReservedWords {
  private static let kinds: [String: PredicateToken.Kind] = [
    "AND": .and, "OR": .or, "NOT": .not, "IN": .in, "ANY": .any, "ALL": .all, "SOME": .some, "NONE": .none,
    "BETWEEN": .between, "LIKE": .like, "MATCHES": .matches, "CONTAINS": .contains,
    "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "NULL": .null, "NIL": .null,
    "SELF": .evaluatedObject, "TRUE": .boolean, "FALSE": .boolean, "YES": .boolean, "NO": .boolean,
    "TRUEPREDICATE": .truePredicate, "FALSEPREDICATE": .falsePredicate, "ANYKEY": .anyKey,
    "CASEINSENSITIVE": .caseWord, "CI": .caseWord,
  ]
  private static let longest = 15

  /// The kind of a reserved word in any letter case; nil for every other word.
  static func kind(of word: some Collection<UInt8>) -> PredicateToken.Kind? {
    guard word.count >= 2, word.count <= longest else { return nil }
    var upper: [UInt8] = []
    upper.reserveCapacity(longest)
    for byte in word {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): upper.append(byte - 32)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): upper.append(byte)
      default: return nil
      }
    }
    return kinds[String(decoding: upper, as: UTF8.self)]
  }

  /// Whether a key must be escaped where it begins a path.
  static func contains(_ word: String) -> Bool {
    kind(of: word.utf8) != nil
  }
}
