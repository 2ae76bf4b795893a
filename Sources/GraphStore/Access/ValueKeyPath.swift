import GraphStorePredicates

/// Key path of key-value coding: keys and collection operators between dots (OBJ-203 to OBJ-217).
struct ValueKeyPath {
  /// A key, or a collection operator.
  struct Step {
    let name: String
    let collectionOperator: CollectionOperator?
    let range: SourceRange
  }

  let text: String
  let steps: [Step]

  /// Reads a key path.
  ///
  /// - Throws: `invalid-key-path` for an empty step, a blank, an operator without a key behind it or a key behind `@count`;
  ///   `unknown-function` for an operator that there is not. Both with the position.
  init(_ text: String) throws(QueryPredicateError) {
    self.text = text
    var steps: [Step] = []
    var offset = 0
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      steps.append(try Self.step(String(part), at: offset, in: text))
      offset += part.utf8.count + 1
    }
    self.steps = steps
    try checkOperators()
  }

  private static func step(_ name: String, at offset: Int, in text: String) throws(QueryPredicateError)
    -> Step
  {
    let range = SourceRange(offset: offset, length: name.utf8.count)
    guard !name.isEmpty, !name.contains(where: \.isWhitespace) else {
      throw QueryPredicateError(
        .invalidKeyPath,
        name.isEmpty
          ? "The key path \"\(text)\" has an empty step." : "A step of \"\(text)\" has a blank in it.",
        source: text, range: range, hint: "Write keys with one dot between them, such as department.name.",
        subject: name)
    }
    guard name.hasPrefix("@") else { return Step(name: name, collectionOperator: nil, range: range) }
    guard let found = CollectionOperator(rawValue: String(name.dropFirst())) else {
      throw QueryPredicateError(
        .unknownFunction, "There is no collection operator \(name).", source: text, range: range,
        suggestions: NearestNames.names(
          near: String(name.dropFirst()), among: CollectionOperator.allCases.map(\.rawValue)),
        subject: name)
    }
    return Step(name: name, collectionOperator: found, range: range)
  }

  private func checkOperators() throws(QueryPredicateError) {
    for (index, step) in steps.enumerated() {
      guard let found = step.collectionOperator else { continue }
      let isLast = index == steps.count - 1
      guard (found == .count) != isLast else { continue }
      throw QueryPredicateError(
        .invalidKeyPath,
        isLast ? "A key must follow \(step.name)." : "@count is a number, and no key follows it.",
        source: text,
        range: step.range,
        hint: isLast ? "Write .self for the members themselves." : "Leave out what stands behind @count.",
        subject: step.name)
    }
  }
}

/// Operator of a key path on the members of a collection.
enum CollectionOperator: String, CaseIterable {
  case count, sum, avg, min, max
  case unionOfObjects, distinctUnionOfObjects, unionOfArrays, distinctUnionOfArrays
  case unionOfSets, distinctUnionOfSets
}
