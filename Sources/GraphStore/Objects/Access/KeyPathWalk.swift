import GraphStorePredicates

/// Reading of a key path from an object on: collections gather the values of their members (OBJ-205).
struct KeyPathWalk {
  private let path: ValueKeyPath

  init(_ path: ValueKeyPath) { self.path = path }

  /// The value of the path from a value; nil where a step on the way has none.
  func value(from value: Any?) throws -> Any? { try self.value(from: value, path.steps[...]) }

  private func value(from value: Any?, _ steps: ArraySlice<ValueKeyPath.Step>) throws -> Any? {
    var value = value
    var rest = steps
    while let step = rest.popFirst() {
      if let found = step.collectionOperator {
        return try apply(found, to: value, rest, at: step.range)
      }
      guard let present = value else { return nil }
      value = try self.value(of: step, from: present)
    }
    return value
  }

  private func value(of step: ValueKeyPath.Step, from value: Any) throws -> Any? {
    switch value {
    case let object as ManagedObject: return try object.value(forKey: step.name)
    case let values as [String: Any?]: return try element(of: values, step)
    default: break
    }
    guard let members = MemberValues(value) else {
      throw QueryPredicateError(
        .unknownKey, "A value of type \(type(of: value)) has no key \(step.name).", source: path.text,
        range: step.range, subject: step.name)
    }
    if step.name == "self" { return value }
    try members.realize(for: step.name)
    return try members.map { try $0.flatMap { try self.value(of: step, from: $0) } }
  }

  private func element(of values: [String: Any?], _ step: ValueKeyPath.Step) throws -> Any? {
    if let value = values[step.name] { return value }
    throw QueryPredicateError(
      .unknownKey, "There is no element \(step.name).", source: path.text, range: step.range,
      suggestions: NearestNames.names(near: step.name, among: values.keys.sorted()), subject: step.name)
  }

  // MARK: Operators

  private func apply(
    _ found: CollectionOperator, to value: Any?, _ rest: ArraySlice<ValueKeyPath.Step>, at range: SourceRange
  ) throws -> Any? {
    let members = value.map { MemberValues($0)?.values ?? [$0] } ?? []
    if found == .count { return members.count }
    if let first = rest.first, first.collectionOperator == nil {
      try MemberValues(values: members, isOrdered: true).realize(for: first.name)
    }
    let ends = try members.compactMap { try self.value(from: $0, rest) }
    switch found {
    case .count: return members.count
    case .sum, .avg, .min, .max: return try aggregate(found, ends.flatMap(Self.flat), at: range)
    case .unionOfObjects: return ends
    case .distinctUnionOfObjects: return try distinct(ends, at: range)
    case .unionOfArrays, .unionOfSets: return ends.flatMap(Self.inner)
    case .distinctUnionOfArrays: return try distinct(ends.flatMap(Self.inner), at: range)
    case .distinctUnionOfSets: return Set(try distinct(ends.flatMap(Self.inner), at: range).map(hashable))
    }
  }

  /// The members of a collection that are there; another value is its own only member.
  private static func inner(_ value: Any) -> [Any] {
    MemberValues(value)?.values.compactMap { $0 } ?? [value]
  }

  private static func flat(_ value: Any) -> [Any] {
    MemberValues(value)?.values.compactMap { $0 }.flatMap(flat) ?? [value]
  }

  private func distinct(_ values: [Any], at range: SourceRange) throws -> [Any] {
    var seen: Set<AnyHashable> = []
    return try values.filter { value in
      guard let key = value as? AnyHashable else { throw notComparable(value, at: range) }
      return seen.insert(key).inserted
    }
  }

  private func hashable(_ value: Any) throws -> AnyHashable {
    guard let value = value as? AnyHashable else { throw notComparable(value, at: nil) }
    return value
  }

  private func aggregate(_ found: CollectionOperator, _ ends: [Any], at range: SourceRange) throws -> Any? {
    let values = try ends.map { end in
      guard let value = (end as? any ValueConvertible)?.queryValue else {
        throw notComparable(end, at: range)
      }
      return value
    }
    switch found {
    case .sum, .avg:
      if let index = values.firstIndex(where: { !$0.isNumber }) {
        throw notNumber(ends[index], found, at: range)
      }
      let result = Aggregation.value(of: found == .sum ? .sum : .average, over: values)
      if found == .sum { try result.checkResult(ofSumming: values, at: range) }
      return result.swiftValue(.int64)
    default:
      let result = Aggregation.value(of: found == .min ? .min : .max, over: values)
      return values.firstIndex(of: result).map { ends[$0] }
    }
  }

  private func notNumber(_ value: Any, _ found: CollectionOperator, at range: SourceRange) -> GraphStoreError
  {
    GraphStoreError(
      .valueType,
      "@\(found.rawValue) at character \(range.offset + 1) of \"\(path.text)\" is of numbers, not of a \(type(of: value)).",
      remedy: "Let the path behind the operator lead to an attribute with numbers.")
  }

  private func notComparable(_ value: Any, at range: SourceRange?) -> GraphStoreError {
    let place = range.map { " at character \($0.offset + 1)" } ?? ""
    return GraphStoreError(
      .valueType, "The operator\(place) of \"\(path.text)\" does not take values of type \(type(of: value)).",
      remedy: "Let the path behind the operator lead to an attribute or a relationship.")
  }
}

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
  /// - Throws: `invalid-key-path` for an empty step, a blank, an operator without a key behind it or a key
  ///   behind `@count`; `unknown-function` for an operator that there is not. Both with the position.
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
