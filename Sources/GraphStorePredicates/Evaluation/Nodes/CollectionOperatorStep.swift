/// `@count`, `@sum` and the other operators on the members of a collection, with the keys after them.
final class CollectionOperatorStep {
  private let name: String
  private let keys: [PropertyKey]
  private let inner: CollectionOperatorStep?
  /// Whether the operator's value is itself the result, and not a part of a condition or of a calculation.
  var isResult = false

  init(_ name: String, keys: [PropertyKey], inner: CollectionOperatorStep?) {
    self.name = name
    self.keys = keys
    self.inner = inner
  }

  var isCount: Bool { name == "count" }

  func apply(to operand: QueryOperand, _ range: SourceRange?) throws -> QueryOperand {
    if name == "count", inner != nil || keys.contains(where: { !$0.isSelf }) {
      throw QueryPredicateError(
        .invalidKeyPath, "@count is a number, and no key follows it.", range: range,
        hint: "Leave out what stands behind @count.", subject: "@count")
    }
    if name == "count" { return .value(.int(Int64(operand.membersOrSelf.count))) }
    guard let operation = Operation(rawValue: name) else {
      if operand.isNull { return .null }
      throw QueryPredicateError(
        .unknownFunction, "There is no collection operator @\(name).", range: range,
        suggestions: NearestNames.names(near: name, among: ["count"] + Operation.allCases.map(\.rawValue)),
        subject: "@" + name)
    }
    guard !keys.isEmpty || inner != nil else {
      if operand.isNull { return .null }
      throw QueryPredicateError(
        .invalidKeyPath, "A key must follow @\(name); write .self for the members themselves.", range: range,
        subject: "@" + name)
    }
    return try apply(operation, members: operand.membersOrSelf, range: range)
  }

  private enum Operation: String, CaseIterable {
    case sum, avg, min, max, unionOfObjects, distinctUnionOfObjects, unionOfArrays, distinctUnionOfArrays
    case unionOfSets, distinctUnionOfSets
  }

  private func apply(
    _ operation: Operation, members: [QueryOperand], range: SourceRange?
  ) throws -> QueryOperand {
    switch operation {
    case .sum: return try aggregate(.sum, members: members, range: range)
    case .avg: return try aggregate(.average, members: members, range: range)
    case .min: return try aggregate(.min, members: members, range: range)
    case .max: return try aggregate(.max, members: members, range: range)
    case .unionOfObjects: return .collection(try ends(members, range), isOrdered: true)
    case .distinctUnionOfObjects:
      return .collection(Aggregation.distinct(try ends(members, range)), isOrdered: true)
    case .unionOfArrays, .unionOfSets:
      return .collection(try ends(members.flatMap(\.membersOrSelf), range), isOrdered: true)
    case .distinctUnionOfArrays, .distinctUnionOfSets:
      let nested = try ends(members.flatMap(\.membersOrSelf), range)
      return .collection(Aggregation.distinct(nested), isOrdered: true)
    }
  }

  private func aggregate(
    _ function: QueryFunction, members: [QueryOperand], range: SourceRange?
  ) throws -> QueryOperand {
    let values = try ends(members, range).map(\.value)
    let value = Aggregation.value(of: function, over: values)
    if isResult, function == .sum { try value.checkResult(ofSumming: values, at: range) }
    return .value(value)
  }

  /// The values of the right part over the members, flattened.
  private func ends(_ members: [QueryOperand], _ range: SourceRange?) throws -> [QueryOperand] {
    var ends: [QueryOperand] = []
    ends.reserveCapacity(members.count)
    for member in members {
      var end = member
      for key in keys { end = try KeyWalk.operand(of: end, key, range) }
      if let inner { end = try inner.apply(to: end, range) }
      if !keys.isEmpty, keys.last?.name != "self", let flattened = end.members {
        ends += flattened
      } else {
        ends.append(end)
      }
    }
    return ends
  }
}
