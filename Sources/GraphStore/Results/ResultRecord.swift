import GraphStorePredicates

/// What is known of one result while it is computed: the values of the leaves, then those of the results, as expressions
/// over them read it.
final class ResultRecord: PropertySource {
  private(set) var leaves: [Value]
  var results: [Value] = []

  init(leaves: [Value]) { self.leaves = leaves }

  var _objectReference: ObjectReference? { nil }

  func _operand(forKey key: PropertyKey) throws -> QueryOperand {
    guard let position = Int(key.name.dropFirst()) else { return .null }
    return .value(key.name.hasPrefix("#") ? leaves[position] : results[position])
  }
}
