extension ModelProblem {
  /// Sorts problems as they stand in the document: by position where they have one, else by path in the order of keys in
  /// the model format.
  static func inDocumentOrder(_ problems: [ModelProblem]) -> [ModelProblem] {
    let keyed = problems.enumerated().map { (key: sortKey(of: $1), order: $0, problem: $1) }
    return keyed.sorted { left, right in
      if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
      return left.order < right.order
    }.map(\.problem)
  }

  private static func sortKey(of problem: ModelProblem) -> [Int] {
    if let line = problem.line, let column = problem.column { return [line, column] }
    return problem.path.components.map { component in
      switch component {
      case .index(let position): position
      case .key(let name): keyOrder[name] ?? keyOrder.count
      }
    }
  }

  private static let keyOrder: [String: Int] = {
    var order: [String: Int] = [:]
    for name in ModelKeys.all where order[name] == nil { order[name] = order.count }
    return order
  }()
}
