extension StringProtocol {
  /// The text without the characters at its end that meet a condition.
  package func trimmingSuffix(while predicate: (Character) -> Bool) -> String {
    var rest = self[...]
    while let last = rest.last, predicate(last) { rest = rest.dropLast() }
    return String(rest)
  }
}
