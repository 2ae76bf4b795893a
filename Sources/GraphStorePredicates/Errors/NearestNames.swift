/// Finds the names that were probably meant: those within edit distance 2, or 1 for names up to four letters.
/// A name of one letter is like no other.
///
/// ```swift
/// print(NearestNames.names(near: "salry", among: ["name", "salary", "badge"]))  // ["salary"]
/// ```
public enum NearestNames {
  /// The near names, best first, at most three; equal distances keep the order of the candidates.
  public static func names(
    near name: String, among candidates: some Sequence<String>, limit: Int = 3
  ) -> [String] {
    let wanted = Array(name.unicodeScalars)
    let bound = wanted.count <= 1 ? 0 : wanted.count <= 4 ? 1 : 2
    var found: [(name: String, distance: Int)] = []
    for candidate in candidates {
      let distance = distance(wanted, Array(candidate.unicodeScalars), bound: bound)
      if distance <= bound { found.append((candidate, distance)) }
    }
    let ranked = found.enumerated().sorted {
      ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
    }
    return ranked.prefix(limit).map(\.element.name)
  }

  /// The number of insertions, removals and replacements between two names; anything above `bound` when it is
  /// larger. Letters that differ in case alone count as equal.
  private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar], bound: Int) -> Int {
    guard abs(left.count - right.count) <= bound else { return bound + 1 }
    var previous = Array(0...right.count)
    var current = previous
    for (row, leftScalar) in left.enumerated() {
      current[0] = row + 1
      for (column, rightScalar) in right.enumerated() {
        let same =
          leftScalar.properties.lowercaseMapping == rightScalar.properties.lowercaseMapping
        let replaced = previous[column] + (same ? 0 : 1)
        current[column + 1] = min(replaced, previous[column + 1] + 1, current[column] + 1)
      }
      swap(&previous, &current)
    }
    return previous[right.count]
  }
}
