extension ModelProblem {
  /// Sorts problems as they stand in the document: by position where they have one, else by path in the order of keys in
  /// the model format.
  static func inDocumentOrder(_ problems: [ModelProblem]) -> [ModelProblem] {
    DocumentOrder.sorted(problems) { DocumentOrder.key(line: $0.line, column: $0.column, path: $0.path) }
  }
}

extension ModelFinding {
  /// Sorts findings as they stand in the document.
  package static func inDocumentOrder(_ findings: [ModelFinding]) -> [ModelFinding] {
    DocumentOrder.sorted(findings) { DocumentOrder.key(line: $0.line, column: $0.column, path: $0.path) }
  }
}

/// The order in which things stand in a model file.
private enum DocumentOrder {
  static func sorted<Item>(_ items: [Item], _ key: (Item) -> [Int]) -> [Item] {
    let keyed = items.enumerated().map { (key: key($1), order: $0, item: $1) }
    return keyed.sorted { left, right in
      if left.key != right.key { return left.key.lexicographicallyPrecedes(right.key) }
      return left.order < right.order
    }.map(\.item)
  }

  static func key(line: Int?, column: Int?, path: ModelPath) -> [Int] {
    if let line, let column { return [line, column] }
    return path.components.map { component in
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
